/** Proposals: changes that another person approves before they are applied. */
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Extensions, InputType, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { hasPermission, type Permission } from '../../../auth/caller.js';
import { ChangeSet } from '../../../entities/ChangeSet.js';
import { Profile } from '../../../entities/Profile.js';
import { Proposal } from '../../../entities/Proposal.js';
import { DateTime, Json, Uuid } from '../../../entities/scalars.js';
import { User } from '../../../entities/User.js';
import { badInput, type Problems } from '../../../errors.js';
import { type GraphContext, Load, type Loader, onPrimary } from '../../../graphql/resolving/loaders.js';
import { isSelected, selectionOf } from '../../../graphql/resolving/selection.js';
import { connectionOf, type SliceArguments, sliceOf } from '../../../graphql/schema/connection.js';
import { declareEnum } from '../../../graphql/schema/inputs.js';
import {
  ArgOf,
  Computed,
  ComputedOrNull,
  Guarded,
  Member,
  MemberOrNull,
  Needs,
  RecordAt,
  Requires,
  Result,
} from '../../../graphql/schema/operations.js';
import { actorOf, permit } from '../../../services/permit.js';
import { mayRead } from '../../../services/read/projection.js';
import { readByKeys } from '../../../services/read/readPages.js';
import type { Row } from '../../../services/read/select.js';
import { type ComputedEffect, readPastEffectOf } from '../../changes/effect.js';
import type { EffectCounts as Counts } from '../../changes/effectLists.js';
import { changesMax } from '../../changes/plannedChange.js';
import { ChangeInput } from '../../changes/resolvers/changeInput.js';
import { DryRun, readMadeSet } from '../../changes/resolvers/changeSets.js';
import { ChangeSentence, Effect } from '../../changes/resolvers/effect.js';
import { sentencesOf } from '../../changes/title.js';
import { approveProposal, rejectProposal, withdrawProposal } from '../proposals/decisions.js';
import { judgeProposal, problemsOf } from '../proposals/judge.js';
import { type ProposalCriteria, proposalCondition } from '../proposals/listProposals.js';
import { findOwned, listOwners } from '../proposals/owners.js';
import { openProposalsMax, proposalBytesMax, proposeChanges } from '../proposals/proposals.js';
import type { ChangeSince as Since } from '../proposals/since.js';
import { getProposal, type ProposalState as Phase } from '../proposals/storedProposals.js';

/** Limit of dry runs in one request: each proposal whose effect is requested costs one. */
const trialsMax = 10;
const tried = ['effect', 'problems', 'since', 'opened'] as const;
/** Fields that are large, or require a dry run. */
const heavy = [...tried, 'changes', 'sentences', 'remedies'] as const;

const ProposalState = declareEnum<Phase>('ProposalState', 'The state of a proposal.', {
  OPEN: 'Nobody has decided about the proposal yet.',
  SCHEDULED: 'The proposal was approved and is applied at `applyAt`.',
  APPLIED: 'The proposal was approved, and the changes were made.',
  REJECTED: 'Another person rejected the proposal.',
  WITHDRAWN: 'The proposal was withdrawn.',
  EXPIRED: 'Nobody decided before the proposal expired.',
  FAILED: 'The proposal was approved, but the changes could not be made at `applyAt`: see `problems`.',
});

@Result('Counts of access gained or lost.')
class EffectCounts {
  @Member(Int, 'The number of applications.') applications!: number;
  @Member(Int, 'The number of entries of the `scopes` claim.') scopes!: number;
  @Member(Int, 'The number of profiles.') profiles!: number;
  @Member(Int, 'The number of users.') users!: number;
  @Member(Int, 'The number of active renewal tokens.') sessions!: number;
}

@Result('The counts of the effect when a proposal was made.')
class ProposedEffect {
  @Member(EffectCounts, 'Access gained.') gains!: Counts;
  @Member(EffectCounts, 'Access lost.') loses!: Counts;
  @Member(Int, 'The number of applications opened by the profiles that users gain or lose.') opened!: number;
}

@Result('A change by others since a proposal was made.')
class ChangeSince {
  @Member(String, 'The kind of change, such as `USERS_BLOCKED` or `MORE`.') kind!: string;
  @Member(String, 'The change in a sentence.') text!: string;
  @Member(DateTime, 'When such a change was last made.') at!: string;
  @Member(Uuid, 'Guid of the user who changed it.') by!: string;
  @Member(Int, 'The number of records with such a change.') count!: number;
  @Member([String], 'Names of at most three of these records.') names!: string[];
  @RecordAt(User, 'userGuid', 'The user who changed it; null if there is no such user.', { from: 'by', nullable: true })
  byNavigation!: User | null;
}

@Result('Who may approve a proposal.')
class ApproverHint {
  @Member(String, 'The permission with which a person may approve the proposal: `admin:write` or `admin:security`.')
  permission!: Permission;
}

interface Approvable {
  permission: Permission;
  proposedBy: string;
  proposalGuid: string;
}

@InputType({ description: 'Conditions on proposals, combined with AND.' })
class ProposalFilter implements ProposalCriteria {
  @MemberOrNull(
    Boolean,
    'Whether the proposal waits for the caller: it is open, another person made it, and the caller may decide.',
  )
  forMe?: boolean | null;
  @MemberOrNull([ProposalState], 'The state is one of these.') state?: Phase[] | null;
  @MemberOrNull(Uuid, 'This user made the proposal.') proposedBy?: string | null;
  @MemberOrNull(Boolean, 'Whether the proposal is a request for access by the person concerned.') isRequest?:
    | boolean
    | null;
  @MemberOrNull(
    String,
    'Every word is contained in the title, the note, or the name or e-mail address of the author, ignoring accents and case.',
  )
  text?: string | null;
}

const ProposalPage = sliceOf(Proposal, ProposalFilter);

interface Trial {
  opened: number | null;
  effect: ComputedEffect | null;
  problems: Problems | null;
  since: Since[];
}
type Parent = Row & { trial?: Trial };

/** Throws BAD_USER_INPUT for a request that asks for too many trials. */
export function spendTrial({ spent }: GraphContext): void {
  spent.trials += 1;
  if (spent.trials > trialsMax)
    throw badInput({
      first: [`A request may ask for effect, problems, since, changes or sentences of ${trialsMax} proposals.`],
    });
}

/** Tries the changes of an open proposal. The revision in the same answer is that of the effect. */
async function addTrial(context: GraphContext, row: Parent): Promise<void> {
  spendTrial(context);
  const proposal = await getProposal(context, String(row.proposalGuid));
  if (proposal.state !== 'OPEN' && proposal.state !== 'SCHEDULED') return;
  const { effect, error, since, revision, title, permission, fingerprint } = await judgeProposal(context, proposal);
  row.revision = revision;
  if (title !== undefined) row.title = title;
  row.permission = permission;
  const opened = fingerprint?.opened ?? null;
  row.trial = { opened, effect: effect ?? null, problems: error ? problemsOf(error) : null, since };
}

export async function readProposal({ primary, info }: Loader, guid: string): Promise<Parent | null> {
  const row: Parent | null = await primary.record(Proposal, 'proposalGuid', guid);
  if (row && selectsAny(info, [])) await addTrial(primary.context, row);
  return row;
}

const selectsAny = (info: GraphQLResolveInfo, path: readonly string[], fields: readonly string[] = tried): boolean =>
  fields.some((field) => isSelected(info, [...path, field]));

const selectsInNodes = (info: GraphQLResolveInfo, fields: readonly string[]): boolean =>
  selectsAny(info, ['nodes'], fields) || selectsAny(info, ['edges', 'node'], fields);

/** People without a permission can read their own requests, but not these fields, and no relation. */
const approverFields = 'changes sentences effect problems since opened proposedEffect approvers remedies'.split(' ');

/** Throws FORBIDDEN if the selection contains more of own requests than a person without admin:read may read. */
export function requireOwnFields({ context, info }: Loader): void {
  if (mayRead(context, Proposal)) return;
  const isMore = selectionOf(info, Proposal).toOne.size > 0 || selectsAny(info, [], approverFields);
  if (isMore) permit(context, 'admin:read');
}

export async function readOwn({ context, info }: Loader, guids: readonly string[]): Promise<Row[]> {
  const selection = selectionOf(info, Proposal);
  const rows = await readByKeys(onPrimary(context), selection, 'proposalGuid', guids, { isOwn: true });
  return guids.map((guid) => rows.get(guid)).filter((row) => row !== undefined);
}

/** The proposal of a caller who made it, or who may read all. */
export const readOwnOrAny = async (load: Loader, guid: string): Promise<Row | null> =>
  mayRead(load.context, Proposal) ? readProposal(load, guid) : ((await readOwn(load, [guid]))[0] ?? null);

export const IfRevisionOfProposal = () =>
  Arg('ifRevision', () => Int, {
    description:
      'The revision that the caller has read. If the effect has changed since, the request fails with CONFLICT.',
  });
const ApplyAt = (absent: string) =>
  Arg('applyAt', () => DateTime, {
    nullable: true,
    description: `When the changes are applied, at most a minute late; absent: ${absent}.`,
  });

@Resolver(() => Proposal)
export class ProposalResolver {
  @Query(() => Proposal, {
    nullable: true,
    description: 'Returns the Proposal with this proposalGuid, or null if there is none.',
  })
  @Requires('admin:read')
  proposal(@ArgOf(Proposal, 'proposalGuid') guid: string, @Load() load: Loader) {
    return readProposal(load, guid);
  }

  @Query(() => connectionOf(Proposal), {
    description: `Returns a page of proposals. A request may ask for effect, problems, since, changes or sentences of at most ${trialsMax} proposals.`,
  })
  @Requires('admin:read')
  @Extensions({ isPagedInMemory: true })
  async proposals(
    @Args(() => ProposalPage) { filter, ...page }: SliceArguments<ProposalFilter>,
    @Load() { primary, info }: Loader,
  ) {
    const isHeavy = selectsInNodes(info, heavy);
    if (isHeavy && (page.first ?? trialsMax + 1) > trialsMax)
      throw badInput({
        first: [`With effect, problems, since, changes or sentences, a page has at most ${trialsMax} proposals.`],
      });
    const rows = await primary.list(Proposal, page, proposalCondition(primary.context, filter ?? {}));
    if (selectsInNodes(info, tried)) for (const row of rows.nodes) await addTrial(primary.context, row as Parent);
    return rows;
  }

  @Mutation(() => Proposal, {
    description: `Proposes changes, which another person approves. They are tried first: if they cannot be applied, nothing is proposed. At most ${changesMax} changes and ${proposalBytesMax} bytes; a person has at most ${openProposalsMax} open proposals.`,
  })
  @Requires('admin:read')
  async proposeChanges(
    @Arg('changes', () => [ChangeInput], { description: 'The changes to propose.' }) changes: ChangeInput[],
    @Arg('note', () => String, { description: 'The reason for the changes.' }) note: string,
    @ApplyAt('at the approval') applyAt: string | null | undefined,
    @Arg('proposalGuid', () => Uuid, {
      nullable: true,
      description:
        'Guid of the proposal, chosen by the caller: if the same is sent again with it, because an answer was lost, the answer has the first proposal.',
    })
    proposalGuid: string | null | undefined,
    @Load() load: Loader,
  ) {
    return readProposal(load, await proposeChanges(load.context, changes, { note, applyAt, proposalGuid }));
  }

  @Mutation(() => Proposal, {
    description:
      'Approves a proposal of another person: applies the changes, or schedules them. Fails with CONFLICT, and applies nothing, if the effect of the changes is no longer the one that the caller has read. The caller also needs the permission that the changes require.',
  })
  @Requires('admin:read')
  async approveProposal(
    @ArgOf(Proposal, 'proposalGuid') guid: string,
    @IfRevisionOfProposal() ifRevision: number,
    @Arg('note', () => String, { nullable: true, description: 'The note of the decision.' })
    note: string | null | undefined,
    @ApplyAt('the time of the proposal') applyAt: string | null | undefined,
    @DryRun() dryRun: boolean,
    @Load() load: Loader,
  ) {
    await approveProposal(load.context, guid, ifRevision, { note, applyAt, dryRun });
    return readProposal(load, guid);
  }

  @Mutation(() => Proposal, {
    description: 'Rejects a proposal of another person. The caller also needs the permission that the changes require.',
  })
  @Requires('admin:read')
  async rejectProposal(
    @ArgOf(Proposal, 'proposalGuid') guid: string,
    @IfRevisionOfProposal() ifRevision: number,
    @Arg('note', () => String, { description: 'The reason, which the author reads.' }) note: string,
    @Load() load: Loader,
  ) {
    await rejectProposal(load.context, guid, ifRevision, note);
    return readProposal(load, guid);
  }

  @Mutation(() => Proposal, {
    description:
      'Withdraws a proposal of the caller, or a scheduled proposal that the caller may approve. Any valid access token is enough to withdraw the caller’s own request for access.',
  })
  @Requires()
  async withdrawProposal(@ArgOf(Proposal, 'proposalGuid') guid: string, @Load() load: Loader) {
    requireOwnFields(load);
    await withdrawProposal(load.context, guid);
    return readOwnOrAny(load, guid);
  }

  @Computed(ProposalState, 'The state of the proposal.')
  @Needs(Proposal, 'state', 'expiresAt')
  state(@Root() { state, expiresAt }: Parent, @Load() { context }: Loader) {
    return state === 'OPEN' && Date.parse(String(expiresAt)) <= context.clock.now().getTime() ? 'EXPIRED' : state;
  }

  @Computed([Json], 'The changes, as `applyChanges` takes them.')
  @Needs(Proposal, 'changes')
  @Guarded(Proposal)
  changes(@Root() { changes }: Parent) {
    return changes;
  }

  @Computed([ChangeSentence], 'What the changes do, in sentences with every value that they set.')
  @Needs(Proposal, 'changes')
  @Guarded(Proposal)
  sentences(@Root() { changes }: Parent, @Load() { context }: Loader) {
    return sentencesOf(context, changes as object[]);
  }

  @ComputedOrNull(
    Effect,
    'What the changes of an open or scheduled proposal would do now, or what the changes of an applied proposal did. Null if the changes cannot be applied.',
  )
  @Needs(Proposal, 'proposalGuid', 'revision', 'changeSetGuid')
  @Guarded(Profile)
  async effect(@Root() { trial, changeSetGuid }: Parent, @Load() { context }: Loader) {
    if (trial) return trial.effect;
    return readPastEffectOf(context, changeSetGuid as string | null);
  }

  @ComputedOrNull(
    Json,
    'Why the changes cannot be applied now, or why they failed: paths as in `applyChanges`, with messages.',
  )
  @Needs(Proposal, 'proposalGuid', 'revision', 'failure')
  @Guarded(Proposal)
  problems(@Root() { trial, failure }: Parent) {
    return trial ? trial.problems : failure;
  }

  @Computed([ChangeSince], 'Changes by others to the records concerned since the proposal was made, newest first.')
  @Needs(Proposal, 'proposalGuid', 'revision')
  @Guarded(Proposal)
  since(@Root() { trial }: Parent) {
    return trial?.since ?? [];
  }

  @ComputedOrNull(
    Int,
    'The number of applications opened now by the profiles that users gain or lose; null for a decided proposal.',
  )
  @Needs(Proposal, 'proposalGuid', 'revision')
  @Guarded(Proposal)
  opened(@Root() { trial }: Parent) {
    return trial?.opened ?? null;
  }

  @Computed(ProposedEffect, 'The counts of the effect when the proposal was made.')
  @Needs(Proposal, 'proposedCounts')
  @Guarded(Proposal)
  proposedEffect(@Root() { proposedCounts }: Parent) {
    return proposedCounts;
  }

  @Computed(ApproverHint, 'Who may approve the proposal.')
  @Needs(Proposal, 'permission', 'proposedBy', 'proposalGuid')
  @Guarded(Proposal)
  approvers(@Root() { permission, proposedBy, proposalGuid }: Parent): ApproverHint & Approvable {
    return { permission, proposedBy, proposalGuid } as never;
  }

  // that an open proposal has no change set is no secret
  @ComputedOrNull(
    ChangeSet,
    'The change set that applied the proposal; null until then, and for callers without the permission.',
  )
  @Needs(Proposal, 'changeSetGuid')
  @Extensions({ guardedBy: ChangeSet })
  changeSet(@Root() { changeSetGuid }: Parent, @Load() load: Loader) {
    return readMadeSet(load, changeSetGuid);
  }
}

@Resolver(() => ApproverHint)
export class ApproverHintResolver {
  @Computed(Boolean, 'Whether the caller may approve the proposal.')
  includesViewer(@Root() { permission, proposedBy, proposalGuid }: Approvable, @Load() load: Loader) {
    const { context } = load;
    if (proposedBy === actorOf(context)) return false;
    if (hasPermission(context.caller, permission)) return true;
    return permission === 'admin:write' && load.batched(proposalGuid, (guids) => findOwned(context, guids));
  }

  @Computed(
    [Profile],
    'The profiles whose holders own what the proposal changes. A person who holds all of them may approve the proposal. Empty if owners may not approve it.',
  )
  owners(@Root() { proposalGuid }: Approvable, @Load() load: Loader) {
    const { context, info } = load;
    return load.batched(proposalGuid, async (guids) => {
      const lists = await listOwners(context, guids);
      const rows = await readByKeys(context, selectionOf(info, Profile), 'profileId', [...new Set(lists.flat())]);
      return lists.map((ids) => ids.flatMap((id) => rows.get(id) ?? []));
    });
  }
}

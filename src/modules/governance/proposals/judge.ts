/**
 * Tries the changes of a proposal: what they do now, why they cannot be applied, and what has changed since they were proposed.
 * Readers of a proposal share a trial; its revision rises when the effect changes.
 */
import { createHash } from 'node:crypto';
import { type Permission, writerPermissions } from '../../../auth/caller.js';
import type { Context } from '../../../context.js';
import { Application } from '../../../entities/Application.js';
import type { RecordClass } from '../../../entities/description.js';
import { User } from '../../../entities/User.js';
import { GatehouseError, type Problems } from '../../../errors.js';
import { asService } from '../../../services/permit.js';
import { hasMetAnother } from '../../../services/records/change.js';
import { applyChanges, readVersion } from '../../changes/applyChanges.js';
import { Bits } from '../../changes/bits.js';
import type { ComputedEffect } from '../../changes/effect.js';
import { namesOf } from '../../changes/effectLists.js';
import { type AccessDelta, type Counted, differenceOf } from '../../changes/effectSides.js';
import { recounts, sizeOf } from '../../changes/keptEffects.js';
import type { CountedEffect } from '../../changes/outcomes.js';
import { planChanges } from '../../changes/planChanges.js';
import type { PlannedChange } from '../../changes/plannedChange.js';
import { titleOf, titleOfRequest } from '../../changes/title.js';
import { newTrials, shareTrial } from '../sharedTrials.js';
import { type ChangeSince, readSince } from './since.js';
import {
  hashIssuers,
  isSameSubject,
  readNamed,
  readSubject,
  type StoredSubject,
  type Subject,
  textsIn,
} from './subject.js';

interface Judgement {
  /** Undefined if the changes cannot be applied. */
  effect?: ComputedEffect;
  fingerprint?: Fingerprint;
  error?: GatehouseError;
  permission: Permission;
  since: ChangeSince[];
}

type Judged = Pick<JudgedProposal, 'changes' | 'proposedBy' | 'requestedApplicationGuid'>;

/** @param proposedAt lists changes by others since then; absent: none */
export async function judge(context: Context, proposal: Judged, proposedAt?: string): Promise<Judgement> {
  const plan = planChanges(proposal.changes);
  const texts = textsIn(plan, proposal);
  const asWriter = await attempt(context, plan, texts, 'admin:write', proposedAt);
  const judgement =
    asWriter.error?.code === 'FORBIDDEN' ? await attempt(context, plan, texts, 'admin:security', proposedAt) : asWriter;
  if (!judgement.error || proposedAt === undefined) return judgement;
  // a failed trial leaves no versions: the changes name the records concerned
  return { ...judgement, since: await readSince(context, proposedAt, texts) };
}

async function attempt(
  context: Context,
  plan: readonly PlannedChange[],
  texts: readonly string[],
  permission: Permission,
  proposedAt: string | undefined,
): Promise<Judgement> {
  // the caller may see the effect without the permission to make the changes
  const trial = asService(context, permission === 'admin:write' ? writerPermissions : undefined);
  let since: ChangeSince[] = [];
  let fingerprint: Fingerprint | undefined;
  let named: Awaited<ReturnType<typeof readNamed>>;
  try {
    const { effect } = await applyChanges(trial, plan, {
      dryRun: true,
      details: { events: false, effect: true },
      begin: async (inside) => {
        named = await readNamed(inside, texts);
      },
      judge: async (inside, made) => {
        fingerprint = await fingerprintOf(inside, made, named);
        if (proposedAt !== undefined) since = await readSince(inside, proposedAt, texts);
      },
    });
    const countAgain: ComputedEffect['countAgain'] = async (later) =>
      (await attempt(later, plan, texts, permission, undefined)).effect;
    return { effect: { ...effect!, countAgain }, fingerprint: fingerprint!, permission, since };
  } catch (error) {
    if (!(error instanceof GatehouseError) || error.status >= 500 || hasMetAnother(error)) throw error;
    return { error, permission, since: [] };
  }
}

recounts.set('proposal', async (context, { changes, permission }: Proposed) => {
  const { effect } = await attempt(context, planChanges(changes), [], permission, undefined);
  return effect;
});
type Proposed = Pick<Judged, 'changes'> & Pick<Judgement, 'permission'>;

export const problemsOf = ({ more, message }: GatehouseError): Problems => more.problems ?? { $: [message] };

export interface Fingerprint {
  /** Equal for equal effects. */
  hash: Buffer;
  /** Who and what it is about. */
  subject: Subject;
  /** The number of applications that the profiles open that users gain or lose. */
  opened: number;
}

/**
 * Identifies who gains and loses what, and which tokens change. It leaves out sessions, which begin and end without a change, and
 * the numbers of records that the changes create, which differ at each trial. Inside the transaction of the changes.
 * @param named what `readNamed` read before the changes
 */
export async function fingerprintOf(
  inside: Context,
  effect: CountedEffect,
  named: Awaited<ReturnType<typeof readNamed>>,
): Promise<Fingerprint> {
  const { gains, loses, tokens } = effect;
  const { counted } = gains;
  const isNew = (record: RecordClass, id: unknown) => counted.passing.get(record)?.has(id) ?? false;
  const nameOf = (values: Bits) => {
    const { applicationIds, scopes } = namesOf(counted, values);
    return JSON.stringify([applicationIds.map((id) => (isNew(Application, id) ? 'new' : id)).sort(), scopes]);
  };
  // people with the same differences, however many other profiles they hold
  const sideOf = (delta: AccessDelta) => {
    const people = Map.groupBy(delta.groups, (group) => nameOf(differenceOf(counted, group, delta.side)));
    return [...people].sort(byKey).map(([name, groups]) => {
      const userIds = groups.flatMap((group) => group.userIds);
      return [name, userIds.map((id) => String(isNew(User, id) ? 'new' : id)).sort()];
    });
  };
  const profiles = tokens.items.map(({ profile, users, gains: gained, loses: lost }): [string, ...unknown[]] => [
    counted.profiles.values[profile]!,
    users,
    nameOf(gained),
    nameOf(lost),
  ]);
  const hash = createHash('sha256').update(JSON.stringify([sideOf(gains), sideOf(loses), profiles.sort(byKey)]));
  const subject = await readSubject(inside, named, effect);
  return { hash: hash.digest(), subject, opened: countOpened(counted) };
}

const byKey = ([one]: readonly [string, ...unknown[]], [other]: readonly [string, ...unknown[]]): number =>
  one < other ? -1 : 1;

function countOpened({ groups, after, applications }: Counted): number {
  const opened = new Bits();
  for (const group of groups) {
    const moved = new Set(group.before).symmetricDifference(new Set(group.after));
    for (const place of moved) opened.unite(after[place]!);
  }
  return opened.common(applications).size;
}

interface JudgedProposal {
  proposalGuid: string;
  proposedAt: string;
  proposedBy: string;
  requestedApplicationGuid: string | null;
  revision: number;
  state: string;
  changes: object[];
  subject: StoredSubject | null;
}

const trials = newTrials<Judgement>(({ effect }) => (effect ? sizeOf(effect) : 10_000));

async function judgeOnce(context: Context, proposal: JudgedProposal): Promise<Judgement> {
  const { proposalGuid, proposedAt, changes } = proposal;
  const hash = createHash('sha256').update(JSON.stringify(changes)).digest('base64');
  // read before the trial, so that the next reader tries again if something changes during it
  const key = [proposalGuid, hash, await readVersion(context)].join(' ');
  const { effect, ...judgement } = await shareTrial(trials, key, () => judge(context, proposal, proposedAt));
  // each reader gets an effectId of its own
  const origin = { proposal: { changes, permission: judgement.permission } };
  return effect ? { ...judgement, effect: { ...effect, origin } } : judgement;
}

/**
 * What the changes of a proposal do now, and its revision, which rises if the effect of an open proposal has changed, or who and
 * what it is about. The title is of now.
 */
export async function judgeProposal(
  context: Context,
  proposal: JudgedProposal,
): Promise<Judgement & { revision: number; title: string | undefined }> {
  const judgement = await judgeOnce(context, proposal);
  const { fingerprint, permission } = judgement;
  const since = [...issuerChanges(context, proposal), ...judgement.since];
  const isMovable = proposal.state === 'OPEN' && fingerprint !== undefined;
  const noted = isMovable ? await noteEffect(context, proposal, fingerprint, permission) : undefined;
  return { ...judgement, since, revision: noted?.revision ?? proposal.revision, title: noted?.title };
}

/** What changed since a proposal was approved. */
export async function sinceApproval(
  context: Context,
  proposal: JudgedProposal & { decidedAt: string | null },
): Promise<ChangeSince[]> {
  const { decidedAt, proposedAt, subject } = proposal;
  const { since } = await judge(context, proposal, decidedAt ?? proposedAt);
  const approved = subject && { ...subject, first: subject.issuers };
  return [...issuerChanges(context, { subject: approved }), ...since];
}

/** Settings have no history: that they changed is known from the stored hashes. */
function issuerChanges({ clock, config }: Context, { subject }: Pick<JudgedProposal, 'subject'>): ChangeSince[] {
  const first = subject?.first ?? {};
  const now = hashIssuers(config, Object.keys(first));
  if (Object.keys(first).every((idpname) => first[idpname] === now[idpname])) return [];
  const text = 'The settings of the identity provider of people concerned were changed since.';
  const at = clock.now().toISOString();
  return [{ kind: 'ID_TOKEN_ISSUERS_UPDATED', text, at, by: config.systemUserGuid, count: 1, names: [] }];
}

/** The title of the changes, or of a request for access, with the names as they are now. */
const titleNow = async (context: Context, proposal: JudgedProposal): Promise<string> =>
  (proposal.requestedApplicationGuid &&
    (await titleOfRequest(context, proposal.proposedBy, proposal.requestedApplicationGuid))) ||
  titleOf(context, proposal.changes);

type Noted = Pick<JudgedProposal, 'revision'> & { title: string };

/**
 * Raises the revision if the effect, or who and what the proposal is about, is not what is stored; returns the revision and the
 * title, or undefined for a proposal that was decided, or got another effect or other changes meanwhile. A proposal of the version
 * before gets what it is about without another revision.
 */
export async function noteEffect(
  context: Context,
  proposal: JudgedProposal,
  { hash, subject }: Fingerprint,
  permission: Permission,
): Promise<Noted | undefined> {
  const { proposalGuid: guid, subject: stored } = proposal;
  const readStored = () =>
    context.sql.rows<Noted & Pick<JudgedProposal, 'subject'>>(
      `select revision, title, subject from proposals where proposal_guid = $1::uuid and effect_hash = $2 and permission = $3`,
      [guid, hash, permission],
    );
  const isNoted = (row: Pick<JudgedProposal, 'subject'> | undefined) =>
    row?.subject && isSameSubject(row.subject, subject);
  const [current] = await readStored();
  if (isNoted(current)) return current;
  const isRaised = !current || stored !== null;
  const [noted] = await context.sql.rows<Noted>(
    `update proposals set revision = revision + $4::int, effect_hash = $2, permission = $3, subject = $5::jsonb, title = $6
     where proposal_guid = $1::uuid and state = 'OPEN' and revision = $7 returning revision, title`,
    [
      guid,
      hash,
      permission,
      Number(isRaised),
      JSON.stringify({ first: subject.issuers, ...stored, ...subject }),
      await titleNow(context, proposal),
      proposal.revision,
    ],
  );
  if (noted) return noted;
  // another reader was first, perhaps with the same effect
  const [present] = await readStored();
  return isNoted(present) ? present : undefined;
}

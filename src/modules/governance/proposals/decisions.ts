/** Approves, rejects, withdraws and corrects proposals. Nobody decides about their own, and each is applied at most once. */
import { hasPermission, type Permission } from '../../../auth/caller.js';
import type { Context } from '../../../context.js';
import { isGuid } from '../../../entities/valueForms.js';
import { conflict, GatehouseError, notFound } from '../../../errors.js';
import { ownChangeSet } from '../../../services/execute.js';
import { actorOf, permit, requireFreshSignIn } from '../../../services/permit.js';
import { madeChangeSetGuid } from '../../../services/records/change.js';
import { applyChanges } from '../../changes/applyChanges.js';
import type { CountedEffect } from '../../changes/outcomes.js';
import { planChanges } from '../../changes/planChanges.js';
import { type Fingerprint, fingerprintOf, noteEffect } from './judge.js';
import { findOwned, hasRight } from './owners.js';
import { tryOut } from './proposals.js';
import {
  getProposal,
  type ProposalState,
  requireProposalNote,
  requireTime,
  type StoredProposal,
  stateColumn,
} from './storedProposals.js';
import { fieldsChanged, givenMore, identifyingFields, isSameSubject, readNamed, textsIn } from './subject.js';

const decided = (state: ProposalState): GatehouseError => conflict(`The proposal is ${state.toLowerCase()} already.`);
const moved = (): GatehouseError =>
  conflict('The effect of the proposal has changed since it was read: read it again. Nothing was applied.');

function requireOpen(proposal: StoredProposal, ifRevision: number): void {
  if (proposal.state !== 'OPEN') throw decided(proposal.state);
  if (proposal.revision !== ifRevision) throw moved();
}

const ownDecision = (what: string): GatehouseError => new GatehouseError('FORBIDDEN', what);

/**
 * The context in which the caller decides: with the permission that the changes need, or with `admin:write` for the owner of all
 * subjects, which is enough unless an administration scope is concerned. Throws FORBIDDEN.
 */
async function requireDecider(context: Context, proposal: StoredProposal): Promise<Context> {
  const { caller } = context;
  if (!(await isDecider(context, proposal))) permit(context, proposal.permission);
  if (hasPermission(caller, proposal.permission) || caller.kind === 'anonymous') return context;
  const permissions = new Set<Permission>([...caller.permissions, 'admin:write']);
  return { ...context, caller: { ...caller, permissions } };
}

async function isDecider(context: Context, { permission, proposalGuid }: StoredProposal): Promise<boolean> {
  if (hasPermission(context.caller, permission)) return true;
  const [owns] = permission === 'admin:write' ? await findOwned(context, [proposalGuid]) : [];
  return owns ?? false;
}

/**
 * Replaces the changes of an open proposal. The caller must be permitted to decide about the old changes or the new ones. Throws
 * their problems, FORBIDDEN and CONFLICT.
 */
export async function replaceChanges(
  context: Context,
  guid: string,
  ifRevision: number,
  changes: readonly object[],
): Promise<void> {
  const before = await getProposal(context, guid);
  if (before.proposedBy === actorOf(context)) throw ownDecision('Nobody decides about their own request.');
  requireOpen(before, ifRevision);
  const mayDecide = await isDecider(context, before);
  const text = JSON.stringify(changes);
  const { permission, hash, counts, subjects, subject } = await tryOut(context, {
    ...before,
    changes: JSON.parse(text),
  });
  await context.sql.transaction(async (sql) => {
    const inside = { ...context, sql };
    requireOpen(await getProposal(inside, guid, true), ifRevision);
    await sql.rows(
      `update proposals set changes = $2::jsonb, permission = $3, effect_hash = $4, proposed_counts = $5::jsonb, subjects = $6::jsonb,
         subject = $7::jsonb, revision = revision + 1 where proposal_guid = $1::uuid`,
      [guid, text, permission, hash, counts, subjects, subject],
    );
    if (!mayDecide) await requireDecider(inside, { ...before, permission });
  });
}

interface Approval {
  note?: string | null | undefined;
  applyAt?: string | null | undefined;
  dryRun: boolean;
}

/** Thrown when the effect, or who and what the proposal is about, is not what was approved. */
class OtherEffect extends Error {
  constructor(readonly fingerprint: Fingerprint) {
    super();
  }
}

/**
 * Applies the changes, or schedules them for a later time. Throws CONFLICT if the effect is not that of the revision or somebody
 * decided already, FORBIDDEN for one's own proposal, and the problems of the changes; then nothing is applied.
 */
export async function approveProposal(
  context: Context,
  guid: string,
  ifRevision: number,
  { note = null, applyAt, dryRun }: Approval,
): Promise<void> {
  permit(context, 'admin:read');
  requireProposalNote(note, false);
  await requireTime(context, applyAt);
  const proposal = await getProposal(context, guid);
  if (proposal.proposedBy === actorOf(context)) throw ownDecision('Nobody approves their own proposal.');
  const decider = await requireDecider(context, proposal);
  requireOpen(proposal, ifRevision);
  // asked now, because a trial requires no fresh sign-in, and the schedule has no session
  if (proposal.permission === 'admin:security') requireFreshSignIn({ ...context, isDryRun: dryRun });
  const time = applyAt ?? (proposal.isDue ? null : proposal.applyAt);
  const approvedWith = hasPermission(context.caller, 'admin:security') ? 'admin:security' : 'admin:write';
  const approverHasRight = await hasRight(context, proposal, actorOf(context));
  const decision = { from: ['OPEN'], note, ifRevision, approvedWith, approverHasRight } as const;
  try {
    await applyProposal({ ...decider, isApproved: true }, proposal, {
      dryRun: dryRun || time !== null,
      begin: async (inside) => requireOpen(await getProposal(inside, guid, !dryRun), ifRevision),
      finish: (inside) => decide(inside, guid, { ...decision, state: 'APPLIED' }),
    });
  } catch (error) {
    if (!(error instanceof OtherEffect)) throw error;
    const present = await getProposal(context, guid);
    await noteEffect(context, present, error.fingerprint, present.permission);
    throw moved();
  }
  if (time !== null && !dryRun) await decide(context, guid, { ...decision, state: 'SCHEDULED', applyAt: time });
}

interface Application {
  dryRun: boolean;
  begin: (inside: Context) => Promise<void>;
  finish: (inside: Context) => Promise<void>;
}

/** Carries out the changes if their effect is that of the proposal's revision. Throws OtherEffect, and FORBIDDEN for who gains. */
export async function applyProposal(
  context: Context,
  proposal: StoredProposal,
  { dryRun, begin, finish }: Application,
): Promise<void> {
  const { effectHash, subject } = proposal;
  const plan = planChanges(proposal.changes);
  let named: Awaited<ReturnType<typeof readNamed>>;
  await applyChanges(context, plan, {
    dryRun,
    note: proposal.note,
    details: { events: false, effect: true },
    begin: async (inside) => {
      await begin(inside);
      named = await readNamed(inside, textsIn(plan, proposal));
    },
    judge: async (inside, effect) => {
      const fingerprint = await fingerprintOf(inside, effect, named);
      const isSame = fingerprint.hash.equals(effectHash) && (!subject || isSameSubject(subject, fingerprint.subject));
      if (!isSame) throw new OtherEffect(fingerprint);
      await requireUninvolved(inside, effect);
    },
    ...(!dryRun && { finish }),
  });
}

/**
 * Separation of duties: nobody approves what gives access to themselves, as nobody reviews a grant of their own, nor what changes who
 * they are at their provider: only so can somebody else's record take their sign-in.
 */
async function requireUninvolved({ sql, caller }: Context, { gains }: CountedEffect): Promise<void> {
  // without authentication there is no other person
  if (caller.kind === 'anonymous' || !isGuid(caller.sub)) return;
  // a grant may open something only later, or for longer
  const [person] = await sql.rows<{ id: number; isGivenMore: boolean; isAnother: boolean }>(
    `select user_id as id, user_id in (${givenMore}) as "isGivenMore", exists (
       select from audit_events where change_set_id = ${ownChangeSet} and subject_type = 'User' and subject_id = $1::uuid::text
         and ${fieldsChanged(identifyingFields)}) as "isAnother"
     from users where user_guid = $1::uuid`,
    [caller.sub],
  );
  if (person?.isAnother)
    throw ownDecision('The changes make you another person at sign-in: another person approves them.');
  if (person && (person.isGivenMore || gains.groups.some(({ userIds }) => userIds.includes(person.id))))
    throw ownDecision('The changes give access to you: another person approves them.');
}

export const isOtherEffect = (error: unknown): boolean => error instanceof OtherEffect;

/** Throws BAD_USER_INPUT without a reason, FORBIDDEN without the permission that the changes need, and CONFLICT. */
export async function rejectProposal(context: Context, guid: string, ifRevision: number, note: string): Promise<void> {
  permit(context, 'admin:read');
  requireProposalNote(note, true);
  const proposal = await getProposal(context, guid);
  if (proposal.proposedBy === actorOf(context)) throw ownDecision('Withdraw your own proposal instead.');
  await requireDecider(context, proposal);
  requireOpen(proposal, ifRevision);
  await decide(context, guid, { state: 'REJECTED', from: ['OPEN'], note, ifRevision });
}

/**
 * The author withdraws a proposal; a person who may approve it can also withdraw it while it is scheduled. For a caller without
 * admin:read, only the caller's own requests exist.
 */
export async function withdrawProposal(context: Context, guid: string): Promise<void> {
  const mayRead = hasPermission(context.caller, 'admin:read');
  if (context.caller.kind === 'anonymous') permit(context, 'admin:read');
  const proposal = await getProposal(context, guid);
  const isOwn = proposal.proposedBy === actorOf(context);
  if (!mayRead && !(isOwn && proposal.requestedApplicationGuid)) throw notFound('The proposal');
  if (!isOwn && proposal.state === 'SCHEDULED') await requireDecider(context, proposal);
  else if (!isOwn) throw ownDecision('Only its author withdraws an open proposal; others reject it.');
  const from: ProposalState[] = isOwn ? ['OPEN', 'SCHEDULED'] : ['SCHEDULED'];
  if (!from.includes(proposal.state)) throw decided(proposal.state);
  await decide(context, guid, { state: 'WITHDRAWN', from });
}

interface Decision {
  state: ProposalState;
  /** The states in which it is possible. */
  from: readonly ProposalState[];
  note?: string | null;
  ifRevision?: number;
  /** The permission with which it was approved. */
  approvedWith?: Permission;
  /** Whether the approver has the right by a profile or as an owner. */
  approverHasRight?: boolean;
  applyAt?: string;
}

/** Stores a decision; that of an approval in the transaction that applies the changes. Throws CONFLICT. */
async function decide(
  context: Context,
  guid: string,
  { state, from, note = null, ifRevision, approvedWith, approverHasRight, applyAt }: Decision,
): Promise<void> {
  const rows = await context.sql.rows(
    `update proposals p set state = $2::text, decided_by = $3::uuid, decided_at = now(), decision_note = $4,
       approved_with = coalesce($7, approved_with), apply_at = coalesce($8::timestamptz, apply_at),
       approver_has_right = coalesce($9::boolean, approver_has_right),
       change_set_guid = case when $2::text = 'APPLIED' then ${madeChangeSetGuid} end
     where proposal_guid = $1::uuid and ${stateColumn('p')} = any($5::text[]) and ($6::int is null or revision = $6) returning 1`,
    [
      guid,
      state,
      actorOf(context),
      note,
      from,
      ifRevision ?? null,
      approvedWith ?? null,
      applyAt ?? null,
      approverHasRight ?? null,
    ],
  );
  if (rows.length > 0) return;
  const proposal = await getProposal(context, guid);
  throw from.includes(proposal.state) ? moved() : decided(proposal.state);
}

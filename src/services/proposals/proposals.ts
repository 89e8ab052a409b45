/** Proposes changes, and approves, rejects and withdraws proposals. Nobody approves their own, and each is applied at most once. */
import { hasPermission, type Permission } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { Proposal } from '../../entities/Proposal.js';
import { isGuid } from '../../entities/valueForms.js';
import { badInput, conflict, GatehouseError, notFound, type Problems, tooLarge } from '../../errors.js';
import { type Sql, timeText } from '../../sql.js';
import { applyChanges, type PlanOf } from '../changes/applyChanges.js';
import { countsOf } from '../changes/effectLists.js';
import type { CountedEffect } from '../changes/outcomes.js';
import { titleOf } from '../changes/title.js';
import { fullName } from '../fullName.js';
import { lasts } from '../grants.js';
import { actorOf, permit, requireFreshSignIn } from '../permit.js';
import { madeChangeSetGuid } from '../records/change.js';
import { findProblem } from '../records/input.js';
import {
  type Fingerprint,
  fingerprintOf,
  forgetTrial,
  judge,
  noteEffect,
  problemsOf,
  type StoredSubject,
} from './judge.js';
import { findOwned, hasRight, subjectsOf } from './owners.js';
import { ownSet, readSince } from './since.js';
import { isSameSubject, readNamed, textsIn } from './subject.js';

export type ProposalState = 'OPEN' | 'SCHEDULED' | 'APPLIED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | 'FAILED';

/** Maximum size of the changes of a proposal, as JSON. */
export const proposalBytesMax = 1_000_000;
/** Maximum number of proposals of one person that are open or scheduled, or were refused in the last hour. */
export const openProposalsMax = 100;
/** Maximum number of requests for access among them. */
export const openRequestsMax = 20;
/** Maximum number of requests of one person in 24 hours, with withdrawn ones. */
const dailyRequestsMax = 100;
const applyDaysMax = 366;

/** SQL: the state of a proposal now. The schedule writes EXPIRED a little later. */
export const stateColumn = (alias: string): string =>
  `case when ${alias}.state = 'OPEN' and ${alias}.expires_at <= now() then 'EXPIRED' else ${alias}.state end`;

/** SQL: whether nobody has decided yet, or it waits for its time. */
export const isPending = (alias: string): string => `${stateColumn(alias)} in ('OPEN', 'SCHEDULED')`;

export interface StoredProposal {
  proposalGuid: string;
  requestedApplicationGuid: string | null;
  requestedUntil: string | null;
  revision: number;
  state: ProposalState;
  proposedBy: string;
  proposedAt: string;
  note: string;
  changes: object[];
  permission: Permission;
  applyAt: string | null;
  isDue: boolean;
  approvedWith: Permission | null;
  decidedBy: string | null;
  decidedAt: string | null;
  effectHash: Buffer;
  /** Null for a proposal of the version before. */
  subject: StoredSubject | null;
  approverHasRight: boolean | null;
}

const storedStatement = `select proposal_guid::text as "proposalGuid", revision, ${stateColumn('p')} as state,
    proposed_by::text as "proposedBy", ${timeText('proposed_at')} as "proposedAt", note, changes, permission,
    ${timeText('apply_at')} as "applyAt", coalesce(apply_at <= now(), true) as "isDue",
    requested_application_guid::text as "requestedApplicationGuid", ${timeText('requested_until')} as "requestedUntil",
    approved_with as "approvedWith", decided_by::text as "decidedBy", ${timeText('decided_at')} as "decidedAt", effect_hash as "effectHash",
    subject, approver_has_right as "approverHasRight"
  from proposals p where proposal_guid = $1::uuid`;

/** Throws NOT_FOUND. @param lock until the transaction ends, nobody else decides */
export async function getProposal({ sql }: Pick<Context, 'sql'>, guid: string, lock = false): Promise<StoredProposal> {
  const [row] = await sql.rows<StoredProposal>(`${storedStatement}${lock ? ' for update' : ''}`, [guid]);
  if (!row) throw notFound('The proposal');
  return row;
}

interface Wishes {
  note: string;
  applyAt?: string | null | undefined;
}

/** A request for access, by a person who needs no permission for it. */
interface RequestedAccess {
  title: string;
  applicationGuid: string;
  until: string | null;
}

/** Stores the changes after a trial, whose problems are thrown; returns the guid. Also throws BAD_USER_INPUT, TOO_LARGE and CONFLICT. */
export async function proposeChanges(
  context: Context,
  changes: readonly object[],
  planOf: PlanOf,
  wishes: Wishes,
): Promise<string> {
  permit(context, 'admin:read');
  return storeProposal(context, changes, planOf, wishes);
}

/** The same without a permission, for a request for access. */
export async function storeProposal(
  context: Context,
  changes: readonly object[],
  planOf: PlanOf,
  { note, applyAt = null }: Wishes,
  request?: RequestedAccess,
): Promise<string> {
  const problems: Problems = { ...noteProblems(note, true) };
  if (changes.length === 0) problems.changes = ['At least one change is needed.'];
  if (Object.keys(problems).length > 0) throw badInput(problems);
  await requireTime(context, applyAt);
  const text = JSON.stringify(changes);
  if (Buffer.byteLength(text) > proposalBytesMax)
    throw tooLarge(`The changes of a proposal have at most ${proposalBytesMax} bytes.`);
  const hasRoom = (inside: Sql) => requireRoom(inside, actorOf(context), request?.applicationGuid);
  await context.sql.transaction(hasRoom);
  const { permission, hash, counts, subjects, subject } = await tryOut(context, text, planOf).catch(
    noteRefusal(context),
  );
  const title = request?.title ?? (await titleOf(context, changes));
  return context.sql.transaction(async (inside) => {
    await hasRoom(inside);
    const [inserted] = await inside.rows<{ guid: string }>(
      `insert into proposals (title, proposed_by, note, changes, permission, apply_at, expires_at, effect_hash, proposed_counts,
         subjects, requested_application_guid, requested_until, subject)
       values ($1, $2, $3, $4::jsonb, $5, $6::timestamptz, now() + make_interval(days => $7), $8, $9::jsonb, $10::jsonb,
         $11::uuid, $12::timestamptz, $13::jsonb)
       returning proposal_guid::text as guid`,
      [
        title,
        actorOf(context),
        note,
        text,
        permission,
        applyAt,
        context.config.proposalDays,
        hash,
        counts,
        subjects,
        request?.applicationGuid ?? null,
        request?.until ?? null,
        subject,
      ],
    );
    return inserted!.guid;
  });
}

/** Tries the changes, which are JSON, and returns what a proposal stores of the trial. Throws their problems. */
async function tryOut(context: Context, text: string, planOf: PlanOf) {
  const { error, effect, fingerprint, permission } = await judge(context, planOf(JSON.parse(text)));
  if (error) throw error;
  const counts = { gains: countsOf(effect!.gains), loses: countsOf(effect!.loses), opened: fingerprint!.opened };
  const subjects = subjectsOf(JSON.parse(text));
  return {
    permission,
    hash: fingerprint!.hash,
    subject: JSON.stringify({ ...fingerprint!.subject, first: fingerprint!.subject.issuers }),
    counts: JSON.stringify(counts),
    subjects: subjects && JSON.stringify(subjects),
  };
}

/** A trial makes others wait, also one that ends in a refusal: it counts for an hour. */
const noteRefusal =
  (context: Context) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof GatehouseError && error.status < 500)
      await context.sql.rows(
        "insert into refused_proposals (proposed_by, ends_at) values ($1::uuid, now() + interval '1 hour')",
        [actorOf(context)],
      );
    throw error;
  };

/**
 * Replaces the changes of an open proposal. The caller must be permitted to decide about the old changes or the new ones. Throws
 * their problems, FORBIDDEN and CONFLICT.
 */
export async function replaceChanges(
  context: Context,
  guid: string,
  ifRevision: number,
  changes: readonly object[],
  planOf: PlanOf,
): Promise<void> {
  const before = await getProposal(context, guid);
  if (before.proposedBy === actorOf(context)) throw ownDecision('Nobody decides about their own request.');
  requireOpen(before, ifRevision);
  const mayDecide = await isDecider(context, before);
  const text = JSON.stringify(changes);
  const { permission, hash, counts, subjects, subject } = await tryOut(context, text, planOf);
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
  forgetTrial(guid);
}

/**
 * Throws CONFLICT for a person with too many open proposals or requests, and for a request that is open already. Proposals of one
 * person are made one after the other.
 * @param requested guid of the application that the person asks for
 */
export async function requireRoom({ rows }: Sql, person: string, requested?: string): Promise<void> {
  await rows("select pg_advisory_xact_lock(hashtext('gatehouse proposals'), hashtext($1))", [person]);
  const [counts] = await rows<{
    proposals: number;
    requests: number;
    daily: number;
    refused: number;
    isRepeated: boolean;
  }>(
    `select count(*) filter (where is_pending)::int as proposals,
       (select count(*)::int from refused_proposals where proposed_by = $1::uuid and ends_at > now()) as refused,
       count(*) filter (where is_pending and requested_application_guid is not null)::int as requests,
       count(*) filter (where requested_application_guid is not null and proposed_at > now() - interval '1 day')::int as daily,
       coalesce(bool_or(is_pending and requested_application_guid = $2::uuid), false) as "isRepeated"
     from (select ${isPending('p')} as is_pending, proposed_at, requested_application_guid from proposals p
       where proposed_by = $1::uuid) own`,
    [person, requested ?? null],
  );
  const { proposals, requests, daily, refused, isRepeated } = counts!;
  if (isRepeated) throw conflict('You have requested access to this application already: the request is open.');
  if (requested && requests >= openRequestsMax)
    throw conflict(`You have ${openRequestsMax} open requests: withdraw one first.`);
  if (requested && daily >= dailyRequestsMax)
    throw conflict(`You have made ${dailyRequestsMax} requests in 24 hours: try tomorrow.`);
  if (proposals >= openProposalsMax)
    throw conflict(`You have ${openProposalsMax} proposals that are open or scheduled: withdraw one first.`);
  if (proposals + refused >= openProposalsMax)
    throw conflict(`${refused} of your proposals were refused in the last hour: try again later.`);
}

function noteProblems(note: string | null | undefined, isRequired: boolean, name = 'note'): Problems {
  if (isRequired && !note?.trim()) return { [name]: [`The ${name} must say why.`] };
  const problem = note ? findProblem(Proposal, 'note', note) : undefined;
  return problem ? { [name]: [`The ${name} ${problem}.`] } : {};
}

export function requireNote(note: string | null | undefined, isRequired: boolean, name = 'note'): void {
  const problems = noteProblems(note, isRequired, name);
  if (Object.keys(problems).length > 0) throw badInput(problems);
}

/** Throws BAD_USER_INPUT for a time that has passed, by the database's clock, or that is too far away. */
export async function requireTime({ sql }: Context, time: string | null | undefined, name = 'applyAt'): Promise<void> {
  if (!time) return;
  const [row] = await sql.rows<{ isOver: boolean; isFar: boolean }>(
    `select $1::timestamptz <= now() as "isOver", $1::timestamptz > now() + interval '${applyDaysMax} days' as "isFar"`,
    [time],
  );
  if (row!.isOver) throw badInput({ [name]: ['The time has passed.'] });
  if (row!.isFar) throw badInput({ [name]: [`The time is more than ${applyDaysMax} days away.`] });
}

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
  planOf: PlanOf,
  { note = null, applyAt, dryRun }: Approval,
): Promise<void> {
  permit(context, 'admin:read');
  requireNote(note, false);
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
    await applyProposal({ ...decider, isApproved: true }, proposal, planOf, {
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
  planOf: PlanOf,
  { dryRun, begin, finish }: Application,
): Promise<void> {
  const { effectHash, subject } = proposal;
  const plan = planOf(proposal.changes);
  let named: Awaited<ReturnType<typeof readNamed>>;
  await applyChanges(context, plan, {
    dryRun,
    note: proposal.note,
    details: { events: false, effect: true },
    begin: async (inside) => {
      await begin(inside);
      named = await readNamed(inside, plan);
    },
    finish: async (inside, { effect }) => {
      const fingerprint = await fingerprintOf(inside, effect!, named);
      const isSame = fingerprint.hash.equals(effectHash) && (!subject || isSameSubject(subject, fingerprint.subject));
      if (!isSame) throw new OtherEffect(fingerprint);
      await requireUninvolved(inside, effect!);
      if (!dryRun) await finish(inside);
    },
  });
}

/** SQL: the first version that the own change set wrote of the grant `link`. @param keys columns that say which grant it is */
const firstOf = (table: string, keys: readonly string[]): string => `(
    select before from record_versions where change_set_id = ${ownSet} and record_table = '${table}'
      and ${keys.map((key) => `coalesce(before, after)->>'${key}' = link.${key}::text`).join(' and ')}
    order by record_version_id limit 1) first`;
const endsLater = `coalesce(link.valid_until, 'infinity') > coalesce((first.before->>'valid_until')::timestamptz, 'infinity')`;

/** SQL: whether the user `u` has a grant that is new or ends later, or holds a profile of which an access scope ends later. */
const isGivenMore = `(exists (
    select from user_profiles link cross join lateral ${firstOf('user_profiles', ['user_id', 'profile_id', 'role_id'])}
    where link.user_id = u.user_id and (first.before is null or ${endsLater}))
  or exists (
    select from user_profiles held join profile_access_scopes link using (profile_id)
    cross join lateral ${firstOf('profile_access_scopes', ['profile_id', 'access_scope_id'])}
    where held.user_id = u.user_id and ${lasts('held')} and first.before is not null and ${endsLater}))`;

/** Separation of duties: nobody approves what gives access to themselves, as nobody reviews a grant of their own. */
async function requireUninvolved({ sql, caller }: Context, { gains }: CountedEffect): Promise<void> {
  // without authentication there is no other person
  if (caller.kind === 'anonymous' || !isGuid(caller.sub)) return;
  // a grant may open something only later, or for longer
  const [person] = await sql.rows<{ id: number; isGivenMore: boolean }>(
    `select user_id as id, ${isGivenMore} as "isGivenMore" from users u where user_guid = $1::uuid`,
    [caller.sub],
  );
  if (person && (person.isGivenMore || gains.groups.some(({ userIds }) => userIds.includes(person.id))))
    throw ownDecision('The changes give access to you: another person approves them.');
}

export const isOtherEffect = (error: unknown): boolean => error instanceof OtherEffect;

/** Throws BAD_USER_INPUT without a reason, FORBIDDEN without the permission that the changes need, and CONFLICT. */
export async function rejectProposal(context: Context, guid: string, ifRevision: number, note: string): Promise<void> {
  permit(context, 'admin:read');
  requireNote(note, true);
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

/**
 * Stores that a scheduled proposal could not be applied. Without an error, the effect or who and what it is about is no longer what
 * was approved: the changes since are named.
 */
export async function noteFailure(
  context: Context,
  guid: string,
  planOf: PlanOf,
  error: GatehouseError | undefined,
): Promise<void> {
  const { sql } = context;
  const problems = error ? problemsOf(error) : { $: await otherEffectTexts(context, guid, planOf) };
  await sql.rows(
    `update proposals set state = 'FAILED', failure = $2::jsonb where proposal_guid = $1::uuid and state = 'SCHEDULED'`,
    [guid, JSON.stringify(problems)],
  );
}

async function otherEffectTexts(context: Context, guid: string, planOf: PlanOf): Promise<string[]> {
  const { changes, decidedAt, proposedAt } = await getProposal(context, guid);
  const since = await readSince(context, decidedAt ?? proposedAt, textsIn(planOf(changes)));
  const authors = await readAuthors(context, since);
  return [
    'The effect, or who or what it is about, is no longer what was approved: propose it again.',
    ...since.map(({ text, names, by, at }) => {
      const which = names.length > 0 ? ` ${names.join(', ')}.` : '';
      return `${text}${which} By ${authors.get(by) ?? by}, ${at}.`;
    }),
  ];
}

/** Names of users and connectors by their guids. */
async function readAuthors({ sql }: Context, since: readonly { by: string }[]): Promise<Map<string, string>> {
  const rows = await sql.rows<{ guid: string; name: string }>(
    `select user_guid::text as guid, coalesce(${fullName()}, email) as name from users
     where user_guid = any($1::uuid[]) and coalesce(${fullName()}, email) is not null
     union all select connector_guid::text, 'the connector ' || connector_id from connectors where connector_guid = any($1::uuid[])`,
    [since.map(({ by }) => by)],
  );
  return new Map(rows.map(({ guid, name }) => [guid, name]));
}

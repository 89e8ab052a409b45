/** Makes the events of causes: what history says a change set did, and sessions, proposals, reviews and keys. */
import { hash } from 'node:crypto';
import { describe, describedRecords } from '../../entities/description.js';
import type { Sql } from '../../sql.js';
import {
  applicationsOf,
  changedRoles,
  changedScopes,
  changeSets,
  concerned,
  contents,
  endedGrants,
  lostPeople,
} from './setsInHistory.js';

/** A row of event_causes. */
export interface Cause {
  kind: string;
  transaction_id: string;
  event_cause_id: string;
  occurred_at: string;
  change_set_id: string | null;
  subject_id: string | null;
  user_guid: string | null;
  profile_id: string | null;
  reason: string | null;
  trace_id: string | null;
  detail: Record<string, unknown> | null;
}

/** A row of published_events. */
export interface EventDraft {
  event_guid: string;
  type: string;
  occurred_at: string;
  user_guid: string | null;
  profile_id: string | null;
  session_guid: string | null;
  data: object;
  trace_id: string | null;
  /** Null: it may concern any. */
  profile_ids: string[] | null;
  application_guids: string[] | null;
}

interface ChangeSetRow {
  change_set_id: string;
  change_set_guid: string;
  occurred_at: string;
  actor: string;
  face: string;
  trace_id: string | null;
}

/** A guid that is the same whenever the event of this cause is made. */
function guidOf(...cause: (string | null)[]): string {
  const hex = hash('sha256', JSON.stringify(['event', ...cause]), 'hex');
  // RFC 9562 §5.8
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Who initiated it (CAEP 1.0 §2), and why, for administrators: never empty, and without names. */
const because = (initiator: 'admin' | 'user' | 'policy' | 'system', reason: string): object => ({
  initiating_entity: initiator,
  reason_admin: { en: reason },
});

function endOfSession(reason: string | null): object {
  const [by] = (reason ?? '').split(' ', 1);
  if (by === 'holder') return because('user', 'The session was revoked by the holder of its token.');
  if (by === 'client') return because('user', 'The session was revoked by its client.');
  if (by === 'provider') return because('user', 'The person signed out at the identity provider.');
  if (by === 'reuse') return because('policy', 'A used renewal token was presented again.');
  return because('admin', 'An administrator ended the session.');
}

interface Wishes {
  /** Types that some stream wants. */
  types: ReadonlySet<string>;
  /** Whether a stream wants only what concerns some profiles or applications. */
  isLimited: boolean;
}

/** The events of the causes, in their order. */
export async function makeEvents(sql: Sql, causes: readonly Cause[], wishes: Wishes): Promise<EventDraft[]> {
  const ids = causes.flatMap(({ change_set_id }) => change_set_id ?? []);
  // a set is complete, and has its time, after its cause
  const [since] = causes.map(({ occurred_at }) => occurred_at).toSorted();
  if (since === undefined) return [];
  const ofSets = ids.length > 0 ? await eventsOfChangeSets(sql, ids, since, wishes) : new Map<string, EventDraft[]>();
  const covered = coveredBy(causes, ofSets);
  const drafts = causes.flatMap((cause) =>
    cause.change_set_id === null ? (covered(cause) ? [] : eventsOf(cause)) : (ofSets.get(cause.change_set_id) ?? []),
  );
  const wanted = drafts.filter(({ type }) => wishes.types.has(type));
  if (wishes.isLimited) await addApplications(sql, wanted, since);
  return wanted;
}

/** Whether events of the same transaction say already that the person lost the profile of the session. */
function coveredBy(causes: readonly Cause[], ofSets: ReadonlyMap<string, EventDraft[]>) {
  const lost = new Set<string>();
  for (const { transaction_id, change_set_id } of causes)
    for (const { type, user_guid, profile_id } of (change_set_id && ofSets.get(change_set_id)) || [])
      if (type === 'session-revoked') lost.add(`${transaction_id} ${user_guid} ${profile_id ?? ''}`);
  return ({ transaction_id, user_guid, profile_id }: Cause): boolean =>
    lost.has(`${transaction_id} ${user_guid} ${profile_id}`) || lost.has(`${transaction_id} ${user_guid} `);
}

const nothingElse = {
  user_guid: null,
  profile_id: null,
  session_guid: null,
  profile_ids: null,
  application_guids: null,
};

const subjects: Record<string, string> = {
  'proposal.created': 'proposalGuid',
  'proposal.decided': 'proposalGuid',
  'review.started': 'reviewGuid',
  'review.finished': 'reviewGuid',
  'key.rotated': 'kid',
};

function eventsOf(cause: Cause): EventDraft[] {
  const { kind, subject_id, user_guid, profile_id, occurred_at, trace_id, detail, reason } = cause;
  // a proposal is approved for later, and then applied
  const state = typeof detail?.state === 'string' ? detail.state : null;
  const base = { ...nothingElse, occurred_at, trace_id, event_guid: guidOf(kind, subject_id, state) };
  if (kind === 'session')
    return [
      {
        ...base,
        type: 'session-revoked',
        user_guid,
        profile_id,
        session_guid: subject_id,
        data: endOfSession(reason),
        profile_ids: [profile_id!],
      },
    ];
  const named = subjects[kind];
  const data = { ...(named && { [named]: subject_id }), ...detail };
  // without a profile it concerns no particular application either
  const limits = profile_id === null ? { profile_ids: [], application_guids: [] } : { profile_ids: [profile_id] };
  return [{ ...base, type: kind, data, ...limits }];
}

const recordNames = new Map<string, string>();
function nameOf(table: string): string {
  if (recordNames.size === 0)
    for (const record of describedRecords()) recordNames.set(describe(record).table, record.name);
  return recordNames.get(table) ?? table;
}

async function eventsOfChangeSets(
  sql: Sql,
  ids: string[],
  since: string,
  { types, isLimited }: Wishes,
): Promise<Map<string, EventDraft[]>> {
  const sets = await sql.rows<ChangeSetRow>(changeSets, [ids]);
  const drafts = new Map<string, EventDraft[]>(sets.map(({ change_set_id }) => [change_set_id, []]));
  const byId = new Map(sets.map((set) => [set.change_set_id, set]));
  const add: Add = (id, type, draft) => {
    const { change_set_guid, occurred_at, trace_id } = byId.get(id)!;
    const guid = guidOf(change_set_guid, type, draft.user_guid ?? null, draft.profile_id ?? null);
    drafts.get(id)!.push({ ...nothingElse, event_guid: guid, type, occurred_at, trace_id, ...draft });
  };
  if (types.has('session-revoked') || types.has('token-claims-change'))
    await addTokenEvents(sql, ids, since, byId, add);
  if (types.has('change_set.applied')) await addAppliedSets(sql, since, sets, isLimited, add);
  if (types.has('grant.ended'))
    for (const { change_set_id, profile_id, assignments, access_scopes } of await sql.rows<{
      change_set_id: string;
      profile_id: string;
      assignments: number;
      access_scopes: number;
    }>(endedGrants, [ids])) {
      const { change_set_guid: changeSetGuid } = byId.get(change_set_id)!;
      const data = { changeSetGuid, profileId: profile_id, assignments, accessScopes: access_scopes };
      add(change_set_id, 'grant.ended', { profile_id, profile_ids: [profile_id], data });
    }
  return drafts;
}

type Add = (id: string, type: string, draft: Partial<EventDraft> & Pick<EventDraft, 'data'>) => void;

async function addTokenEvents(
  sql: Sql,
  ids: string[],
  since: string,
  byId: ReadonlyMap<string, ChangeSetRow>,
  add: Add,
): Promise<void> {
  const who = (id: string) => (byId.get(id)!.face === 'schedule' ? 'policy' : 'admin');
  const people = await sql.rows<{
    change_set_id: string;
    user_guid: string;
    is_removed: boolean;
    profile_ids: string[];
  }>(lostPeople, [ids]);
  for (const { change_set_id: id, user_guid, is_removed, profile_ids } of people)
    add(id, 'session-revoked', {
      user_guid,
      profile_ids,
      data: because(who(id), is_removed ? 'The person was removed.' : 'The person was blocked.'),
    });
  const roles = await sql.rows<{
    change_set_id: string;
    user_guid: string | null;
    profile_id: string;
    role_id: string | null;
  }>(changedRoles, [ids]);
  for (const { change_set_id: id, user_guid, profile_id, role_id } of roles) {
    const subject = { user_guid, profile_id, profile_ids: [profile_id] };
    if (role_id === null)
      add(id, 'session-revoked', { ...subject, data: because(who(id), 'The person no longer holds the profile.') });
    else {
      const reason = because(who(id), 'The role of the person in the profile has changed.');
      add(id, 'token-claims-change', { ...subject, data: { ...reason, claims: { roleId: role_id } } });
    }
  }
  const scopes = await sql.rows<{ change_set_id: string; profile_id: string; scopes: string[] }>(changedScopes, [
    ids,
    since,
  ]);
  for (const { change_set_id: id, profile_id, scopes: held } of scopes)
    add(id, 'token-claims-change', {
      profile_id,
      profile_ids: [profile_id],
      data: { ...because(who(id), 'The scopes of the profile have changed.'), claims: { scopes: held.sort() } },
    });
}

interface Concerned {
  change_set_id: string;
  profile_ids: string[] | null;
  application_guids: string[] | null;
}

async function addAppliedSets(
  sql: Sql,
  since: string,
  sets: readonly ChangeSetRow[],
  isLimited: boolean,
  add: Add,
): Promise<void> {
  const ids = sets.map(({ change_set_id }) => change_set_id);
  const rows = await sql.rows<{ change_set_id: string; record_table: string; count: number }>(contents, [ids]);
  const rowsOf = Map.groupBy(rows, ({ change_set_id }) => change_set_id);
  const concerns = new Map(
    (isLimited ? await sql.rows<Concerned>(concerned, [ids, since]) : []).map((row) => [row.change_set_id, row]),
  );
  for (const { change_set_id: id, change_set_guid: changeSetGuid, actor, face, occurred_at } of sets) {
    const own = rowsOf.get(id) ?? [];
    const records = Object.fromEntries(own.map(({ record_table, count }) => [nameOf(record_table), count]));
    add(id, 'change_set.applied', {
      data: { changeSetGuid, actor, face, occurredAt: occurred_at, records },
      profile_ids: concerns.get(id)?.profile_ids ?? null,
      application_guids: concerns.get(id)?.application_guids ?? null,
    });
  }
}

async function addApplications(sql: Sql, drafts: readonly EventDraft[], since: string): Promise<void> {
  const ofProfiles = drafts.filter(
    ({ type, profile_ids, application_guids }) => profile_ids && !application_guids && type !== 'change_set.applied',
  );
  const profileIds = [...new Set(ofProfiles.flatMap(({ profile_ids }) => profile_ids!))];
  if (profileIds.length === 0) return;
  const rows = await sql.rows<{ profile_id: string; guids: string[] }>(applicationsOf, [profileIds, since]);
  const guidsOf = new Map(rows.map(({ profile_id, guids }) => [profile_id, guids]));
  for (const draft of ofProfiles)
    draft.application_guids = [...new Set(draft.profile_ids!.flatMap((id) => guidsOf.get(id) ?? []))];
}

/**
 * Computes the access that a change set gives and removes. The SQL that decides what is opened and issued runs on the tables
 * before and after the change, for the profiles, applications and users that the set touches.
 */
import type { Context } from '../../context.js';
import { Application } from '../../entities/Application.js';
import { versionStatement } from '../../entities/catalogueVersion.js';
import { describe, fieldsFor, type RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { User } from '../../entities/User.js';
import { lasts } from '../grants.js';
import { inState, narrowed, type State } from '../history/state.js';
import { readByKeys } from '../read/readPages.js';
import type { Row } from '../read/select.js';
import { wholeWithUsers } from './describeChangeSet.js';
import {
  type AccessDelta,
  diffApplications,
  diffHoldings,
  diffScopes,
  type Moment,
  type Passing,
  readTouched,
} from './effectDiff.js';
import type { CountedEffect } from './outcomes.js';

/** An effect, and how to count it again after its transaction. */
export interface Effect extends CountedEffect {
  /** Identifies a stored effect, for later requests. */
  effectId?: string;
  /** The catalogue version at which it was computed. */
  version: string;
  /** The changes of a dry run, as JSON; absent if another process cannot count their effect. */
  changes?: readonly object[];
  /** Computes the effect again, on the current catalogue. */
  countAgain(context: Context): Promise<Effect | undefined>;
}

/** SQL: who holds a profile of $1, and the pairs of $2 and $3. */
const concerned = `select link.user_id, link.profile_id from user_profiles link join users u on u.user_id = link.user_id
    where link.profile_id = any($1::text[]) and not u.is_blocked and ${lasts('link')}
  union select * from unnest($2::int[], $3::text[])`;

/**
 * Sessions that existed when the change began, because the change itself may have ended them; compared with the times of its
 * audit events and its commit. For the current transaction, all visible sessions.
 */
const holdersStatement = (state: State, isUnderWay: boolean): string => `
  with concerned as materialized (${inState(state, concerned)}),
    moment as (
      select coalesce((select min(occurred_at) from audit_events where change_set_id = $4::bigint), occurred_at) as began,
        ${isUnderWay ? "'infinity'::timestamptz" : 'occurred_at'} as made
      from change_sets where change_set_id = $4::bigint),
    open_sessions as (
      select concerned.profile_id, concerned.user_id, count(*)::int as sessions
      from concerned join users u using (user_id)
      join tokens t on t.user_id = u.user_guid and t.profile_id = concerned.profile_id
      cross join moment where t.started_at <= moment.made and t.expires_at > moment.began
        and (not t.is_revoked or t.revoked_at >= moment.began)
      group by concerned.profile_id, concerned.user_id)
  select (select count(distinct user_id)::int from concerned) as users,
    (select coalesce(sum(sessions), 0)::int from open_sessions) as sessions,
    (select coalesce(jsonb_object_agg(profile_id, holding), '{}')
     from (select profile_id, jsonb_agg(user_id) as holding from concerned group by profile_id) profile) as holders,
    (select coalesce(jsonb_object_agg(profile_id, holding), '{}')
     from (select profile_id, jsonb_object_agg(user_id, sessions) as holding from open_sessions group by profile_id) profile)
       as "openSessions"`;

async function readSide(
  context: Context,
  moment: Moment,
  state: State,
  differing: AccessDelta['differing'],
  passing: Passing,
): Promise<AccessDelta> {
  const { applications, scopes, holdings } = differing;
  const profileIds = [...new Set([...applications.profileIds, ...scopes.profileIds])];
  const all = new Set([...profileIds, ...holdings.profileIds]);
  const pairs = Object.entries(holdings.of).flatMap(([profileId, users]) => users.map((user) => ({ profileId, user })));
  const [holding] =
    all.size === 0
      ? [{ users: 0, sessions: 0, holders: {}, openSessions: {} }]
      : await context.sql.rows<Pick<AccessDelta, 'users' | 'sessions' | 'holders' | 'openSessions'>>(
          holdersStatement(state, moment.after === 'present'),
          [profileIds, pairs.map(({ user }) => user), pairs.map(({ profileId }) => profileId), moment.changeSetId],
        );
  const counts = { applications: applications.count, scopes: scopes.count, profiles: all.size };
  return { ...counts, ...holding!, differing, passing };
}

/** Users, profiles and applications that this set created, or that this or a later set removed. */
async function readPassing(context: Context, { changeSetId }: Moment): Promise<Passing> {
  const passing: Passing = new Map();
  for (const record of [User, Profile, Application]) {
    const { table, primaryKey } = describe(record);
    const versions = await context.sql.rows<{ before: Record<string, unknown> | null; id: unknown }>(
      `select before, coalesce(before, after)->'${primaryKey.column}' as id from record_versions
       where record_table = $2 and (change_set_id = $1::bigint and before is null or change_set_id >= $1::bigint and after is null)`,
      [changeSetId, table],
    );
    const ids = versions.map(({ id }) => id);
    const isAny = ids.length > 0;
    const rows = isAny ? await readByKeys(context, wholeWithUsers(record), primaryKey.name, ids) : new Map();
    for (const { before, id } of versions) if (before && !rows.has(id)) rows.set(id, rowOf(record, before));
    passing.set(record, rows);
  }
  return passing;
}

function rowOf(record: RecordClass, columns: Record<string, unknown>): Row {
  return Object.fromEntries(
    fieldsFor(record, 'graph').map(({ name, column, type }) => {
      const value = columns[column] ?? null;
      return [name, type === 'dateTime' && value !== null ? new Date(value as string).toISOString() : value];
    }),
  );
}

/** Reads the effect of the current transaction. */
export async function readEffect(inside: Context): Promise<CountedEffect> {
  const [changeSet] = await inside.sql.rows<{ id: string }>('select current_change_set()::text as id');
  const changeSetId = changeSet!.id;
  const before = await narrowed(inside, { before: `later.change_set_id = ${BigInt(changeSetId)}` });
  return effectAt(inside, { changeSetId, before, after: 'present' });
}

/** Reads the effect of an earlier change set, without the changes made since. */
export async function readPastEffect(context: Context, changeSetId: string): Promise<Effect> {
  const id = BigInt(changeSetId);
  const since = (comparison: string) =>
    narrowed(context, {
      before: `(later.occurred_at, later.change_set_id) ${comparison}
        (select occurred_at, change_set_id from change_sets where change_set_id = ${id})`,
      at: `(select occurred_at from change_sets where change_set_id = ${id})`,
    });
  const [before, after] = [await since('>='), await since('>')];
  const [now] = await context.reads.rows<{ version: string }>(versionStatement);
  return {
    ...(await effectAt(context, { changeSetId, before, after })),
    version: now!.version,
    countAgain: (later) => readPastEffect(later, changeSetId),
  };
}

async function effectAt(context: Context, moment: Moment): Promise<CountedEffect> {
  const touched = await readTouched(context, moment);
  const applications = await diffApplications(context, moment, touched);
  const scopes = await diffScopes(context, moment, touched);
  const holdings = await diffHoldings(context, moment, touched);
  const isPast = moment.after !== 'present';
  const passing: Passing = touched.hasPassing || isPast ? await readPassing(context, moment) : new Map();
  const sideOf = (side: 'gains' | 'loses', state: State) => {
    const differing = { applications: applications[side], scopes: scopes[side], holdings: holdings[side] };
    return readSide(context, moment, state, differing, passing);
  };
  return { gains: await sideOf('gains', moment.after), loses: await sideOf('loses', moment.before) };
}

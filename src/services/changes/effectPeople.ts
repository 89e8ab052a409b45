/** The people and the sessions behind a side of an effect, and the records that its items name. */
import type { Context } from '../../context.js';
import { Application } from '../../entities/Application.js';
import { describe, fieldsFor, type RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { User } from '../../entities/User.js';
import { readByKeys } from '../graphReads/readPages.js';
import { inState, type State } from '../history/state.js';
import type { Row } from '../sql/select.js';
import type { DiffItem, Side } from './accessDiff.js';
import { wholeWithUsers } from './describeChangeSet.js';
import type { Moment } from './moment.js';

export interface AccessItem {
  profile: Row;
  application: Row | null;
  scope: string | null;
  user: Row | null;
  /** How many gain or lose it: those who hold the profile; 1, where the item names its user. */
  users: number;
  /** The first of them by name. */
  people: Row[];
}

/** Exact counts; users and sessions of those who hold a profile concerned, each once. */
export interface AccessDelta {
  applications: number;
  scopes: number;
  profiles: number;
  users: number;
  sessions: number;
  items: AccessItem[];
}

/** How much of the lists is asked for. */
export interface EffectSize {
  items: number;
  people: number;
}

type OneSide = Record<'applications' | 'scopes' | 'holdings', Side>;

/** SQL: who holds a profile of $1, and the pairs of $2 and $3. */
const concerned = `select link.user_id, link.profile_id from user_profiles link join users u on u.user_id = link.user_id
    where link.profile_id = any($1::text[]) and not u.is_blocked
  union select * from unnest($2::int[], $3::text[])`;

/**
 * Sessions that had begun when the change was made, and were there when it began, for it may itself have ended them: by the
 * database's clock, at its audit events and at its commit. Of a change under way all are, that can be seen.
 */
const countStatement = (state: State, isUnderWay: boolean): string => `
  with concerned as materialized (${inState(state, concerned)}),
    moment as (
      select coalesce((select min(occurred_at) from audit_events where change_set_id = $4::bigint), occurred_at) as began,
        ${isUnderWay ? "'infinity'::timestamptz" : 'occurred_at'} as made
      from change_sets where change_set_id = $4::bigint)
  select (select count(distinct user_id)::int from concerned) as users,
    (select count(*)::int from concerned join users u using (user_id)
     join tokens t on t.user_id = u.user_guid and t.profile_id = concerned.profile_id
     cross join moment where t.started_at <= moment.made and t.expires_at > moment.began
       and (not t.is_revoked or t.revoked_at >= moment.began)) as sessions`;

const holders = `select link.profile_id, link.user_id from user_profiles link join users u on u.user_id = link.user_id
  where link.profile_id = any($1::text[]) and not u.is_blocked`;

const holdersStatement = (state: State): string => `
  with holders as materialized (select distinct profile_id, user_id from (${inState(state, holders)}) holding)
  select profile_id as "profileId", count(*)::int as users,
    (select coalesce(array_agg(user_id), '{}') from (
      select user_id from holders h join users using (user_id) where h.profile_id = holders.profile_id
      order by last_name collate "C", first_name collate "C", user_id limit $2::int) first) as people
  from holders group by profile_id`;

export async function readPeople(
  context: Context,
  moment: Moment,
  state: State,
  { applications, scopes, holdings }: OneSide,
  size: EffectSize,
): Promise<AccessDelta> {
  const profileIds = [...new Set([...applications.profileIds, ...scopes.profileIds])];
  const all = new Set([...profileIds, ...holdings.profileIds]);
  const items = [...holdings.items, ...applications.items, ...scopes.items].slice(0, size.items);
  const counts = { users: 0, sessions: 0 };
  if (all.size > 0)
    Object.assign(
      counts,
      (
        await context.sql.rows(countStatement(state, moment.after === 'present'), [
          profileIds,
          holdings.userIds,
          holdings.items.map((item) => item.profileId),
          moment.changeSetId,
        ])
      )[0],
    );
  return {
    applications: applications.count,
    scopes: scopes.count,
    profiles: all.size,
    ...counts,
    items: items.length > 0 ? await complete(context, moment, state, items, size) : [],
  };
}

interface Holders {
  profileId: string;
  users: number;
  people: number[];
}

async function complete(context: Context, moment: Moment, state: State, items: DiffItem[], size: EffectSize) {
  const profileIds = [...new Set(items.map(({ profileId }) => profileId))];
  const found = await context.sql.rows<Holders>(holdersStatement(state), [profileIds, size.people]);
  const holding = new Map(found.map((each) => [each.profileId, each]));
  const userIds = [...found.flatMap(({ people }) => people), ...items.flatMap(({ userId }) => userId ?? [])];
  const profiles = await readRecords(context, moment, Profile, 'profileId', profileIds);
  const applications = await readRecords(
    context,
    moment,
    Application,
    'applicationId',
    items.flatMap(({ applicationId }) => applicationId ?? []),
  );
  const users = await readRecords(context, moment, User, 'userId', [...new Set(userIds)]);
  return items.map(({ profileId, applicationId, scope, userId }) => {
    const { users: count = 0, people = [] } = holding.get(profileId) ?? {};
    const user = userId === undefined ? null : (users.get(userId) ?? null);
    return {
      profile: profiles.get(profileId)!,
      application: applicationId === undefined ? null : applications.get(applicationId)!,
      scope: scope ?? null,
      user,
      users: userId === undefined ? count : 1,
      people:
        userId === undefined
          ? people.map((id) => users.get(id)).filter((person) => person !== undefined)
          : user
            ? [user]
            : [],
    };
  });
}

/** The records as they are, and those that the set removed as they were. */
async function readRecords(
  context: Context,
  { changeSetId }: Moment,
  record: RecordClass,
  field: string,
  keys: unknown[],
): Promise<Map<unknown, Row>> {
  if (keys.length === 0) return new Map();
  const found = await readByKeys(context, wholeWithUsers(record), field, keys);
  if (keys.every((key) => found.has(key))) return found;
  const gone = await context.sql.rows<{ before: Record<string, unknown> }>(
    `select before from record_versions where change_set_id >= $1::bigint and record_table = $2 and before is not null and after is null`,
    [changeSetId, describe(record).table],
  );
  for (const { before } of gone) {
    const row = rowOf(record, before);
    if (!found.has(row[field])) found.set(row[field], row);
  }
  return found;
}

function rowOf(record: RecordClass, columns: Record<string, unknown>): Row {
  return Object.fromEntries(
    fieldsFor(record, 'graph').map(({ name, column, type }) => {
      const value = columns[column] ?? null;
      return [name, type === 'dateTime' && value !== null ? new Date(value as string).toISOString() : value];
    }),
  );
}

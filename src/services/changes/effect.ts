/** Who gains and who loses what by a change set. */
import type { Context } from '../../context.js';
import { Application } from '../../entities/Application.js';
import { describe, fieldsFor, type RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { User } from '../../entities/User.js';
import { inState, narrowed, type State } from '../history/state.js';
import { openings } from '../portal/viewer.js';
import { readByKeys } from '../read/readPages.js';
import type { Row } from '../read/select.js';
import { heldEntries, heldRole } from '../tokens/claims.js';
import { wholeWithUsers } from './describeChangeSet.js';

/** When a change set is looked at. */

/** The change set, and the tables before and after it. */
interface Moment {
  changeSetId: string;
  before: State;
  after: State;
}

/** What a change set may change for whom: the profiles, applications and users whose access is worth comparing. */

interface Touched {
  /** Profiles and applications between which ways may have come or gone. */
  profileIds: string[];
  applicationIds: number[];
  /** Profiles whose scopes may be others. */
  scopedProfileIds: string[];
  /** Users, and profiles, between whom links may have come or gone. */
  userIds: number[];
}

/** SQL: a column of the records of a table that the set ($1) touched, as they were and as they are. */
const both = (table: string, column: string, type: string): string =>
  `select (record->>'${column}')::${type} from touched_records where record_table = '${table}'`;

const scopeMappings = 'access_scope_applications_mappers';
const typeMappings = 'access_scope_type_applications_mappers';

/** Scopes whose own parts of a way are touched: not by a profile's link, not by a mapping. */
const ownScopes = `${both('access_scopes', 'access_scope_id', 'int')} union
  select access_scope_id from access_scopes where access_scope_type_id = any(array(${both('access_scope_types', 'access_scope_type_id', 'int')}))`;
const appsTouched = both('applications', 'application_id', 'int');

const statement = `with versions as materialized (
    select record_table, before, after from record_versions where change_set_id = $1::bigint
  ), touched_records as materialized (
    select record_table, before as record from versions where before is not null
    union all select record_table, after from versions where after is not null
  )
  select
  array(select distinct profile_id from (
    ${both('profile_access_scopes', 'profile_id', 'text')} union
    select profile_id from profile_access_scopes where access_scope_id = any(array(
      ${ownScopes} union ${both(scopeMappings, 'access_scope_id', 'int')} union
      select access_scope_id from access_scopes where access_scope_type_id = any(array(
        ${both(typeMappings, 'access_scope_type_id', 'int')} union
        select access_scope_type_id from ${typeMappings} where application_id = any(array(${appsTouched})))) union
      select access_scope_id from ${scopeMappings} where application_id = any(array(${appsTouched}))
    ))) touched(profile_id) where profile_id is not null) as "profileIds",
  array(select distinct application_id from (
    ${appsTouched} union ${both(scopeMappings, 'application_id', 'int')} union ${both(typeMappings, 'application_id', 'int')} union
    select application_id from ${scopeMappings} where access_scope_id = any(array(
      ${ownScopes} union ${both('profile_access_scopes', 'access_scope_id', 'int')})) union
    select application_id from ${typeMappings} where access_scope_type_id = any(array(
      select access_scope_type_id from access_scopes where access_scope_id = any(array(
        ${ownScopes} union ${both('profile_access_scopes', 'access_scope_id', 'int')}))))
    union select application_id from ${typeMappings} where access_scope_type_id = any(array(${both('access_scopes', 'access_scope_type_id', 'int')}))
    ) touched(application_id) where application_id is not null) as "applicationIds",
  array(select distinct profile_id from (
    ${both('profile_access_scopes', 'profile_id', 'text')} union
    select profile_id from profile_access_scopes where access_scope_id = any(array(${ownScopes}))
    ) touched(profile_id) where profile_id is not null) as "scopedProfileIds",
  array(select distinct user_id from (
    ${both('user_profiles', 'user_id', 'int')} union ${both('users', 'user_id', 'int')}
    ) touched(user_id) where user_id is not null) as "userIds"`;

/** More than it must be: what is named here and did not change has no part in the effect. */
async function readTouched(context: Context, { changeSetId, after }: Moment): Promise<Touched> {
  const [touched] = await context.sql.rows<Touched>(inState(after, statement), [changeSetId]);
  return touched!;
}

/** What differs between the tables before and after a change set: in what is opened, issued and held. */

/** A profile, and the application, the entry of its scopes or the user that it has on one side alone. */
interface DiffItem {
  profileId: string;
  applicationId?: number;
  scope?: string;
  userId?: number;
}

interface Side {
  /** How many applications, entries or users there are, each once. */
  count: number;
  profileIds: string[];
  /** Of holdings alone: all of them. */
  userIds: number[];
  items: DiffItem[];
}
type Sides = Record<'gains' | 'loses', Side>;

const nothing = (): Sides => ({
  gains: { count: 0, profileIds: [], userIds: [], items: [] },
  loses: { count: 0, profileIds: [], userIds: [], items: [] },
});

/**
 * SQL: both sides of a relation of `profile_id` and `value`, each state of it read once.
 * @param of the relation in a state @param first SQL of the most items
 */
const diff = ({ before, after }: Moment, of: string, first: string): string => {
  const side = (condition: string) => `(
    select jsonb_build_object('count', count(distinct value),
      'profileIds', coalesce(jsonb_agg(distinct profile_id), '[]'),
      'items', (select coalesce(jsonb_agg(jsonb_build_array(profile_id, value)), '[]')
        from (select profile_id, value from differences where ${condition}
          order by value, profile_id collate "C" limit ${first}) listed))
    from differences where ${condition})`;
  return `with differences as materialized (
      select profile_id, value, bool_or(is_after) as is_gained from (
        select profile_id, value, true as is_after from (${inState(after, of)}) state_after
        union all select profile_id, value, false from (${inState(before, of)}) state_before) states
      group by profile_id, value having bool_and(is_after) or not bool_or(is_after))
    select ${side('is_gained')} as gains, ${side('not is_gained')} as loses`;
};

interface DeltaRow {
  count: number;
  profileIds: string[];
  items: [string, string | number][];
}

async function readSides(
  { sql }: Context,
  text: string,
  values: readonly unknown[],
  itemOf: (profileId: string, value: never) => DiffItem,
): Promise<Sides> {
  const [row] = await sql.rows<Record<'gains' | 'loses', DeltaRow>>(text, values);
  const side = ({ count, profileIds, items }: DeltaRow): Side => ({
    count,
    profileIds,
    userIds: [],
    items: items.map(([profileId, value]) => itemOf(profileId, value as never)),
  });
  return { gains: side(row!.gains), loses: side(row!.loses) };
}

const opened = `select opening.profile_id, opening.application_id as value
  from (${openings('has.profile_id = any($2::text[]) and m.application_id = any($3::int[])')}) opening
  join applications a on a.application_id = opening.application_id and a.is_active
  where a.application_id = any($3::int[])`;

function diffApplications(context: Context, moment: Moment, touched: Touched, first: number): Promise<Sides> {
  const { profileIds, applicationIds } = touched;
  if (profileIds.length === 0 || applicationIds.length === 0) return Promise.resolve(nothing());
  const values = [context.config.mappingActiveStates, profileIds, applicationIds, first];
  return readSides(context, diff(moment, opened, '$4::int'), values, (profileId, applicationId) => ({
    profileId,
    applicationId,
  }));
}

const issued = heldEntries('has.profile_id = any($1::text[])');

function diffScopes(context: Context, moment: Moment, { scopedProfileIds }: Touched, first: number): Promise<Sides> {
  if (scopedProfileIds.length === 0) return Promise.resolve(nothing());
  const text = diff(moment, issued, '$2::int');
  return readSides(context, text, [scopedProfileIds, first], (profileId, scope) => ({ profileId, scope }));
}

const held = `select link.profile_id, u.user_id as value from users u join user_profiles link on link.user_id = u.user_id
  where u.user_id = any($1::int[]) and link.user_id = any($1::int[]) and not u.is_blocked
    and ${heldRole('u.user_id', 'link.profile_id')} is not null`;

/** All of them are given: who gains and loses is counted by users. */
async function diffHoldings(context: Context, moment: Moment, { userIds }: Touched, _first: number): Promise<Sides> {
  if (userIds.length === 0) return nothing();
  const sides = await readSides(context, diff(moment, held, 'null'), [userIds], (profileId, userId) => ({
    profileId,
    userId,
  }));
  for (const side of [sides.gains, sides.loses]) side.userIds = side.items.map(({ userId }) => userId!);
  return sides;
}

/** The people and the sessions behind a side of an effect, and the records that its items name. */

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

async function readPeople(
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

/**
 * Who gains and who loses what by a change set: the same SQL that decides what is opened and issued, asked of the tables
 * before and after, for the profiles, applications and users that the set touches.
 */

export interface Effect {
  gains: AccessDelta;
  loses: AccessDelta;
}

/** Of the transaction under way. */
export async function readEffect(inside: Context, size: EffectSize): Promise<Effect> {
  const [made] = await inside.sql.rows<{ id: string }>('select current_change_set()::text as id');
  const changeSetId = made!.id;
  const before = await narrowed(inside, { before: `later.change_set_id = ${BigInt(changeSetId)}` });
  return effectAt(inside, { changeSetId, before, after: 'present' }, size);
}

/** Of a set that was made: the others since are not in it. */
export async function readPastEffect(context: Context, changeSetId: string, size: EffectSize): Promise<Effect> {
  const id = BigInt(changeSetId);
  const since = (comparison: string) =>
    narrowed(context, {
      before: `(later.occurred_at, later.change_set_id) ${comparison}
        (select occurred_at, change_set_id from change_sets where change_set_id = ${id})`,
    });
  const [before, after] = [await since('>='), await since('>')];
  return effectAt(context, { changeSetId, before, after }, size);
}

async function effectAt(context: Context, moment: Moment, size: EffectSize): Promise<Effect> {
  const touched = await readTouched(context, moment);
  const applications = await diffApplications(context, moment, touched, size.items);
  const scopes = await diffScopes(context, moment, touched, size.items);
  const holdings = await diffHoldings(context, moment, touched, size.items);
  const sides = { applications, scopes, holdings };
  return {
    gains: await readPeople(context, moment, moment.after, sideOf(sides, 'gains'), size),
    loses: await readPeople(context, moment, moment.before, sideOf(sides, 'loses'), size),
  };
}

const sideOf = (
  all: Record<'applications' | 'scopes' | 'holdings', Sides>,
  side: 'gains' | 'loses',
): Record<'applications' | 'scopes' | 'holdings', Side> => ({
  applications: all.applications[side],
  scopes: all.scopes[side],
  holdings: all.holdings[side],
});

/** Finds the records that a change set may have touched, and compares opened applications, issued scopes and held profiles before and after. */
import type { Context } from '../../context.js';
import type { RecordClass } from '../../entities/description.js';
import { integerMax } from '../../entities/valueForms.js';
import { inState, type State } from '../history/state.js';
import { openings } from '../portal/viewer.js';
import type { Row } from '../read/select.js';
import { heldEntries, heldRole } from '../tokens/claims.js';

/** The change set, and the tables before and after it. */
export interface Moment {
  changeSetId: string;
  before: State;
  after: State;
}

/** The profiles, applications and users whose access a change set may change. */
interface Touched {
  /** Whether it created or removed a user, a profile or an application. */
  hasPassing: boolean;
  /** Profiles and applications between which ways may have appeared or disappeared. */
  profileIds: string[];
  applicationIds: number[];
  /** Profiles whose scopes may have changed. */
  scopedProfileIds: string[];
  /** Users and profiles whose links may have changed. */
  userIds: number[];
}

/** SQL: a column of the records of a table that the set ($1) touched, as they were and as they are. */
const both = (table: string, column: string, type: string): string =>
  `select (record->>'${column}')::${type} from touched_records where record_table = '${table}'`;

const scopeMappings = 'access_scope_applications_mappers';
const typeMappings = 'access_scope_type_applications_mappers';

/** Access scopes that changed themselves or whose type changed, without those of which only a profile's link or a mapping changed. */
const ownScopes = `${both('access_scopes', 'access_scope_id', 'int')} union
  select access_scope_id from access_scopes where access_scope_type_id = any(array(${both('access_scope_types', 'access_scope_type_id', 'int')}))`;
const appsTouched = both('applications', 'application_id', 'int');

const statement = `with versions as materialized (
    select record_table, before, after from record_versions where change_set_id = $1::bigint
  ), touched_records as materialized (
    select record_table, before as record from versions where before is not null
    union all select record_table, after from versions where after is not null
  )
  select exists (select from versions where (before is null or after is null)
    and record_table in ('users', 'profiles', 'applications')) as "hasPassing",
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

/** It may contain more than necessary: records without a change do not appear in the effect. */
export async function readTouched(context: Context, { changeSetId, after }: Moment): Promise<Touched> {
  const [touched] = await context.sql.rows<Touched>(inState(after, statement), [changeSetId]);
  return touched!;
}

/** Profiles, and what each of them has on one side only: numbers of applications or of users, or entries of its scopes. */
type Differing<Value> = Record<string, Value[]>;

interface Side<Value> {
  /** How many applications, entries or users there are, each once. */
  count: number;
  profileIds: string[];
  /** All of them; none if there are more than `differencesMax`. */
  of: Differing<Value>;
  isWhole: boolean;
}
type Sides<Value> = Record<'gains' | 'loses', Side<Value>>;

/** How many users, sessions and applications a part of an effect concerns; each is counted once. */
export interface AccessSums {
  users: number;
  sessions: number;
  applications: number;
}

/** A side of an effect: exact counts, and all that its lists need after the change was rolled back. */
export interface AccessDelta extends AccessSums {
  scopes: number;
  profiles: number;
  differing: Record<'applications' | 'holdings', Side<number>> & { scopes: Side<string> };
  /** Numbers of the users who hold an affected profile, by profile. */
  holders: Record<string, number[]>;
  /** How many sessions each of them has, by profile and number of the user; absent: none. */
  openSessions: Record<string, Record<string, number>>;
  /** Records that are not in the tables, because a dry run made them or the set removed them, by their keys. */
  passing: Passing;
}
export type Passing = Map<RecordClass, Map<unknown, Row>>;

/** Maximum number of listed differences: the sum of what each profile gains or loses. Beyond it only counts are returned. */
const differencesMax = 500_000;

const nothing = <Value>(): Sides<Value> => ({
  gains: { count: 0, profileIds: [], of: {}, isWhole: true },
  loses: { count: 0, profileIds: [], of: {}, isWhole: true },
});

/** SQL: both sides of a relation of `profile_id` and `value`, each state of it read once. @param of the relation in a state */
const diff = ({ before, after }: Moment, of: string, max = differencesMax): string => {
  const side = (condition: string) => `(
    select jsonb_build_object('count', count(distinct value), 'isWhole', count(*) <= ${max},
      'profileIds', coalesce(jsonb_agg(distinct profile_id), '[]'),
      'of', case when count(*) <= ${max} then (
        select coalesce(jsonb_object_agg(profile_id, differing), '{}')
        from (select profile_id, jsonb_agg(value) as differing from differences where ${condition} group by profile_id) profile)
        else '{}' end)
    from differences where ${condition})`;
  return `with differences as materialized (
      select profile_id, value, bool_or(is_after) as is_gained from (
        select profile_id, value, true as is_after from (${inState(after, of)}) state_after
        union all select profile_id, value, false from (${inState(before, of)}) state_before) states
      group by profile_id, value having bool_and(is_after) or not bool_or(is_after))
    select ${side('is_gained')} as gains, ${side('not is_gained')} as loses`;
};

async function readSides<Value>({ sql }: Context, text: string, values: readonly unknown[]): Promise<Sides<Value>> {
  const [row] = await sql.rows<Sides<Value>>(text, values);
  return row!;
}

const opened = `select opening.profile_id, opening.application_id as value
  from (${openings('has.profile_id = any($2::text[]) and m.application_id = any($3::int[])')}) opening
  join applications a on a.application_id = opening.application_id and a.is_active
  where a.application_id = any($3::int[])`;

export async function diffApplications(context: Context, moment: Moment, touched: Touched): Promise<Sides<number>> {
  const { profileIds, applicationIds } = touched;
  if (profileIds.length === 0 || applicationIds.length === 0) return nothing();
  return readSides(context, diff(moment, opened), [context.config.mappingActiveStates, profileIds, applicationIds]);
}

const issued = heldEntries('has.profile_id = any($1::text[])');

export async function diffScopes(context: Context, moment: Moment, touched: Touched): Promise<Sides<string>> {
  if (touched.scopedProfileIds.length === 0) return nothing();
  return readSides(context, diff(moment, issued), [touched.scopedProfileIds]);
}

const holdings = `select link.profile_id, u.user_id as value from users u join user_profiles link on link.user_id = u.user_id
  where u.user_id = any($1::int[]) and link.user_id = any($1::int[]) and not u.is_blocked
    and ${heldRole('u.user_id', 'link.profile_id')} is not null`;

/** All of them: users are counted by these. */
export async function diffHoldings(context: Context, moment: Moment, { userIds }: Touched): Promise<Sides<number>> {
  return userIds.length === 0 ? nothing() : readSides(context, diff(moment, holdings, integerMax), [userIds]);
}

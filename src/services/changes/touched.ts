/** What a change set may change for whom: the profiles, applications and users whose access is worth comparing. */
import type { Context } from '../../context.js';
import { inState } from '../history/state.js';
import type { Moment } from './moment.js';

export interface Touched {
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
export async function readTouched(context: Context, { changeSetId, after }: Moment): Promise<Touched> {
  const [touched] = await context.sql.rows<Touched>(inState(after, statement), [changeSetId]);
  return touched!;
}

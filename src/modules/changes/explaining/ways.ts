/** Finds the ways from a user to an application that are open or nearly open: user, profile, access scope, mapping, application. */
import type { Context } from '../../../context.js';
import { notFound } from '../../../errors.js';
import { lasts } from '../../../services/access/grants.js';
import { scopesAndTypes } from '../../../services/access/scopeEntry.js';
import { administers, legacyScopes } from '../../../services/adminScopes/guard.js';
import { timeText } from '../../../sql.js';

/** A way, with which of its links exist and hold. */
export interface Way {
  userIsBlocked: boolean;
  profileId: string;
  /** The link between user and profile; null if there is none. */
  userProfileId: number | null;
  /** When the user's last link to the profile ended, ISO 8601; null if one lasts, or if there was none. */
  profileEndedAt: string | null;
  /** The link between profile and access scope; null if there is none. */
  profileAccessScopeId: number | null;
  /** When that link ended, ISO 8601; null if it lasts, or if there is none. */
  scopeEndedAt: string | null;
  accessScopeId: number;
  accessScopeGuid: string;
  scopeIsActive: boolean;
  accessScopeTypeId: number;
  accessScopeTypeGuid: string;
  typeIsActive: boolean;
  /** The mapping of the access scope, or of its type; both null if there is none. */
  scopeMappingId: number | null;
  typeMappingId: number | null;
  mappingState: string | null;
  mappingHolds: boolean;
  applicationIsActive: boolean;
  /** Number of links that do not hold. */
  missing: number;
  /** Counts of all ways, including those not returned: open ones, and those through the user's own profiles and scopes. */
  openWays: number;
  ownWays: number;
}

/** SQL: of a user's links to a profile, the one that decides: the lowest that lasts, or else the lowest. */
export const nearestLink = `coalesce(min(link.user_profile_id) filter (where ${lasts('link')}), min(link.user_profile_id))`;
/** SQL: when the last of them ended; null if one lasts. */
export const endOfLinks = `case when bool_and(not ${lasts('link')}) then max(link.valid_until) end`;
/** SQL: when the link ended; null if it lasts. */
export const endOf = (link: string): string => `case when not ${lasts(link)} then ${link}.valid_until end`;

const waysMax = 20;
const order = `"userProfileId" nulls last, administers, scopes, "profileId" collate "C", "accessScopeId", "scopeMappingId" nulls last`;

/**
 * Combines every mapping of the application with the profiles that have its access scope and with the user's profiles that
 * lack it, and adds the user's access scopes without a mapping of their own, unless their type's opens it. Among ways that lack equally much, some of each kind are
 * returned (profiles of the user, other profiles); profiles with an administration scope come last, then those with more
 * access scopes. $1 user, $2 application, $3 active states, $4 profile or null, $5 entries that grant administration.
 */
const statement = `
  with asked as (
    select u.user_id, u.is_blocked, a.application_id, a.is_active
    from users u, applications a where u.user_guid = $1::uuid and a.application_guid = $2::uuid
  ), held as (
    select link.profile_id, ${nearestLink} as user_profile_id, ${endOfLinks} as ended_at
    from user_profiles link join asked using (user_id)
    where $4::text is null or link.profile_id = $4::text group by link.profile_id
  ), ended as (
    select distinct on (version.before->>'profile_id') version.before->>'profile_id' as profile_id, (version.before->>'valid_until')::timestamptz as ended_at
    from asked join record_versions version on version.record_table = 'user_profiles'
      and coalesce(version.after, version.before)->>'user_id' = asked.user_id::text and version.after is null
    join change_sets made using (change_set_id)
    where (version.before->>'valid_until')::timestamptz <= least(made.occurred_at, now())
      and version.before->>'profile_id' not in (select profile_id from held)
    order by version.before->>'profile_id', version.record_version_id desc
  ), mappings as (
    select m.access_scope_id, m.access_scope_applications_mapper_id as scope_mapping, null::int as type_mapping, m.state
    from access_scope_applications_mappers m join asked using (application_id)
    union all
    select s.access_scope_id, null, m.access_scope_type_applications_mapper_id, m.state
    from access_scope_type_applications_mappers m join asked using (application_id)
    join access_scopes s on s.access_scope_type_id = m.access_scope_type_id
  ), ways as (
    select has.profile_id, has.profile_access_scope_id, ${endOf('has')} as ended_at, mappings.* from mappings
    join profile_access_scopes has using (access_scope_id)
    where has.access_scope_id = any(array(select access_scope_id from mappings)) and ($4::text is null or has.profile_id = $4::text)
    union all
    select held.profile_id, null, null, mappings.* from held cross join mappings where not exists (
      select from profile_access_scopes has where has.profile_id = held.profile_id and has.access_scope_id = mappings.access_scope_id)
    union all
    select held.profile_id, has.profile_access_scope_id, ${endOf('has')}, has.access_scope_id, null, null, null
    from held join profile_access_scopes has on has.profile_id = held.profile_id
    where not exists (select from mappings where mappings.access_scope_id = has.access_scope_id
      and (mappings.scope_mapping is not null or mappings.state = any($3::text[])))
  ), others as (
    select has.profile_id, count(*) as scopes,
      bool_or(has.access_scope_id in (select scope.access_scope_id from ${scopesAndTypes} where ${administers('$5')})) as administers
    from profile_access_scopes has where has.profile_id = any(array(select profile_id from ways except select profile_id from held)) group by has.profile_id
  ), judged as (
    select asked.is_blocked as "userIsBlocked", ways.profile_id as "profileId", held.user_profile_id as "userProfileId",
      ${timeText('coalesce(held.ended_at, ended.ended_at)')} as "profileEndedAt", ${timeText('ways.ended_at')} as "scopeEndedAt",
      ways.profile_access_scope_id as "profileAccessScopeId", scope.access_scope_id as "accessScopeId",
      scope.access_scope_guid as "accessScopeGuid", scope.is_active as "scopeIsActive",
      type.access_scope_type_id as "accessScopeTypeId", type.access_scope_type_guid as "accessScopeTypeGuid",
      type.is_active as "typeIsActive", ways.scope_mapping as "scopeMappingId", ways.type_mapping as "typeMappingId",
      ways.state as "mappingState", coalesce(ways.state = any($3::text[]), false) as "mappingHolds",
      asked.is_active as "applicationIsActive", others.administers, others.scopes,
      asked.is_blocked::int + (held.user_profile_id is null)::int + (ways.profile_access_scope_id is null)::int
        + (not scope.is_active)::int + (not type.is_active)::int + (not coalesce(ways.state = any($3::text[]), false))::int
        + (not asked.is_active)::int + (held.ended_at is not null)::int + (ways.ended_at is not null)::int as missing
    from asked cross join ways join (${scopesAndTypes}) on scope.access_scope_id = ways.access_scope_id
    left join held on held.profile_id = ways.profile_id left join ended on ended.profile_id = ways.profile_id left join others on others.profile_id = ways.profile_id
  ), nearest as (
    select judged.*, count(*) filter (where missing = 0) over ()::int as "openWays",
      count(*) filter (where "userProfileId" is not null and "profileAccessScopeId" is not null and "profileEndedAt" is null and "scopeEndedAt" is null) over ()::int as "ownWays",
      row_number() over (
      partition by missing, "mappingState" is null, "userProfileId" is null and "profileEndedAt" is null, "profileAccessScopeId" is null order by ${order}) as nth
    from judged order by missing, nth limit ${waysMax}
  )
  select * from nearest order by missing, "mappingState" is null, ${order}`;

/** Open ways first, then the nearest. Throws NOT_FOUND for an unknown user, application or profile. */
export async function findWays(
  context: Context,
  userGuid: string,
  applicationGuid: string,
  profileId: string | null,
): Promise<Way[]> {
  const { reads, config } = context;
  const [existence] = await reads.rows<{ user: boolean; application: boolean; profile: boolean }>(
    `select exists (select from users where user_guid = $1::uuid) as user,
       exists (select from applications where application_guid = $2::uuid) as application,
       $3::text is null or exists (select from profiles where profile_id = $3::text) as profile`,
    [userGuid, applicationGuid, profileId],
  );
  for (const what of ['user', 'application', 'profile'] as const) if (!existence![what]) throw notFound(`The ${what}`);
  return reads.rows<Way>(statement, [
    userGuid,
    applicationGuid,
    config.mappingActiveStates,
    profileId,
    legacyScopes(context),
  ]);
}

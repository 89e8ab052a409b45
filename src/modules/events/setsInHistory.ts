/** Statements that read from history what change sets did, and whom and what it concerns. $1 are the numbers of the sets. */
import { heldScopes } from '../../services/access/held.js';
import { scopeEntryColumn, scopeIsInUse } from '../../services/access/scopeEntry.js';

const sides = `cross join lateral (values (version.before), (version.after)) sides (side)`;

/**
 * SQL: per change set, the people whose role in a profile it changed or took. The state after a set is that of now without all
 * later versions; a link whose end has passed still counts before the set that removes it.
 */
export const changedRoles = `
  with sets as materialized (
    select change_set_id, occurred_at, max(record_version_id) as until
    from change_sets join record_versions using (change_set_id) where change_set_id = any($1::bigint[]) group by 1, 2
  ), versions as materialized (
    select version.* from record_versions version join sets using (change_set_id) where record_table = 'user_profiles'
  ), touched as materialized (
    select distinct change_set_id, sets.until, sets.occurred_at, (side->>'user_id')::int as user_id, side->>'profile_id' as profile_id
    from versions version join sets using (change_set_id) ${sides} where side is not null
  ), later as materialized (
    select record_version_id, record_key, before from record_versions
    where record_version_id > (select min(until) from sets) and record_table = 'user_profiles'
  ), links as materialized (
    select touched.change_set_id, touched.user_id, touched.profile_id, touched.occurred_at,
      link.user_profile_id, link.role_id, link.valid_until
    from touched join user_profiles link using (user_id, profile_id)
    where not exists (select from later where later.record_key = link.user_profile_id::text and later.record_version_id > touched.until)
    union all
    select touched.change_set_id, touched.user_id, touched.profile_id, touched.occurred_at,
      later.record_key::int, later.before->>'role_id', (later.before->>'valid_until')::timestamptz
    from touched join later on later.record_version_id > touched.until
      and (later.before->>'user_id')::int = touched.user_id and later.before->>'profile_id' = touched.profile_id
    where not exists (select from later first where first.record_key = later.record_key
      and first.record_version_id > touched.until and first.record_version_id < later.record_version_id)
  ), before as materialized (
    select change_set_id, user_id, profile_id, user_profile_id, role_id from links
    where not exists (select from versions where versions.change_set_id = links.change_set_id and versions.record_key = links.user_profile_id::text)
    union all
    select change_set_id, (before->>'user_id')::int, before->>'profile_id', record_key::int, before->>'role_id'
    from versions where before is not null and not exists (select from versions first
      where first.change_set_id = versions.change_set_id and first.record_key = versions.record_key and first.record_version_id < versions.record_version_id)
  ), had as (
    select distinct on (change_set_id, user_id, profile_id) * from before order by change_set_id, user_id, profile_id, user_profile_id
  ), has as (
    select distinct on (change_set_id, user_id, profile_id) * from links
    where valid_until is null or valid_until > occurred_at order by change_set_id, user_id, profile_id, user_profile_id
  )
  select had.change_set_id, had.profile_id, has.role_id, coalesce(u.user_guid, (
      select (gone.before->>'user_guid')::uuid from record_versions gone
      where gone.record_table = 'users' and (gone.change_set_id = had.change_set_id or gone.record_version_id > (select min(until) from sets))
        and (gone.before->>'user_id')::int = had.user_id limit 1))::text as user_guid
  from had left join has using (change_set_id, user_id, profile_id) left join users u on u.user_id = had.user_id
  where had.role_id is distinct from has.role_id`;

/** SQL: people who were blocked or removed, with the profiles that they hold or lost with it. */
export const lostPeople = `
  select version.change_set_id, version.before->>'user_guid' as user_guid, version.after is null as is_removed, (
      select coalesce(jsonb_agg(distinct profile_id), '[]') from (
        select profile_id from user_profiles where user_id = (version.before->>'user_id')::int
        union select link.before->>'profile_id' from record_versions link
        where link.change_set_id = version.change_set_id and link.record_table = 'user_profiles'
          and link.before->>'user_id' = version.before->>'user_id') held) as profile_ids
  from record_versions version
  where version.change_set_id = any($1::bigint[]) and version.record_table = 'users'
    and (version.before->>'is_blocked')::boolean is not true and version.before is not null
    and (version.after is null or (version.after->>'is_blocked')::boolean)`;

const differ = (...columns: string[]): string =>
  `(${columns.map((column) => `version.before->'${column}' is distinct from version.after->'${column}'`).join(' or ')})`;

/**
 * SQL: the rows of now, and those that change sets since the time $2 changed, as they were, and until when. What a set took may be gone
 * or closed when its events are made, by itself or by later ones.
 */
const nowAndBefore = (table: string, before = beforeOf(table)): string => `(
    select null::timestamptz as until, present.* from ${table} present union all ${before})`;
function beforeOf(table: string): string {
  return `select occurred_at, was.* from change_sets join record_versions using (change_set_id)
      cross join lateral jsonb_populate_record(null::${table}, before) was
    where occurred_at >= $2::timestamptz and record_table = '${table}' and before is not null`;
}

/**
 * SQL: such links for each value of the tables before it, by the indexes of both: their history is long, and a set may have thousands of
 * other records, which are not read for each.
 */
const linksOf = (column: 'profile_id' | 'access_scope_id', value: string): string =>
  `cross join lateral (
    select null::timestamptz as until, present.* from profile_access_scopes present where present.${column} = ${value}
    union all select occurred_at, was.* from (
      select change_set_id, before from record_versions where record_table = 'profile_access_scopes'
        and coalesce(after, before)->>'${column}' = ${value}::text and before is not null offset 0) version
    join change_sets using (change_set_id) cross join lateral jsonb_populate_record(null::profile_access_scopes, version.before) was
    where occurred_at >= $2::timestamptz) link`;

/** SQL: whether such a row was there before the set of `occurred_at` was complete. */
const wasThere = (row: string): string => `coalesce(${row}.until >= occurred_at, true)`;

/** SQL: whether a side of a grant had ended when the set was made. */
const hasEnded = (side: string): string => `((version.${side}->>'valid_until')::timestamptz <= occurred_at) is true`;

/** SQL: profiles of which a set changed the scopes that are in use, with their scopes now. The links of a scope that it made are changes too. */
export const changedScopes = `
  with versions as materialized (
    select version.*, occurred_at from record_versions version join change_sets using (change_set_id) where change_set_id = any($1::bigint[])
      and record_table in ('profile_access_scopes', 'access_scopes', 'access_scope_types', 'profiles')
  ), scopes_before as materialized (
    ${beforeOf('access_scopes')}
  ), types_before as materialized (
    ${beforeOf('access_scope_types')}
  ), scopes as (
    select change_set_id, occurred_at, (coalesce(before, after)->>'access_scope_id')::int as access_scope_id from versions version
    where record_table = 'access_scopes' and before is not null and ${differ('access_scope_key', 'access_scope_type_id', 'concrete_id', 'is_wildcard', 'is_active')}
      and (coalesce((before->>'is_active')::boolean, false) or coalesce((after->>'is_active')::boolean, false))
    union
    select version.change_set_id, occurred_at, access_scope_id from versions version join ${nowAndBefore('access_scopes', 'select * from scopes_before')} scope
      on scope.access_scope_type_id = (coalesce(version.before, version.after)->>'access_scope_type_id')::int and scope.is_active and ${wasThere('scope')}
    where record_table = 'access_scope_types' and ${differ('name', 'is_active')}
  ), changed as (
    select version.change_set_id, side->>'profile_id' as profile_id from versions version ${sides}
    join ${nowAndBefore('access_scopes', 'select * from scopes_before')} scope on scope.access_scope_id = (side->>'access_scope_id')::int and ${wasThere('scope')}
    join ${nowAndBefore('access_scope_types', 'select * from types_before')} type on type.access_scope_type_id = scope.access_scope_type_id and ${wasThere('type')}
    where record_table = 'profile_access_scopes'
      and (${differ('access_scope_id', 'profile_id')} or ${hasEnded('before')} <> ${hasEnded('after')})
      and ${scopeIsInUse} and ${scopeEntryColumn} is not null
    union
    select change_set_id, profile_id from scopes ${linksOf('access_scope_id', 'scopes.access_scope_id')} where ${wasThere('link')}
  )
  select change_set_id, profile.profile_id, to_jsonb(${heldScopes('profile.profile_id')}) as scopes
  from changed join profiles profile using (profile_id)
  where not exists (select from versions made where made.change_set_id = changed.change_set_id
    and made.record_table = 'profiles' and made.record_key = profile.profile_id and made.before is null)`;

/** SQL: the change sets, with the number of versions of each table, and whom and what they concern. */
export const changeSets = `
  select change_set_id, change_set_guid::text, occurred_at, actor::text, face, trace_id from change_sets
  where change_set_id = any($1::bigint[])
  order by occurred_at, change_set_id`;

export const contents = `
  select change_set_id, record_table, count(*)::int as count
  from record_versions where change_set_id = any($1::bigint[]) group by 1, 2`;

/** With more, a set counts as concerning every profile or application. */
const concernedMax = 1_000;
const listUpTo = (column: string): string =>
  `case when count(*) <= ${concernedMax} then coalesce(jsonb_agg(${column}), '[]') end`;

/** SQL: what scopes open, or opened before, whatever the states of the mappings. */
const openings = `
  select access_scope_id, application_id from ${nowAndBefore('access_scope_applications_mappers')} mapper
  union all select access_scope_id, application_id
  from ${nowAndBefore('access_scope_type_applications_mappers')} mapper join ${nowAndBefore('access_scopes')} scope using (access_scope_type_id)`;

/**
 * SQL: the profiles and applications that change sets concern: those that records name; the profiles that hold a scope which was
 * changed, or opened or closed for an application; the profiles of a person; and what these grants, people and scopes open.
 * With more than so many it concerns each: null.
 */
export const concerned = `
  with sides as materialized (
    select distinct change_set_id, record_table, (side->>'application_id')::int as application_id, side->>'profile_id' as profile_id,
      (side->>'access_scope_id')::int as access_scope_id, (side->>'access_scope_type_id')::int as access_scope_type_id, (side->>'user_id')::int as user_id
    from record_versions version ${sides} where change_set_id = any($1::bigint[]) and side is not null
  ), changed as (
    select change_set_id, access_scope_id from sides where record_table = 'access_scopes'
    union select change_set_id, scope.access_scope_id from sides join ${nowAndBefore('access_scopes')} scope using (access_scope_type_id) where record_table = 'access_scope_types'
  ), mapped as (
    select change_set_id, access_scope_id from sides where record_table = 'access_scope_applications_mappers'
    union select change_set_id, scope.access_scope_id from sides join ${nowAndBefore('access_scopes')} scope using (access_scope_type_id)
      where record_table = 'access_scope_type_applications_mappers'
    union select change_set_id, opening.access_scope_id from sides join (${openings}) opening using (application_id) where record_table = 'applications'
  ), held as (
    select change_set_id, profile_id from sides where record_table in ('profiles', 'user_profiles')
    union select change_set_id, held.profile_id from sides join user_profiles held using (user_id) where record_table = 'users'
  ), profiles as materialized (
    select change_set_id, profile_id from sides where profile_id is not null
    union select change_set_id, profile_id from held
    union select change_set_id, profile_id from (select * from changed union select * from mapped) scopes ${linksOf('access_scope_id', 'scopes.access_scope_id')}
  ), opened as (
    select change_set_id, access_scope_id from changed
    union select change_set_id, access_scope_id from sides where record_table = 'profile_access_scopes'
    union select change_set_id, access_scope_id from held ${linksOf('profile_id', 'held.profile_id')}
  ), applications as materialized (
    select change_set_id, application_guid from (
      select change_set_id, application_id from sides where application_id is not null
      union select change_set_id, application_id from opened join (${openings}) opening using (access_scope_id)) named
    join ${nowAndBefore('applications')} application using (application_id)
  )
  select change_set_id, (select ${listUpTo('profile_id')} from profiles where profiles.change_set_id = asked.change_set_id) as profile_ids,
    (select ${listUpTo('application_guid')} from applications named where named.change_set_id = asked.change_set_id) as application_guids
  from unnest($1::bigint[]) asked(change_set_id)`;

/** SQL: grants whose end had passed when a set removed them, by profile. */
export const endedGrants = `
  select change_set_id, before->>'profile_id' as profile_id,
    count(*) filter (where record_table = 'user_profiles')::int as assignments,
    count(*) filter (where record_table = 'profile_access_scopes')::int as access_scopes
  from record_versions join change_sets using (change_set_id)
  where change_set_id = any($1::bigint[]) and record_table in ('user_profiles', 'profile_access_scopes')
    and after is null and (before->>'valid_until')::timestamptz <= occurred_at group by 1, 2`;

/** SQL: guids of the applications that profiles open, or opened before, whatever the states of the mappings. */
export const applicationsOf = `
  select asked.profile_id, jsonb_agg(distinct application_guid) as guids
  from unnest($1::text[]) asked(profile_id) ${linksOf('profile_id', 'asked.profile_id')} join (${openings}) opening using (access_scope_id)
  join ${nowAndBefore('applications')} application using (application_id) group by 1`;

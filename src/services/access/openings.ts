/** What a profile opens. */
import { lasts } from './grants.js';
import { scopeIsInUse, scopesAndTypes } from './scopeEntry.js';

/**
 * The mappings in an active state by which profiles open applications: mappings of their active access scopes, and of the types of
 * those. Whether the application is active, the caller asks. `condition` may name `has` (the profile's link) and `m` (the mapping).
 */
export const openings = (condition: string, activeStates = '$1::text[]'): string => `
  select has.profile_id, has.access_scope_id, m.application_id, nullif(m.individual_external_link, '') as link,
    m.access_scope_applications_mapper_id, null::int as access_scope_type_applications_mapper_id
  from profile_access_scopes has
  join (${scopesAndTypes}) on scope.access_scope_id = has.access_scope_id
  join access_scope_applications_mappers m on m.access_scope_id = scope.access_scope_id and m.state = any(${activeStates})
  where ${lasts('has')} and ${scopeIsInUse} and ${condition}
  union all
  select has.profile_id, has.access_scope_id, m.application_id, null, null, m.access_scope_type_applications_mapper_id
  from profile_access_scopes has
  join (${scopesAndTypes}) on scope.access_scope_id = has.access_scope_id
  join access_scope_type_applications_mappers m
    on m.access_scope_type_id = scope.access_scope_type_id and m.state = any(${activeStates})
  where ${lasts('has')} and ${scopeIsInUse} and ${condition}`;

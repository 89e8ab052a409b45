/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, PickApplicationsQuery, PickApplicationsQueryVariables, PickPeopleQuery, PickPeopleQueryVariables, PickProfilesQuery, PickProfilesQueryVariables, PickRolesQuery, PickRolesQueryVariables, PickScopesQuery, PickScopesQueryVariables } from './graph';

export const pickPeople: Operation<PickPeopleQuery, PickPeopleQueryVariables> =
  "query PickPeople($filter:UserFilter){users(first:8 filter:$filter orderBy:[{lastName:ASC}{firstName:ASC}]){nodes{userGuid firstName lastName email jobTitle isBlocked}}}";
export const pickApplications: Operation<PickApplicationsQuery, PickApplicationsQueryVariables> =
  "query PickApplications($filter:ApplicationFilter){applications(first:8 filter:$filter orderBy:[{name:ASC}]){nodes{applicationGuid name appType isActive}}}";
export const pickScopes: Operation<PickScopesQuery, PickScopesQueryVariables> =
  "query PickScopes($filter:AccessScopeFilter){accessScopes(first:8 filter:$filter orderBy:[{name:ASC}]){nodes{accessScopeGuid name isActive accessScopeType{name}}}}";
export const pickProfiles: Operation<PickProfilesQuery, PickProfilesQueryVariables> =
  "query PickProfiles($filter:ProfileFilter){profiles(first:8 filter:$filter orderBy:[{name:ASC}]){nodes{profileId name}}}";
export const pickRoles: Operation<PickRolesQuery, PickRolesQueryVariables> =
  "query PickRoles($filter:RoleFilter){roles(first:8 filter:$filter orderBy:[{name:ASC}]){nodes{roleId name}}}";

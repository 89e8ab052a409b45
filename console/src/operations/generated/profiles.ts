/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ProfilePageQuery, ProfilePageQueryVariables, ProfileRowsQuery, ProfileRowsQueryVariables } from './graph';

export const profileRows: Operation<ProfileRowsQuery, ProfileRowsQueryVariables> =
  "query ProfileRows($first:Int!$after:String$filter:ProfileFilter$orderBy:[ProfileOrderBy!]){profiles(first:$first after:$after filter:$filter orderBy:$orderBy){totalCount pageInfo{hasNextPage endCursor}nodes{profileId name description managedBy createdDate modifiedDate profileAccessScopes(first:2){totalCount nodes{profileAccessScopeId accessScope{name}}}userProfiles(first:0){totalCount}}}}";
export const profilePage: Operation<ProfilePageQuery, ProfilePageQueryVariables> =
  "query ProfilePage($profileId:ID!){profile(profileId:$profileId){profileId name description revision managedBy createdDate createdByNavigation{firstName lastName}modifiedDate modifiedByNavigation{firstName lastName}profileAccessScopes(first:1000 orderBy:[{accessScope:{name:ASC}}]){totalCount nodes{createdDate accessScope{accessScopeGuid name accessScopeKey concreteId isActive isWildcard accessScopeType{name}}}}userProfiles(first:100 orderBy:[{user:{lastName:ASC}}]){totalCount nodes{userProfileId revision createdDate role{roleId name}user{userGuid firstName lastName email isBlocked}}}}}";

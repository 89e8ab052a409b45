/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, RolePageQuery, RolePageQueryVariables, RoleRowsQuery, RoleRowsQueryVariables } from './graph';

export const roleRows: Operation<RoleRowsQuery, RoleRowsQueryVariables> =
  "query RoleRows($first:Int$after:String$last:Int$before:String$filter:RoleFilter$orderBy:[RoleOrderBy!]){roles(first:$first after:$after last:$last before:$before filter:$filter orderBy:$orderBy){totalCount pageInfo{...EndsOf}nodes{roleId name description managedBy createdDate modifiedDate userProfiles(first:0){totalCount}}}}fragment EndsOf on PageInfo{hasNextPage endCursor hasPreviousPage startCursor}";
export const rolePage: Operation<RolePageQuery, RolePageQueryVariables> =
  "query RolePage($roleId:ID!){role(roleId:$roleId){roleId name description revision managedBy createdDate createdByNavigation{...PersonOf}modifiedDate modifiedByNavigation{...PersonOf}userProfiles(first:100 orderBy:[{user:{lastName:ASC}}]){totalCount nodes{userProfileId profile{profileId name}user{userGuid firstName lastName isBlocked}}}}}fragment PersonOf on User{firstName lastName}";

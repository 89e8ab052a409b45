/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, UserRowsQuery, UserRowsQueryVariables } from './graph';

export const userRows: Operation<UserRowsQuery, UserRowsQueryVariables> =
  "query UserRows($first:Int$after:String$last:Int$before:String$filter:UserFilter$orderBy:[UserOrderBy!]){users(first:$first after:$after last:$last before:$before filter:$filter orderBy:$orderBy){totalCount pageInfo{...EndsOf}nodes{userGuid firstName lastName email jobTitle isBlocked lastLoginDate userProfiles(first:2){totalCount nodes{userProfileId profile{name}}}}}}fragment EndsOf on PageInfo{hasNextPage endCursor hasPreviousPage startCursor}";

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, UserRowsQuery, UserRowsQueryVariables } from './graph';

export const userRows: Operation<UserRowsQuery, UserRowsQueryVariables> =
  "query UserRows($first:Int!$after:String$filter:UserFilter$orderBy:[UserOrderBy!]){users(first:$first after:$after filter:$filter orderBy:$orderBy){totalCount pageInfo{hasNextPage endCursor}nodes{userGuid firstName lastName email jobTitle isBlocked lastLoginDate userProfiles(first:2){totalCount nodes{userProfileId profile{name}}}}}}";

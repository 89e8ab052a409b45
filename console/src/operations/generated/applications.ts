/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplicationNamesQuery, ApplicationNamesQueryVariables, ApplicationRowsQuery, ApplicationRowsQueryVariables } from './graph';

export const applicationRows: Operation<ApplicationRowsQuery, ApplicationRowsQueryVariables> =
  "query ApplicationRows($first:Int$after:String$last:Int$before:String$filter:ApplicationFilter$orderBy:[ApplicationOrderBy!]$opening:[String!]){applications(first:$first after:$after last:$last before:$before filter:$filter orderBy:$orderBy){totalCount pageInfo{...EndsOf}nodes{applicationGuid name description iconDefault managedBy appType isActive createdDate modifiedDate accessScopeApplicationsMappers(first:2 filter:{state:{in:$opening}}){totalCount nodes{accessScope{name}}}accessScopeTypeApplicationsMappers(first:1 filter:{state:{in:$opening}}){totalCount nodes{accessScopeType{name}}}}}}fragment EndsOf on PageInfo{hasNextPage endCursor hasPreviousPage startCursor}";
export const applicationNames: Operation<ApplicationNamesQuery, ApplicationNamesQueryVariables> =
  "query ApplicationNames($first:Int!$filter:ApplicationFilter){applications(first:$first filter:$filter orderBy:[{name:ASC}]){totalCount nodes{applicationGuid name appType isActive}}}";

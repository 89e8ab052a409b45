/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, TypePageQuery, TypePageQueryVariables, TypeRowsQuery, TypeRowsQueryVariables } from './graph';

export const typeRows: Operation<TypeRowsQuery, TypeRowsQueryVariables> =
  "query TypeRows($first:Int!$after:String$filter:AccessScopeTypeFilter$orderBy:[AccessScopeTypeOrderBy!]){accessScopeTypes(first:$first after:$after filter:$filter orderBy:$orderBy){totalCount pageInfo{hasNextPage endCursor}nodes{accessScopeTypeGuid name description managedBy isActive createdDate modifiedDate accessScopes(first:0){totalCount}accessScopeTypeApplicationsMappers(first:0){totalCount}}}}";
export const typePage: Operation<TypePageQuery, TypePageQueryVariables> =
  "query TypePage($accessScopeTypeGuid:UUID!){accessScopeType(accessScopeTypeGuid:$accessScopeTypeGuid){accessScopeTypeGuid name description isActive translationGroup revision managedBy createdDate createdByNavigation{firstName lastName}modifiedDate modifiedByNavigation{firstName lastName}accessScopes(first:0){totalCount}accessScopeTypeApplicationsMappers(first:500 orderBy:[{application:{name:ASC}}]){totalCount nodes{state createdDate modifiedDate application{applicationGuid name isActive}}}}}";

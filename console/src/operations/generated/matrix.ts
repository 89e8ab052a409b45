/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ColumnOfScopeQuery, ColumnOfScopeQueryVariables, ColumnOfTypeQuery, ColumnOfTypeQueryVariables, MatrixQuery, MatrixQueryVariables, ScopeTypesQuery, ScopeTypesQueryVariables } from './graph';

export const scopeTypes: Operation<ScopeTypesQuery, ScopeTypesQueryVariables> =
  "query ScopeTypes{accessScopeTypes(first:200 orderBy:[{name:ASC}]){nodes{accessScopeTypeGuid name isActive}}}";
export const matrix: Operation<MatrixQuery, MatrixQueryVariables> =
  "query Matrix($first:Int$after:String$last:Int$before:String$filter:ApplicationFilter$type:UUID!$withScopes:Boolean!$cells:Int!){accessScopeType(accessScopeTypeGuid:$type)@include(if:$withScopes){accessScopes(first:1000 orderBy:[{name:ASC}]){totalCount nodes{accessScopeId accessScopeGuid name isActive}}}applications(first:$first after:$after last:$last before:$before filter:$filter orderBy:[{name:ASC}]){totalCount pageInfo{...EndsOf}nodes{applicationGuid name isActive accessScopeApplicationsMappers(first:$cells filter:{accessScope:{accessScopeType:{accessScopeTypeGuid:{eq:$type}}}}){nodes{state accessScopeId}}accessScopeTypeApplicationsMappers(first:1 filter:{accessScopeType:{accessScopeTypeGuid:{eq:$type}}}){nodes{state}}}}}fragment EndsOf on PageInfo{hasNextPage endCursor hasPreviousPage startCursor}";
export const columnOfScope: Operation<ColumnOfScopeQuery, ColumnOfScopeQueryVariables> =
  "query ColumnOfScope($filter:ApplicationFilter$scope:UUID!){applications(first:1000 filter:$filter orderBy:[{name:ASC}]){totalCount nodes{applicationGuid name accessScopeApplicationsMappers(first:1 filter:{accessScope:{accessScopeGuid:{eq:$scope}}}){nodes{state}}}}}";
export const columnOfType: Operation<ColumnOfTypeQuery, ColumnOfTypeQueryVariables> =
  "query ColumnOfType($filter:ApplicationFilter$type:UUID!){applications(first:1000 filter:$filter orderBy:[{name:ASC}]){totalCount nodes{applicationGuid name accessScopeTypeApplicationsMappers(first:1 filter:{accessScopeType:{accessScopeTypeGuid:{eq:$type}}}){nodes{state}}}}}";

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplicationTextsQuery, ApplicationTextsQueryVariables, ScopeTextsQuery, ScopeTextsQueryVariables, TypeTextsQuery, TypeTextsQueryVariables } from './graph';

export const applicationTexts: Operation<ApplicationTextsQuery, ApplicationTextsQueryVariables> =
  "query ApplicationTexts($first:Int$after:String$last:Int$before:String$filter:ApplicationFilter){records:applications(first:$first after:$after last:$last before:$before filter:$filter orderBy:[{name:ASC}]){totalCount pageInfo{hasNextPage endCursor hasPreviousPage startCursor}nodes{guid:applicationGuid name description translationGroup translations(first:60){nodes{fieldName languageCode translatedText}}}}}";
export const scopeTexts: Operation<ScopeTextsQuery, ScopeTextsQueryVariables> =
  "query ScopeTexts($first:Int$after:String$last:Int$before:String$filter:AccessScopeFilter){records:accessScopes(first:$first after:$after last:$last before:$before filter:$filter orderBy:[{name:ASC}]){totalCount pageInfo{hasNextPage endCursor hasPreviousPage startCursor}nodes{guid:accessScopeGuid name description translationGroup translations(first:60){nodes{fieldName languageCode translatedText}}}}}";
export const typeTexts: Operation<TypeTextsQuery, TypeTextsQueryVariables> =
  "query TypeTexts($first:Int$after:String$last:Int$before:String$filter:AccessScopeTypeFilter){records:accessScopeTypes(first:$first after:$after last:$last before:$before filter:$filter orderBy:[{name:ASC}]){totalCount pageInfo{hasNextPage endCursor hasPreviousPage startCursor}nodes{guid:accessScopeTypeGuid name description translationGroup translations(first:60){nodes{fieldName languageCode translatedText}}}}}";

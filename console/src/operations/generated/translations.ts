/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, TranslationRowsQuery, TranslationRowsQueryVariables } from './graph';

export const translationRows: Operation<TranslationRowsQuery, TranslationRowsQueryVariables> =
  "query TranslationRows($first:Int!$after:String$filter:ApplicationFilter){applications(first:$first after:$after filter:$filter orderBy:[{name:ASC}]){totalCount pageInfo{hasNextPage endCursor}nodes{applicationGuid name description translationGroup translations(first:60){nodes{fieldName languageCode translatedText}}}}}";

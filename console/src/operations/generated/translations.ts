/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplicationTextsQuery, ApplicationTextsQueryVariables, ScopeTextsQuery, ScopeTextsQueryVariables, TextsOfGroupQuery, TextsOfGroupQueryVariables, TypeTextsQuery, TypeTextsQueryVariables } from './graph';

export const applicationTexts: Operation<ApplicationTextsQuery, ApplicationTextsQueryVariables> =
  { operationName: 'ApplicationTexts', documentId: 'sha256:24903f072d027dba70ef8b27ed7d900235315e989e7fe88ba57329874eeb095f' };
export const scopeTexts: Operation<ScopeTextsQuery, ScopeTextsQueryVariables> =
  { operationName: 'ScopeTexts', documentId: 'sha256:6259dd6e6db80d5032b1fa82d8f0b80d00ba845e4534171c2c2a22d244bfa7af' };
export const typeTexts: Operation<TypeTextsQuery, TypeTextsQueryVariables> =
  { operationName: 'TypeTexts', documentId: 'sha256:07b0ff588d05228790c10feb53e791b41614ed527c87879be8b477ff747bb4e9' };
export const textsOfGroup: Operation<TextsOfGroupQuery, TextsOfGroupQueryVariables> =
  { operationName: 'TextsOfGroup', documentId: 'sha256:ca1272ea0e5efd4b9d490604be350d42586f4ea9685a4e3335ca7da973f735b7' };

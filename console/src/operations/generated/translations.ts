/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplicationTextsQuery, ApplicationTextsQueryVariables, ScopeTextsQuery, ScopeTextsQueryVariables, TextsOfGroupQuery, TextsOfGroupQueryVariables, TypeTextsQuery, TypeTextsQueryVariables, UsedLanguagesQuery, UsedLanguagesQueryVariables } from './graph';

export const applicationTexts: Operation<ApplicationTextsQuery, ApplicationTextsQueryVariables> =
  { operationName: 'ApplicationTexts', documentId: 'sha256:0f86692d8868d3b194e9bfe37633d5c2aaf3cee4ab14e3a0a21a94702ade39da' };
export const scopeTexts: Operation<ScopeTextsQuery, ScopeTextsQueryVariables> =
  { operationName: 'ScopeTexts', documentId: 'sha256:f2177bc1c5ebf1e9291cc5850c05a9195a673b6feb261d5ca13cd7d588eb2d4c' };
export const typeTexts: Operation<TypeTextsQuery, TypeTextsQueryVariables> =
  { operationName: 'TypeTexts', documentId: 'sha256:546a6f0317b3afbf687f8a7004a9929e1e845049c33702545690fad058e1d1ee' };
export const textsOfGroup: Operation<TextsOfGroupQuery, TextsOfGroupQueryVariables> =
  { operationName: 'TextsOfGroup', documentId: 'sha256:ca1272ea0e5efd4b9d490604be350d42586f4ea9685a4e3335ca7da973f735b7' };
export const usedLanguages: Operation<UsedLanguagesQuery, UsedLanguagesQueryVariables> =
  { operationName: 'UsedLanguages', documentId: 'sha256:cd27c5812fa359811eb991ec134be15a7c786480b5d0548c65f0a710af24ef8d' };

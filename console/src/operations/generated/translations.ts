/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplicationTextsQuery, ApplicationTextsQueryVariables, ScopeTextsQuery, ScopeTextsQueryVariables, TextsOfGroupQuery, TextsOfGroupQueryVariables, TypeTextsQuery, TypeTextsQueryVariables } from './graph';

export const applicationTexts: Operation<ApplicationTextsQuery, ApplicationTextsQueryVariables> =
  { operationName: 'ApplicationTexts', documentId: 'sha256:8453930a3d4ce375d93b26559554312bebad0c317ad4c07f998c3e71b8bde56d' };
export const scopeTexts: Operation<ScopeTextsQuery, ScopeTextsQueryVariables> =
  { operationName: 'ScopeTexts', documentId: 'sha256:519eaf11423e0f71395f3149c63f111b25bf2df1d94af9d9f33fd913401b69da' };
export const typeTexts: Operation<TypeTextsQuery, TypeTextsQueryVariables> =
  { operationName: 'TypeTexts', documentId: 'sha256:dc872f7c5d55a4b4946b619fd5c6656c05d321372bdb08a824540d9e8ede5f7a' };
export const textsOfGroup: Operation<TextsOfGroupQuery, TextsOfGroupQueryVariables> =
  { operationName: 'TextsOfGroup', documentId: 'sha256:ca1272ea0e5efd4b9d490604be350d42586f4ea9685a4e3335ca7da973f735b7' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, TypePageQuery, TypePageQueryVariables, TypeRowsQuery, TypeRowsQueryVariables } from './graph';

export const typeRows: Operation<TypeRowsQuery, TypeRowsQueryVariables> =
  { operationName: 'TypeRows', documentId: 'sha256:ba1d2524bc2c515ab23e752e5bd61aed783355e7527558ef54df5902b42bd99a' };
export const typePage: Operation<TypePageQuery, TypePageQueryVariables> =
  { operationName: 'TypePage', documentId: 'sha256:d5d4e4d93f579d39a4c076f9b2752475edf82bf4b285c26ce6aab14a7e9c57c8' };

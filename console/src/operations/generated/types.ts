/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, TypePageQuery, TypePageQueryVariables, TypeRowsQuery, TypeRowsQueryVariables } from './graph';

export const typeRows: Operation<TypeRowsQuery, TypeRowsQueryVariables> =
  { operationName: 'TypeRows', documentId: 'sha256:54a2cd177e97673813f3cab13585f8d611654e45e4a9272c7c940b09eaa16f45' };
export const typePage: Operation<TypePageQuery, TypePageQueryVariables> =
  { operationName: 'TypePage', documentId: 'sha256:d5d4e4d93f579d39a4c076f9b2752475edf82bf4b285c26ce6aab14a7e9c57c8' };

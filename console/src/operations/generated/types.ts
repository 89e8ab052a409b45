/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, TypePageQuery, TypePageQueryVariables, TypeRowsQuery, TypeRowsQueryVariables } from './graph';

export const typeRows: Operation<TypeRowsQuery, TypeRowsQueryVariables> =
  { operationName: 'TypeRows', documentId: 'sha256:923b151293e2ea854c6b95afbb849c039a3f8e62861e6bfc36fb0469d0005fac' };
export const typePage: Operation<TypePageQuery, TypePageQueryVariables> =
  { operationName: 'TypePage', documentId: 'sha256:d5d4e4d93f579d39a4c076f9b2752475edf82bf4b285c26ce6aab14a7e9c57c8' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, TypePageQuery, TypePageQueryVariables, TypeRowsQuery, TypeRowsQueryVariables } from './graph';

export const typeRows: Operation<TypeRowsQuery, TypeRowsQueryVariables> =
  { operationName: 'TypeRows', documentId: 'sha256:ba1d2524bc2c515ab23e752e5bd61aed783355e7527558ef54df5902b42bd99a' };
export const typePage: Operation<TypePageQuery, TypePageQueryVariables> =
  { operationName: 'TypePage', documentId: 'sha256:8532e75998f95f0d878515b9a751398bae18e911d3a958765e17e4c904c70a32' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, HolderRowsQuery, HolderRowsQueryVariables } from './graph';

export const holderRows: Operation<HolderRowsQuery, HolderRowsQueryVariables> =
  { operationName: 'HolderRows', documentId: 'sha256:4ec6b5c073e50bdd24c4c3851e603df5673f165a3a50ca4d7dcb2b44b7b3fc8d' };

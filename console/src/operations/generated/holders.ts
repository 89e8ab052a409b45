/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, HolderRowsQuery, HolderRowsQueryVariables } from './graph';

export const holderRows: Operation<HolderRowsQuery, HolderRowsQueryVariables> =
  { operationName: 'HolderRows', documentId: 'sha256:d146c67748f5a845ff7c69e5d7228e6def50d992c9863dc66af33295a9f45219' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, HolderRowsQuery, HolderRowsQueryVariables } from './graph';

export const holderRows: Operation<HolderRowsQuery, HolderRowsQueryVariables> =
  { operationName: 'HolderRows', documentId: 'sha256:eefdbee7c3704d186d5b40e6864306b357257c78e4b6e0f5c1fb3661852c6ec6' };

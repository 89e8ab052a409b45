/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, UserRowsQuery, UserRowsQueryVariables } from './graph';

export const userRows: Operation<UserRowsQuery, UserRowsQueryVariables> =
  { operationName: 'UserRows', documentId: 'sha256:ff4b815bfc33c8258d0d5258b9ac926c0b1b123b6efabff8a9e297de6df74456' };

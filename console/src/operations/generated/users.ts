/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, UserRowsQuery, UserRowsQueryVariables } from './graph';

export const userRows: Operation<UserRowsQuery, UserRowsQueryVariables> =
  { operationName: 'UserRows', documentId: 'sha256:97dbc63db92a977d4a13acf98407c7b8db39c3694e5e179593cdd1770b57b8f3' };

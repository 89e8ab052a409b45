/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ConnectorRowsQuery, ConnectorRowsQueryVariables } from './graph';

export const connectorRows: Operation<ConnectorRowsQuery, ConnectorRowsQueryVariables> =
  { operationName: 'ConnectorRows', documentId: 'sha256:0e0d38be70af91c81e120d5378b110ffa36c5e6d75900516f7ceac875cf454ad' };

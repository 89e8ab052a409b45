/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, UsageRowsQuery, UsageRowsQueryVariables } from './graph';

export const usageRows: Operation<UsageRowsQuery, UsageRowsQueryVariables> =
  { operationName: 'UsageRows', documentId: 'sha256:b22bc3ecc231e0a909c33b012e44bf858ea26132ee2541d2e4233115a359e3ac' };

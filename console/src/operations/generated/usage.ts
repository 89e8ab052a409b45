/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, UsageRowsQuery, UsageRowsQueryVariables } from './graph';

export const usageRows: Operation<UsageRowsQuery, UsageRowsQueryVariables> =
  { operationName: 'UsageRows', documentId: 'sha256:72d96610a1fc24076c022b0f4f1b3da2062b4b86971533a8fab959170790ac85' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, UsageRowsQuery, UsageRowsQueryVariables } from './graph';

export const usageRows: Operation<UsageRowsQuery, UsageRowsQueryVariables> =
  { operationName: 'UsageRows', documentId: 'sha256:b00586bcc76ac7368bddba2b65ce487b245ab4effcebd1708df3358ff1864bd6' };

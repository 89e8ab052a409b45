/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplicationPageQuery, ApplicationPageQueryVariables } from './graph';

export const applicationPage: Operation<ApplicationPageQuery, ApplicationPageQueryVariables> =
  { operationName: 'ApplicationPage', documentId: 'sha256:e43f9e54a3de446283e1cc0d7028717a4b2f9586a7bedfbebd5319f1c66167af' };

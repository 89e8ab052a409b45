/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplicationPageQuery, ApplicationPageQueryVariables } from './graph';

export const applicationPage: Operation<ApplicationPageQuery, ApplicationPageQueryVariables> =
  { operationName: 'ApplicationPage', documentId: 'sha256:9ba7d2369387cdb5a637e6bd21905458d5f644401b720a9e05dc153c8adab3fb' };

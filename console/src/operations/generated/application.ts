/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplicationPageQuery, ApplicationPageQueryVariables } from './graph';

export const applicationPage: Operation<ApplicationPageQuery, ApplicationPageQueryVariables> =
  { operationName: 'ApplicationPage', documentId: 'sha256:1176469f3c2a58a109925cbd210617ade832b092143977b0743e5fea7204690a' };

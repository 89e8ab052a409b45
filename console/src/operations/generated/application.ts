/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplicationPageQuery, ApplicationPageQueryVariables, ReachedByQuery, ReachedByQueryVariables } from './graph';

export const applicationPage: Operation<ApplicationPageQuery, ApplicationPageQueryVariables> =
  { operationName: 'ApplicationPage', documentId: 'sha256:1176469f3c2a58a109925cbd210617ade832b092143977b0743e5fea7204690a' };
export const reachedBy: Operation<ReachedByQuery, ReachedByQueryVariables> =
  { operationName: 'ReachedBy', documentId: 'sha256:32a3ea3e1a3b2c9ddb029b882ca83802031232b01ff0fda303000eadc7547cdb' };

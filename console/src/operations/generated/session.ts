/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, MeQuery, MeQueryVariables } from './graph';

export const me: Operation<MeQuery, MeQueryVariables> =
  { operationName: 'Me', documentId: 'sha256:0fa634c9548ba83a37df056c30e1d9fc349763edd30bfffb7ae4be2db3483d00' };

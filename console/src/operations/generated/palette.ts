/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, FindQuery, FindQueryVariables } from './graph';

export const find: Operation<FindQuery, FindQueryVariables> =
  { operationName: 'Find', documentId: 'sha256:0ac9c227eb339a2b1062b92df79d11724d327570bff3dcb7ff6688a43a157a77' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, MeQuery, MeQueryVariables } from './graph';

export const me: Operation<MeQuery, MeQueryVariables> =
  { operationName: 'Me', documentId: 'sha256:9b1dd7c21b4b18701a8f14e25a8f07bd06d405e047008e878808634e54c2f098' };

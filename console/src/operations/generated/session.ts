/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, MeQuery, MeQueryVariables } from './graph';

export const me: Operation<MeQuery, MeQueryVariables> =
  { operationName: 'Me', documentId: 'sha256:60e96d796bb5886410bbdd3220081e986bf7aedde7717f92c14904cc41ccc862' };

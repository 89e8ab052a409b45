/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, MeQuery, MeQueryVariables } from './graph';

export const me: Operation<MeQuery, MeQueryVariables> =
  { operationName: 'Me', documentId: 'sha256:d1840709ee36fcd72801e7a2cc3980eefaad717be2c249fcf915aa0832685c7e' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, MeQuery, MeQueryVariables, WaitingQuery, WaitingQueryVariables } from './graph';

export const me: Operation<MeQuery, MeQueryVariables> =
  { operationName: 'Me', documentId: 'sha256:5805220b0fab3f58c5058c703c903318d059dd6b32c2c60b6021aa4b2b21c088' };
export const waiting: Operation<WaitingQuery, WaitingQueryVariables> =
  { operationName: 'Waiting', documentId: 'sha256:6c825af66d174b71a86d7ea685cf29ebe1d9135ca7515b3b0913e1b0ee38baf7' };

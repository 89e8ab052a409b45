/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, SignInNeedsQuery, SignInNeedsQueryVariables } from './graph';

export const signInNeeds: Operation<SignInNeedsQuery, SignInNeedsQueryVariables> =
  { operationName: 'SignInNeeds', documentId: 'sha256:509a9709737c8a6fe640cf01bd607b12e04d05e74c63d545f1fce4cd6f433e9a' };

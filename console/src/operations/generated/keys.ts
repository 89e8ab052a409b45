/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, RotateSigningKeyMutation, RotateSigningKeyMutationVariables, SigningKeysQuery, SigningKeysQueryVariables } from './graph';

export const signingKeys: Operation<SigningKeysQuery, SigningKeysQueryVariables> =
  "query SigningKeys{signingKeys(first:100 orderBy:[{createdAt:DESC}]){nodes{kid alg state createdAt activatedAt retiredAt}}}";
export const rotateSigningKey: Operation<RotateSigningKeyMutation, RotateSigningKeyMutationVariables> =
  "mutation RotateSigningKey{rotateSigningKey{kid}}";

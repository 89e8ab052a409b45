/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, RotateSigningKeyMutation, RotateSigningKeyMutationVariables, SigningKeysQuery, SigningKeysQueryVariables } from './graph';

export const signingKeys: Operation<SigningKeysQuery, SigningKeysQueryVariables> =
  { operationName: 'SigningKeys', documentId: 'sha256:ee7c1c68fc4825b171f27ad991d56f2b8f63ca62a2b2478648fcca6af0b71092' };
export const rotateSigningKey: Operation<RotateSigningKeyMutation, RotateSigningKeyMutationVariables> =
  { operationName: 'RotateSigningKey', documentId: 'sha256:5c97941f0a9da7c24b629b5760f9ab857efbd7001d63253f4be52a7789f91ff4' };

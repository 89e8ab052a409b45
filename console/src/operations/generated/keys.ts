/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, RotateSigningKeyMutation, RotateSigningKeyMutationVariables, SigningKeysQuery, SigningKeysQueryVariables } from './graph';

export const signingKeys: Operation<SigningKeysQuery, SigningKeysQueryVariables> =
  { operationName: 'SigningKeys', documentId: 'sha256:9ac4e8802a15305e6f467b32384e5d0615be6087deaac8fdda5f3d3953647d15' };
export const rotateSigningKey: Operation<RotateSigningKeyMutation, RotateSigningKeyMutationVariables> =
  { operationName: 'RotateSigningKey', documentId: 'sha256:5c97941f0a9da7c24b629b5760f9ab857efbd7001d63253f4be52a7789f91ff4' };

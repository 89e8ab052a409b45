/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, RevokeTokensMutation, RevokeTokensMutationVariables, SessionsQuery, SessionsQueryVariables, UserPageQuery, UserPageQueryVariables } from './graph';

export const userPage: Operation<UserPageQuery, UserPageQueryVariables> =
  { operationName: 'UserPage', documentId: 'sha256:a973c6c635221ae26af65f44044135ddf9374a4e0a42742203a76a8cd930765c' };
export const sessions: Operation<SessionsQuery, SessionsQueryVariables> =
  { operationName: 'Sessions', documentId: 'sha256:dd309c861a0e85cab3a30089d9d6512fa24ec5ca0b097ea2b6fad2a3b2a486a7' };
export const revokeTokens: Operation<RevokeTokensMutation, RevokeTokensMutationVariables> =
  { operationName: 'RevokeTokens', documentId: 'sha256:a8581bdfb1dfd897475d674f6c904598c4ed40eca09dedc9ceb69739d636a900' };

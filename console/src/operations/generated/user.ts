/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ConsoleSessionsQuery, ConsoleSessionsQueryVariables, EndConsoleSessionMutation, EndConsoleSessionMutationVariables, ProfileOpensQuery, ProfileOpensQueryVariables, ProfilesToGiveQuery, ProfilesToGiveQueryVariables, RevokeTokensMutation, RevokeTokensMutationVariables, SessionsQuery, SessionsQueryVariables, UserHoldingsQuery, UserHoldingsQueryVariables, UserPageQuery, UserPageQueryVariables } from './graph';

export const userPage: Operation<UserPageQuery, UserPageQueryVariables> =
  { operationName: 'UserPage', documentId: 'sha256:5924bf2fe4abdc146ec8fea362476e4c0539fc39d199d79db202cf0f698a0c74' };
export const userHoldings: Operation<UserHoldingsQuery, UserHoldingsQueryVariables> =
  { operationName: 'UserHoldings', documentId: 'sha256:5f1f3122ab921b01d6a27181293530a067b7e4debb05b30857d6df1252643b0f' };
export const profileOpens: Operation<ProfileOpensQuery, ProfileOpensQueryVariables> =
  { operationName: 'ProfileOpens', documentId: 'sha256:af3e839d1e45c78ec4cfdc6280a708ba7119247e192cc5d144ff8ad128300864' };
export const profilesToGive: Operation<ProfilesToGiveQuery, ProfilesToGiveQueryVariables> =
  { operationName: 'ProfilesToGive', documentId: 'sha256:373ba4a4c18a36cdd91855a169ec384fb506ab01580869b5b20d4ba6ebd37eeb' };
export const sessions: Operation<SessionsQuery, SessionsQueryVariables> =
  { operationName: 'Sessions', documentId: 'sha256:24f7563951caffce905aa69a219831aea565cd5e5981c11bc4625f46eb891899' };
export const consoleSessions: Operation<ConsoleSessionsQuery, ConsoleSessionsQueryVariables> =
  { operationName: 'ConsoleSessions', documentId: 'sha256:22274ad022d3c82ba403217feab68f614e757d3c3f9b118647f989fcc43cb33a' };
export const endConsoleSession: Operation<EndConsoleSessionMutation, EndConsoleSessionMutationVariables> =
  { operationName: 'EndConsoleSession', documentId: 'sha256:4a36d22005b3a5bc3c7ca1da48af31818eca376067a20d5cf4a0c607951e9751' };
export const revokeTokens: Operation<RevokeTokensMutation, RevokeTokensMutationVariables> =
  { operationName: 'RevokeTokens', documentId: 'sha256:a8581bdfb1dfd897475d674f6c904598c4ed40eca09dedc9ceb69739d636a900' };

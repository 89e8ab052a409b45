/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, OpenedRowsQuery, OpenedRowsQueryVariables, ProfilePageQuery, ProfilePageQueryVariables, ProfileRowsQuery, ProfileRowsQueryVariables, ScopesOfProfileQuery, ScopesOfProfileQueryVariables } from './graph';

export const profileRows: Operation<ProfileRowsQuery, ProfileRowsQueryVariables> =
  { operationName: 'ProfileRows', documentId: 'sha256:285a1d3ac0d2910996efe506ffeb2cf80fada9ddb775ba87431d33fce893d184' };
export const profilePage: Operation<ProfilePageQuery, ProfilePageQueryVariables> =
  { operationName: 'ProfilePage', documentId: 'sha256:98d9e850c65185f3c37f81ea8a585bc00fb4b5081f0a7c1a53f5cd7418abdbec' };
export const openedRows: Operation<OpenedRowsQuery, OpenedRowsQueryVariables> =
  { operationName: 'OpenedRows', documentId: 'sha256:9fb7730706ff6c4b3527aad0e46f3b4ef4ea998134982450e077246cae00bbe9' };
export const scopesOfProfile: Operation<ScopesOfProfileQuery, ScopesOfProfileQueryVariables> =
  { operationName: 'ScopesOfProfile', documentId: 'sha256:16fd201a6779888608833dd40df924aa63ad87652096e2a49c6be10427fdf1a3' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ProfilePageQuery, ProfilePageQueryVariables, ProfileRowsQuery, ProfileRowsQueryVariables, ScopesOfProfileQuery, ScopesOfProfileQueryVariables } from './graph';

export const profileRows: Operation<ProfileRowsQuery, ProfileRowsQueryVariables> =
  { operationName: 'ProfileRows', documentId: 'sha256:285a1d3ac0d2910996efe506ffeb2cf80fada9ddb775ba87431d33fce893d184' };
export const profilePage: Operation<ProfilePageQuery, ProfilePageQueryVariables> =
  { operationName: 'ProfilePage', documentId: 'sha256:d510546df0a9d7a5c8f140467524a245cb33f897b726b078135702305be44efb' };
export const scopesOfProfile: Operation<ScopesOfProfileQuery, ScopesOfProfileQueryVariables> =
  { operationName: 'ScopesOfProfile', documentId: 'sha256:be723d027871b4af4fa9598a6a091d5e455c089f48dcf36edcfc78a33834412e' };

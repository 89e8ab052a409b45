/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ProfilePageQuery, ProfilePageQueryVariables, ProfileRowsQuery, ProfileRowsQueryVariables } from './graph';

export const profileRows: Operation<ProfileRowsQuery, ProfileRowsQueryVariables> =
  { operationName: 'ProfileRows', documentId: 'sha256:10b21ba972fcbcb246b4bd52d877514b83b69c0d076f679cc60aec945207d92f' };
export const profilePage: Operation<ProfilePageQuery, ProfilePageQueryVariables> =
  { operationName: 'ProfilePage', documentId: 'sha256:fae3cab7e1cc4e104563423d1bb4786706629f87c1812930c5c4eadbd54ff8d3' };

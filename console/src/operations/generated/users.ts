/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, FilterNamesQuery, FilterNamesQueryVariables, UnusualProfilesQuery, UnusualProfilesQueryVariables, UserGuidsQuery, UserGuidsQueryVariables, UserRowsQuery, UserRowsQueryVariables } from './graph';

export const userRows: Operation<UserRowsQuery, UserRowsQueryVariables> =
  { operationName: 'UserRows', documentId: 'sha256:f4b20b5c104b7122eac079afa348ed5e5617003f117a867df798f8f2d7f25552' };
export const userGuids: Operation<UserGuidsQuery, UserGuidsQueryVariables> =
  { operationName: 'UserGuids', documentId: 'sha256:004bc15514158a607f85fe8e18e431098bec7ad5f45a38284b80dccf11348e75' };
export const unusualProfiles: Operation<UnusualProfilesQuery, UnusualProfilesQueryVariables> =
  { operationName: 'UnusualProfiles', documentId: 'sha256:d5b6b0beff5c233731c55b77ad9714273c3ea97cbc2d27b8fd98dd0453c0f794' };
export const filterNames: Operation<FilterNamesQuery, FilterNamesQueryVariables> =
  { operationName: 'FilterNames', documentId: 'sha256:7f230328136ac7b8cb10d3bcc06682737c20ddcf8a9834982a44a1b0d12fdac1' };

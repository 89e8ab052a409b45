/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, PickApplicationsQuery, PickApplicationsQueryVariables, PickPeopleQuery, PickPeopleQueryVariables, PickProfilesQuery, PickProfilesQueryVariables, PickRolesQuery, PickRolesQueryVariables, PickScopesQuery, PickScopesQueryVariables } from './graph';

export const pickPeople: Operation<PickPeopleQuery, PickPeopleQueryVariables> =
  { operationName: 'PickPeople', documentId: 'sha256:c7d079b3b452419e1347aee6e48a3bf31f9198dae56dd8cb72a26f0d872e7282' };
export const pickApplications: Operation<PickApplicationsQuery, PickApplicationsQueryVariables> =
  { operationName: 'PickApplications', documentId: 'sha256:7b5d1dd1b9716c6516d3834a6c2b39cdfb5329a8fb7bb8884a0f65f147636ed6' };
export const pickScopes: Operation<PickScopesQuery, PickScopesQueryVariables> =
  { operationName: 'PickScopes', documentId: 'sha256:ef8fa98a17eb48cd49482defe1d47505afe3736a36cafb4c99ccf63107f41958' };
export const pickProfiles: Operation<PickProfilesQuery, PickProfilesQueryVariables> =
  { operationName: 'PickProfiles', documentId: 'sha256:9c6ae8a5a76c89817c6b453aded7f3ec1e3c77b46e11bc2b86f8f26203eedb2c' };
export const pickRoles: Operation<PickRolesQuery, PickRolesQueryVariables> =
  { operationName: 'PickRoles', documentId: 'sha256:6ff71b10cd45e8f07a53f9954e70ac7029fe80eebaddc642e6d71c204ebf179e' };

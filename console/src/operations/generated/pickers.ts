/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, PickApplicationsQuery, PickApplicationsQueryVariables, PickPeopleQuery, PickPeopleQueryVariables, PickProfilesQuery, PickProfilesQueryVariables, PickRolesQuery, PickRolesQueryVariables, PickScopesQuery, PickScopesQueryVariables } from './graph';

export const pickPeople: Operation<PickPeopleQuery, PickPeopleQueryVariables> =
  { operationName: 'PickPeople', documentId: 'sha256:8f7f8b9dd73f09a031d371e05ed3a937294644bb2594c0c27f08e02d8567e3ab' };
export const pickApplications: Operation<PickApplicationsQuery, PickApplicationsQueryVariables> =
  { operationName: 'PickApplications', documentId: 'sha256:2d624b06a2994c5b83d049e88ced589daf09b590a3bf53d1f1908194d86ae475' };
export const pickScopes: Operation<PickScopesQuery, PickScopesQueryVariables> =
  { operationName: 'PickScopes', documentId: 'sha256:83d8cd41e66c14f0bc16798f52952444de51d077e3a1b94b979b1f8433f458f4' };
export const pickProfiles: Operation<PickProfilesQuery, PickProfilesQueryVariables> =
  { operationName: 'PickProfiles', documentId: 'sha256:daf404ebb0b911cb8df2547b6d47165a3f60740999ec01104279f50e2956579a' };
export const pickRoles: Operation<PickRolesQuery, PickRolesQueryVariables> =
  { operationName: 'PickRoles', documentId: 'sha256:2a9802d35097a8dc55a8ca1c65c92a4381226477cc25762067e859164934ac53' };

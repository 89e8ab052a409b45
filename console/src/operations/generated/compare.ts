/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, CompareProfilesCountsQuery, CompareProfilesCountsQueryVariables, CompareUsersCountsQuery, CompareUsersCountsQueryVariables, ProfileToCompareQuery, ProfileToCompareQueryVariables, ProfilesApplicationsQuery, ProfilesApplicationsQueryVariables, ProfilesPeopleQuery, ProfilesPeopleQueryVariables, ProfilesScopesQuery, ProfilesScopesQueryVariables, RedundantHoldersQuery, RedundantHoldersQueryVariables, UserToCompareQuery, UserToCompareQueryVariables, UsersApplicationsQuery, UsersApplicationsQueryVariables, UsersProfilesQuery, UsersProfilesQueryVariables, UsersScopesQuery, UsersScopesQueryVariables } from './graph';

export const compareProfilesCounts: Operation<CompareProfilesCountsQuery, CompareProfilesCountsQueryVariables> =
  { operationName: 'CompareProfilesCounts', documentId: 'sha256:b5504d3a7a7a271e8b43b0750dad9940f5e3f39645e3ed490ae216739913eea7' };
export const redundantHolders: Operation<RedundantHoldersQuery, RedundantHoldersQueryVariables> =
  { operationName: 'RedundantHolders', documentId: 'sha256:1ad15e9fcc4ee8b6be912df8514c06bc82b1989e9c0abb89cd537e2575fbd7cd' };
export const compareUsersCounts: Operation<CompareUsersCountsQuery, CompareUsersCountsQueryVariables> =
  { operationName: 'CompareUsersCounts', documentId: 'sha256:c22e1eef605b321d2d64ee51beffaf3fcd70e007021f76bb21375593905825be' };
export const profileToCompare: Operation<ProfileToCompareQuery, ProfileToCompareQueryVariables> =
  { operationName: 'ProfileToCompare', documentId: 'sha256:8da7db9bb60c7abaf6313fad858c38688c80effa204b54fbf4d5f2f807f63389' };
export const userToCompare: Operation<UserToCompareQuery, UserToCompareQueryVariables> =
  { operationName: 'UserToCompare', documentId: 'sha256:d4ed578dff879201bd149f539ab1ec8b413d127ff2c8a3cedce115f7d6281e69' };
export const profilesScopes: Operation<ProfilesScopesQuery, ProfilesScopesQueryVariables> =
  { operationName: 'ProfilesScopes', documentId: 'sha256:5b7191288432079faba25371ab73718862523b9cec9c59cea474eed7ff114d92' };
export const profilesApplications: Operation<ProfilesApplicationsQuery, ProfilesApplicationsQueryVariables> =
  { operationName: 'ProfilesApplications', documentId: 'sha256:f9fc8db850fd1ffe204aff85ee2fceb803c4de134cadc9969e625df2dd3aabcd' };
export const profilesPeople: Operation<ProfilesPeopleQuery, ProfilesPeopleQueryVariables> =
  { operationName: 'ProfilesPeople', documentId: 'sha256:796213a37ab3756a3d57759b0c457433ed12234a216c6d6a0976b3e3d86b0a67' };
export const usersScopes: Operation<UsersScopesQuery, UsersScopesQueryVariables> =
  { operationName: 'UsersScopes', documentId: 'sha256:b56f598c84331cd0bdfa107e889d48853ce71c6d521aac4d172b183b3f81fa48' };
export const usersApplications: Operation<UsersApplicationsQuery, UsersApplicationsQueryVariables> =
  { operationName: 'UsersApplications', documentId: 'sha256:db727453f67d29bfd8c3a439d986ca210353c47edfd1753794b506ca9528e753' };
export const usersProfiles: Operation<UsersProfilesQuery, UsersProfilesQueryVariables> =
  { operationName: 'UsersProfiles', documentId: 'sha256:d4c588750574357c1ec9ddcbdd2401338e727bb332789d91eb5c2fab0ba86061' };

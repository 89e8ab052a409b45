/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, EffectApplicationsQuery, EffectApplicationsQueryVariables, EffectPeopleQuery, EffectPeopleQueryVariables, EffectProfilesQuery, EffectProfilesQueryVariables } from './graph';

export const effectPeople: Operation<EffectPeopleQuery, EffectPeopleQueryVariables> =
  { operationName: 'EffectPeople', documentId: 'sha256:7c2b91592c81916ac9240d6133f8bce6a656c6eab49abf682c343b7749c2722c' };
export const effectProfiles: Operation<EffectProfilesQuery, EffectProfilesQueryVariables> =
  { operationName: 'EffectProfiles', documentId: 'sha256:c1c41e0ba1e13e2c4c959ca806d5d830035c5ab7dfaf1a601cdd5e724d7b2cfb' };
export const effectApplications: Operation<EffectApplicationsQuery, EffectApplicationsQueryVariables> =
  { operationName: 'EffectApplications', documentId: 'sha256:db7443c409d8c04d6fbc77697187799b9cf530cedfd2b826b03fd29520bb3c12' };

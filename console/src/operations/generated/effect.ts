/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, EffectPeopleQuery, EffectPeopleQueryVariables, EffectProfilesQuery, EffectProfilesQueryVariables } from './graph';

export const effectPeople: Operation<EffectPeopleQuery, EffectPeopleQueryVariables> =
  { operationName: 'EffectPeople', documentId: 'sha256:7c2b91592c81916ac9240d6133f8bce6a656c6eab49abf682c343b7749c2722c' };
export const effectProfiles: Operation<EffectProfilesQuery, EffectProfilesQueryVariables> =
  { operationName: 'EffectProfiles', documentId: 'sha256:6514e97b2f7c55f701122ebcb88920906350645d3f97a06337f811bd664df638' };

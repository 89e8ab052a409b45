/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, MatchEmailsQuery, MatchEmailsQueryVariables, PeopleLeftOutQuery, PeopleLeftOutQueryVariables, PeopleToChangeQuery, PeopleToChangeQueryVariables, ProfileToGiveQuery, ProfileToGiveQueryVariables, RecordsWithIdsQuery, RecordsWithIdsQueryVariables, SuggestQuery, SuggestQueryVariables, TryGivingMutation, TryGivingMutationVariables } from './graph';

export const profileToGive: Operation<ProfileToGiveQuery, ProfileToGiveQueryVariables> =
  { operationName: 'ProfileToGive', documentId: 'sha256:b0f8c4202f57514d2d626485e18d5b599b9393eb125d4c71d4db78ba6b9bc665' };
export const peopleLeftOut: Operation<PeopleLeftOutQuery, PeopleLeftOutQueryVariables> =
  { operationName: 'PeopleLeftOut', documentId: 'sha256:e07a29f7f926d5f186308d0e5c6bb0cc5878b9879789884f35ed0bcd9b68f904' };
export const peopleToChange: Operation<PeopleToChangeQuery, PeopleToChangeQueryVariables> =
  { operationName: 'PeopleToChange', documentId: 'sha256:8a5f5efaaddfc30ab0b826380020bd85070d08be49af6223f87ede6573f23b27' };
export const suggest: Operation<SuggestQuery, SuggestQueryVariables> =
  { operationName: 'Suggest', documentId: 'sha256:f2a37e5bb6e0d08281356d9ce5d638637d8e91b5bb90dcd165df36022420157d' };
export const matchEmails: Operation<MatchEmailsQuery, MatchEmailsQueryVariables> =
  { operationName: 'MatchEmails', documentId: 'sha256:86d038cf216702c8d4b8d0c5f85cdef1a4a5fff320ffa6fd740e77b622612c13' };
export const tryGiving: Operation<TryGivingMutation, TryGivingMutationVariables> =
  { operationName: 'TryGiving', documentId: 'sha256:b0eb0dbfc2a2d25779ee9e547df8e6c92219340b69d2f13687e5b2271ea6b414' };
export const recordsWithIds: Operation<RecordsWithIdsQuery, RecordsWithIdsQueryVariables> =
  { operationName: 'RecordsWithIds', documentId: 'sha256:70e77e51737d68c0ba6da9344c751df47c5c7a6cde5013852fb8fb7f1d705102' };

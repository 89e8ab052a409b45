/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ChangeSetEventsQuery, ChangeSetEventsQueryVariables, ChangeSetVersionsQuery, ChangeSetVersionsQueryVariables, ChangeSetsQuery, ChangeSetsQueryVariables, RecordHistoryQuery, RecordHistoryQueryVariables } from './graph';

export const recordHistory: Operation<RecordHistoryQuery, RecordHistoryQueryVariables> =
  { operationName: 'RecordHistory', documentId: 'sha256:1fbcfc26bec3614a95a2aef2e88575ecd94227fdd562a1d49aec20cb069742cc' };
export const changeSets: Operation<ChangeSetsQuery, ChangeSetsQueryVariables> =
  { operationName: 'ChangeSets', documentId: 'sha256:43c2df9c79b90ec04f357fd902749ab2f76d1ed23d6e0e334eb310e515cacd90' };
export const changeSetEvents: Operation<ChangeSetEventsQuery, ChangeSetEventsQueryVariables> =
  { operationName: 'ChangeSetEvents', documentId: 'sha256:517abeb80848ed00796bc3db8e34c3305c090b93ea2e4bdc434c77a2346af6be' };
export const changeSetVersions: Operation<ChangeSetVersionsQuery, ChangeSetVersionsQueryVariables> =
  { operationName: 'ChangeSetVersions', documentId: 'sha256:0d9c2ee362693fe4313a8fe397a29b738b95d1da7f819676a2fb5ec3284563ec' };

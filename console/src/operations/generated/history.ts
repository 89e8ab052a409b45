/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ChangeSetDetailQuery, ChangeSetDetailQueryVariables, ChangeSetsQuery, ChangeSetsQueryVariables, RecordHistoryQuery, RecordHistoryQueryVariables } from './graph';

export const recordHistory: Operation<RecordHistoryQuery, RecordHistoryQueryVariables> =
  { operationName: 'RecordHistory', documentId: 'sha256:80f42b6fef13a461cee249f09e97de18b668eb2117359ceb42470207d672b64b' };
export const changeSets: Operation<ChangeSetsQuery, ChangeSetsQueryVariables> =
  { operationName: 'ChangeSets', documentId: 'sha256:335570b5d2222a74ebd6c500fb155eb02c5efdba912fc23373927f65d2366f97' };
export const changeSetDetail: Operation<ChangeSetDetailQuery, ChangeSetDetailQueryVariables> =
  { operationName: 'ChangeSetDetail', documentId: 'sha256:2049a0fb9927f214216eab0db2df9c444a96456543ce4447e7d66836c5ac06fd' };

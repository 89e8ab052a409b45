/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, RecordHistoryQuery, RecordHistoryQueryVariables } from './graph';

export const recordHistory: Operation<RecordHistoryQuery, RecordHistoryQueryVariables> =
  "query RecordHistory($subjectType:String!$subjectId:String!$first:Int!$after:String){history(subjectType:$subjectType subjectId:$subjectId first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{recordVersionId action changes{field before after}changeSet{changeSetGuid occurredAt face note actorNavigation{firstName lastName}undoneBy{changeSetGuid}}}}}";

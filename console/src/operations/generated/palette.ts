/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, FindApplicationsQuery, FindApplicationsQueryVariables, FindPeopleQuery, FindPeopleQueryVariables, FindQuery, FindQueryVariables } from './graph';

export const find: Operation<FindQuery, FindQueryVariables> =
  { operationName: 'Find', documentId: 'sha256:a5a09ad34e1de4d5d4162ad254d0218ed803f8d04b139ea009546b294197fbc3' };
export const findPeople: Operation<FindPeopleQuery, FindPeopleQueryVariables> =
  { operationName: 'FindPeople', documentId: 'sha256:51593f73891b69b2f1278550d7abb7ee9174f51fd7b26a93660e5af43b4a451a' };
export const findApplications: Operation<FindApplicationsQuery, FindApplicationsQueryVariables> =
  { operationName: 'FindApplications', documentId: 'sha256:1d64c1a8ec8ae6c865eae679f074dceef73f9ae89e75187866656672f31c0320' };

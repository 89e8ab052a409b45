/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplicationNamesQuery, ApplicationNamesQueryVariables, ApplicationRowsQuery, ApplicationRowsQueryVariables } from './graph';

export const applicationRows: Operation<ApplicationRowsQuery, ApplicationRowsQueryVariables> =
  { operationName: 'ApplicationRows', documentId: 'sha256:ad68054ad6b00e25b8a7e46ee341ce16c27b6504a33e30ab5d2bd053ceac9e04' };
export const applicationNames: Operation<ApplicationNamesQuery, ApplicationNamesQueryVariables> =
  { operationName: 'ApplicationNames', documentId: 'sha256:ed77a2da8386b158d43e37b4742804c060b746b26fefa2eb44df4d18ffba1dfc' };

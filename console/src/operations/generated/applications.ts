/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplicationNamesQuery, ApplicationNamesQueryVariables, ApplicationRowsQuery, ApplicationRowsQueryVariables } from './graph';

export const applicationRows: Operation<ApplicationRowsQuery, ApplicationRowsQueryVariables> =
  { operationName: 'ApplicationRows', documentId: 'sha256:3f663cecba40073d3804356c5ff58115a27ace8ee785ca0f67818de56666beab' };
export const applicationNames: Operation<ApplicationNamesQuery, ApplicationNamesQueryVariables> =
  { operationName: 'ApplicationNames', documentId: 'sha256:ed77a2da8386b158d43e37b4742804c060b746b26fefa2eb44df4d18ffba1dfc' };

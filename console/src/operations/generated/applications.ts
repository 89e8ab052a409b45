/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplicationNamesQuery, ApplicationNamesQueryVariables, ApplicationRowsQuery, ApplicationRowsQueryVariables } from './graph';

export const applicationRows: Operation<ApplicationRowsQuery, ApplicationRowsQueryVariables> =
  { operationName: 'ApplicationRows', documentId: 'sha256:3f663cecba40073d3804356c5ff58115a27ace8ee785ca0f67818de56666beab' };
export const applicationNames: Operation<ApplicationNamesQuery, ApplicationNamesQueryVariables> =
  { operationName: 'ApplicationNames', documentId: 'sha256:57c35bcaa94ec3fb738b023c06ac5faa990bc4b71420e4a189c2f8e31f493636' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ManagersQuery, ManagersQueryVariables } from './graph';

export const managers: Operation<ManagersQuery, ManagersQueryVariables> =
  { operationName: 'Managers', documentId: 'sha256:d7b071b724db4df314ad859a087ad30e720e4491f6274bab3258b59dc0a5ffa6' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ScopePageQuery, ScopePageQueryVariables, ScopeRowsQuery, ScopeRowsQueryVariables } from './graph';

export const scopeRows: Operation<ScopeRowsQuery, ScopeRowsQueryVariables> =
  { operationName: 'ScopeRows', documentId: 'sha256:595e90a32ee29a921eb386608bd04ce42ced6f3ad16ef5ec0fc9911dbac48aa2' };
export const scopePage: Operation<ScopePageQuery, ScopePageQueryVariables> =
  { operationName: 'ScopePage', documentId: 'sha256:32da8a47c545642e04b1f78a1236a362eb116cbf19d1027fe3d55264897244b9' };

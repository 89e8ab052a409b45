/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ScopePageQuery, ScopePageQueryVariables, ScopeProfilesQuery, ScopeProfilesQueryVariables, ScopeRowsQuery, ScopeRowsQueryVariables } from './graph';

export const scopeRows: Operation<ScopeRowsQuery, ScopeRowsQueryVariables> =
  { operationName: 'ScopeRows', documentId: 'sha256:595e90a32ee29a921eb386608bd04ce42ced6f3ad16ef5ec0fc9911dbac48aa2' };
export const scopePage: Operation<ScopePageQuery, ScopePageQueryVariables> =
  { operationName: 'ScopePage', documentId: 'sha256:5792648399629ed40103f82441c48b10a02ae6531507ad3f7b18fffecc79658e' };
export const scopeProfiles: Operation<ScopeProfilesQuery, ScopeProfilesQueryVariables> =
  { operationName: 'ScopeProfiles', documentId: 'sha256:e0a6c7570f91d82ca5df10f6f1ad11b81caa5133ab53ba44f939f23bebec560f' };

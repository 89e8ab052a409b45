/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ScopePageQuery, ScopePageQueryVariables, ScopeProfilesQuery, ScopeProfilesQueryVariables, ScopeRowsQuery, ScopeRowsQueryVariables } from './graph';

export const scopeRows: Operation<ScopeRowsQuery, ScopeRowsQueryVariables> =
  { operationName: 'ScopeRows', documentId: 'sha256:580fc79f46720021bd8e4c8f3ae063d05bba73121b0e00c00a81374d4ca0857f' };
export const scopePage: Operation<ScopePageQuery, ScopePageQueryVariables> =
  { operationName: 'ScopePage', documentId: 'sha256:5792648399629ed40103f82441c48b10a02ae6531507ad3f7b18fffecc79658e' };
export const scopeProfiles: Operation<ScopeProfilesQuery, ScopeProfilesQueryVariables> =
  { operationName: 'ScopeProfiles', documentId: 'sha256:490ecb83f1563ce03c35fa04209d42fc0a2b128eacfed70facef5aab36bfcea4' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ScopePageQuery, ScopePageQueryVariables, ScopeProfilesQuery, ScopeProfilesQueryVariables, ScopeRowsQuery, ScopeRowsQueryVariables } from './graph';

export const scopeRows: Operation<ScopeRowsQuery, ScopeRowsQueryVariables> =
  { operationName: 'ScopeRows', documentId: 'sha256:229005b071c2895015fd184f1a129288d567b880eb3692f84a10137cdc0c27ed' };
export const scopePage: Operation<ScopePageQuery, ScopePageQueryVariables> =
  { operationName: 'ScopePage', documentId: 'sha256:5792648399629ed40103f82441c48b10a02ae6531507ad3f7b18fffecc79658e' };
export const scopeProfiles: Operation<ScopeProfilesQuery, ScopeProfilesQueryVariables> =
  { operationName: 'ScopeProfiles', documentId: 'sha256:490ecb83f1563ce03c35fa04209d42fc0a2b128eacfed70facef5aab36bfcea4' };

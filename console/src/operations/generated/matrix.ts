/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ColumnOfScopeQuery, ColumnOfScopeQueryVariables, ColumnOfTypeQuery, ColumnOfTypeQueryVariables, MatrixQuery, MatrixQueryVariables, ScopeTypesQuery, ScopeTypesQueryVariables, ScopesOfTypeQuery, ScopesOfTypeQueryVariables } from './graph';

export const scopeTypes: Operation<ScopeTypesQuery, ScopeTypesQueryVariables> =
  { operationName: 'ScopeTypes', documentId: 'sha256:0c0575c9ce2eec75a9d07da57ddd07d61078963935ddf3da0b729696dda1400f' };
export const scopesOfType: Operation<ScopesOfTypeQuery, ScopesOfTypeQueryVariables> =
  { operationName: 'ScopesOfType', documentId: 'sha256:74197644728177206e4535dc72878783f34360b3ed071f587ccabf6f4a7b8957' };
export const matrix: Operation<MatrixQuery, MatrixQueryVariables> =
  { operationName: 'Matrix', documentId: 'sha256:8809f86b11d48a58844698b6054cfd4bbf276ee028f77ba9c77b3e2560aa8c29' };
export const columnOfScope: Operation<ColumnOfScopeQuery, ColumnOfScopeQueryVariables> =
  { operationName: 'ColumnOfScope', documentId: 'sha256:9548cfaf156b1617cffa6237ba34e908da5865b1011615bee3f7c6316a10d290' };
export const columnOfType: Operation<ColumnOfTypeQuery, ColumnOfTypeQueryVariables> =
  { operationName: 'ColumnOfType', documentId: 'sha256:7189c56f1caa9dd22151ba78d3d75ebeb8f44cb3e588c1d19cceef5de6da6161' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ColumnOfScopeQuery, ColumnOfScopeQueryVariables, ColumnOfTypeQuery, ColumnOfTypeQueryVariables, MatrixQuery, MatrixQueryVariables, ScopeTypesQuery, ScopeTypesQueryVariables } from './graph';

export const scopeTypes: Operation<ScopeTypesQuery, ScopeTypesQueryVariables> =
  { operationName: 'ScopeTypes', documentId: 'sha256:60f935ef41aa225189535fea35a71b8bfb900904e09432119d7d6152addc3c40' };
export const matrix: Operation<MatrixQuery, MatrixQueryVariables> =
  { operationName: 'Matrix', documentId: 'sha256:82d3acfd4b77cb70cc8ea47329915ee088445371b13d191ea3689f9f087cdc71' };
export const columnOfScope: Operation<ColumnOfScopeQuery, ColumnOfScopeQueryVariables> =
  { operationName: 'ColumnOfScope', documentId: 'sha256:7d48a8f69ff15fcb189a488336c11b28b5553ed866c76eca552d9ab235204b90' };
export const columnOfType: Operation<ColumnOfTypeQuery, ColumnOfTypeQueryVariables> =
  { operationName: 'ColumnOfType', documentId: 'sha256:d4df78b1423da3e5d0e1ef1043b74118b4e0b132168106be6116067ae10dedbe' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ScopeMappingRowsQuery, ScopeMappingRowsQueryVariables, TypeMappingRowsQuery, TypeMappingRowsQueryVariables } from './graph';

export const scopeMappingRows: Operation<ScopeMappingRowsQuery, ScopeMappingRowsQueryVariables> =
  { operationName: 'ScopeMappingRows', documentId: 'sha256:eb43dea2beb23274f40c9317825483382b1077e85379c94dde007da35341fa30' };
export const typeMappingRows: Operation<TypeMappingRowsQuery, TypeMappingRowsQueryVariables> =
  { operationName: 'TypeMappingRows', documentId: 'sha256:aeeb645dc7077833074904d47b8fad5370521ad60d546d2be02a216894420421' };

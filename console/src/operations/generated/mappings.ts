/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, MappingsOfApplicationQuery, MappingsOfApplicationQueryVariables, ScopeMappingRowsQuery, ScopeMappingRowsQueryVariables, TypeMappingRowsQuery, TypeMappingRowsQueryVariables, TypeMappingsOfApplicationQuery, TypeMappingsOfApplicationQueryVariables } from './graph';

export const scopeMappingRows: Operation<ScopeMappingRowsQuery, ScopeMappingRowsQueryVariables> =
  { operationName: 'ScopeMappingRows', documentId: 'sha256:eb43dea2beb23274f40c9317825483382b1077e85379c94dde007da35341fa30' };
export const typeMappingRows: Operation<TypeMappingRowsQuery, TypeMappingRowsQueryVariables> =
  { operationName: 'TypeMappingRows', documentId: 'sha256:aeeb645dc7077833074904d47b8fad5370521ad60d546d2be02a216894420421' };
export const mappingsOfApplication: Operation<MappingsOfApplicationQuery, MappingsOfApplicationQueryVariables> =
  { operationName: 'MappingsOfApplication', documentId: 'sha256:4a8840c6199bf6d16b9bc339c957d8bc7ff884cb78f6ca013036984ea0a1914a' };
export const typeMappingsOfApplication: Operation<TypeMappingsOfApplicationQuery, TypeMappingsOfApplicationQueryVariables> =
  { operationName: 'TypeMappingsOfApplication', documentId: 'sha256:d7f938995f567f817787b9cf5d0a0f83ba10d874070b841eea90828b897f069b' };

/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ScopeMappingRowsQuery, ScopeMappingRowsQueryVariables, TypeMappingRowsQuery, TypeMappingRowsQueryVariables } from './graph';

export const scopeMappingRows: Operation<ScopeMappingRowsQuery, ScopeMappingRowsQueryVariables> =
  { operationName: 'ScopeMappingRows', documentId: 'sha256:f2aed02beef9242523820ec0cba7ccd2f496a517b3548d6d77fd1556c07b71e0' };
export const typeMappingRows: Operation<TypeMappingRowsQuery, TypeMappingRowsQueryVariables> =
  { operationName: 'TypeMappingRows', documentId: 'sha256:d47eeabcfd3dd043ed2a6917275adddc769fe75832c4740731292bcc9e8d5988' };

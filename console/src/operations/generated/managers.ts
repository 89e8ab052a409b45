/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, HoldingManagersQuery, HoldingManagersQueryVariables, ManagersQuery, ManagersQueryVariables, ScopeMappingManagersQuery, ScopeMappingManagersQueryVariables, TypeMappingManagersQuery, TypeMappingManagersQueryVariables } from './graph';

export const managers: Operation<ManagersQuery, ManagersQueryVariables> =
  { operationName: 'Managers', documentId: 'sha256:4ef116db67c467a25bf86f650c47cbd5c37c6dbb07748f7a6b97460b53c20dd6' };
export const scopeMappingManagers: Operation<ScopeMappingManagersQuery, ScopeMappingManagersQueryVariables> =
  { operationName: 'ScopeMappingManagers', documentId: 'sha256:d546700af1fb82364c8a7d32a825d6b7f592cbc7f28269b32b4aef68e63dd4e2' };
export const typeMappingManagers: Operation<TypeMappingManagersQuery, TypeMappingManagersQueryVariables> =
  { operationName: 'TypeMappingManagers', documentId: 'sha256:ee2dbe802c991de1b1e409e47f77c00ac761b0322bf1e4d5a02400f05145f607' };
export const holdingManagers: Operation<HoldingManagersQuery, HoldingManagersQueryVariables> =
  { operationName: 'HoldingManagers', documentId: 'sha256:5e5e512f12f6aba37e2baecf3fb6b77766ad59a36a2ad8edf6b9b90dc4e9adba' };

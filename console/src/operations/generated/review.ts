/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplyChangesMutation, ApplyChangesMutationVariables, MappingsNowQuery, MappingsNowQueryVariables, TryChangesMutation, TryChangesMutationVariables, TryUndoMutation, TryUndoMutationVariables, UndoMutation, UndoMutationVariables } from './graph';

export const tryChanges: Operation<TryChangesMutation, TryChangesMutationVariables> =
  { operationName: 'TryChanges', documentId: 'sha256:3f36e8d1afbc03e26f7d279f8dc835c0ac5edce24856284fe5dc27ecbfa34d4d' };
export const applyChanges: Operation<ApplyChangesMutation, ApplyChangesMutationVariables> =
  { operationName: 'ApplyChanges', documentId: 'sha256:df3bf83e3d39c39176959f660e7ae04f0e9d15e9fb2c46f46d4d38f9942dbd14' };
export const tryUndo: Operation<TryUndoMutation, TryUndoMutationVariables> =
  { operationName: 'TryUndo', documentId: 'sha256:ee8d80b73b4fe4e6050fb5017e6b54b37849fb5f36c0c9fc366f2e28238b5a6e' };
export const undo: Operation<UndoMutation, UndoMutationVariables> =
  { operationName: 'Undo', documentId: 'sha256:04e44930e842c7a5b8234a622223de8ba04c9a786eb716e224a1aa172fcaf661' };
export const mappingsNow: Operation<MappingsNowQuery, MappingsNowQueryVariables> =
  { operationName: 'MappingsNow', documentId: 'sha256:c70dc6bd218e8e9ae8c34903277868af23fab044ee10b1bcaeb8b8ae60aad596' };

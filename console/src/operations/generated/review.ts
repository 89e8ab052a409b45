/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplyChangesMutation, ApplyChangesMutationVariables, MappingsNowQuery, MappingsNowQueryVariables, TryChangesMutation, TryChangesMutationVariables, TryUndoMutation, TryUndoMutationVariables, UndoMutation, UndoMutationVariables } from './graph';

export const tryChanges: Operation<TryChangesMutation, TryChangesMutationVariables> =
  { operationName: 'TryChanges', documentId: 'sha256:d24fd32d70eb6d58201ba70a570b2a05b99fa6dc5b2ae490d3979567a9d5051d' };
export const applyChanges: Operation<ApplyChangesMutation, ApplyChangesMutationVariables> =
  { operationName: 'ApplyChanges', documentId: 'sha256:df3bf83e3d39c39176959f660e7ae04f0e9d15e9fb2c46f46d4d38f9942dbd14' };
export const tryUndo: Operation<TryUndoMutation, TryUndoMutationVariables> =
  { operationName: 'TryUndo', documentId: 'sha256:37280e432bee2dbd9d56885ba1eaac66d62bea125d2c85c6cd5121ac53f7a5b2' };
export const undo: Operation<UndoMutation, UndoMutationVariables> =
  { operationName: 'Undo', documentId: 'sha256:04e44930e842c7a5b8234a622223de8ba04c9a786eb716e224a1aa172fcaf661' };
export const mappingsNow: Operation<MappingsNowQuery, MappingsNowQueryVariables> =
  { operationName: 'MappingsNow', documentId: 'sha256:fb02dfae9bb8a922c6943548a79976e806a86eb7fc177d59ac4059c830e1d536' };

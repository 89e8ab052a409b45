/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplyChangesMutation, ApplyChangesMutationVariables, MappingsNowQuery, MappingsNowQueryVariables, TryChangesMutation, TryChangesMutationVariables, TryUndoMutation, TryUndoMutationVariables, UndoMutation, UndoMutationVariables } from './graph';

export const tryChanges: Operation<TryChangesMutation, TryChangesMutationVariables> =
  { operationName: 'TryChanges', documentId: 'sha256:351bed5b1c95d7ef9e4f63780fc5b7a883134369579650b2a000cc09f3d3aeb5' };
export const applyChanges: Operation<ApplyChangesMutation, ApplyChangesMutationVariables> =
  { operationName: 'ApplyChanges', documentId: 'sha256:df3bf83e3d39c39176959f660e7ae04f0e9d15e9fb2c46f46d4d38f9942dbd14' };
export const tryUndo: Operation<TryUndoMutation, TryUndoMutationVariables> =
  { operationName: 'TryUndo', documentId: 'sha256:8ec0f24af0024d907e08b4701af0ec4c7df887d5696368361303a305f458dede' };
export const undo: Operation<UndoMutation, UndoMutationVariables> =
  { operationName: 'Undo', documentId: 'sha256:04e44930e842c7a5b8234a622223de8ba04c9a786eb716e224a1aa172fcaf661' };
export const mappingsNow: Operation<MappingsNowQuery, MappingsNowQueryVariables> =
  { operationName: 'MappingsNow', documentId: 'sha256:c70dc6bd218e8e9ae8c34903277868af23fab044ee10b1bcaeb8b8ae60aad596' };

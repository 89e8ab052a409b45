/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApplyChangesMutation, ApplyChangesMutationVariables, MappingsNowQuery, MappingsNowQueryVariables, TryChangesMutation, TryChangesMutationVariables, TryUndoMutation, TryUndoMutationVariables, UndoMutation, UndoMutationVariables } from './graph';

export const tryChanges: Operation<TryChangesMutation, TryChangesMutationVariables> =
  { operationName: 'TryChanges', documentId: 'sha256:d24fd32d70eb6d58201ba70a570b2a05b99fa6dc5b2ae490d3979567a9d5051d' };
export const applyChanges: Operation<ApplyChangesMutation, ApplyChangesMutationVariables> =
  { operationName: 'ApplyChanges', documentId: 'sha256:df3bf83e3d39c39176959f660e7ae04f0e9d15e9fb2c46f46d4d38f9942dbd14' };
export const tryUndo: Operation<TryUndoMutation, TryUndoMutationVariables> =
  { operationName: 'TryUndo', documentId: 'sha256:63dd3667c64b5a62c8644ed9a2ead13f5e7f3bc5a072c955b949ebeeb82936b2' };
export const undo: Operation<UndoMutation, UndoMutationVariables> =
  { operationName: 'Undo', documentId: 'sha256:04e44930e842c7a5b8234a622223de8ba04c9a786eb716e224a1aa172fcaf661' };
export const mappingsNow: Operation<MappingsNowQuery, MappingsNowQueryVariables> =
  { operationName: 'MappingsNow', documentId: 'sha256:205dc340fef9d2c9f7cfc698d08d147da2c0f62d29d2a8a39a6113c65148dd62' };

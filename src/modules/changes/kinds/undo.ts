/** Undoing a change set. */
import { ChangeSet } from '../../../entities/ChangeSet.js';
import { fieldOf } from '../../../entities/description.js';
import { restoreChangeSet } from '../undo.js';
import { argument, type Kind, onAccess, plainTitle } from './kind.js';

export const undo: Kind<{ changeSetGuid: string }> = {
  name: 'undoChangeSet',
  family: 'undoChangeSet',
  input: {
    type: 'UndoChangeSetChange',
    doc: 'The arguments of undoChangeSet.',
    does: 'Undoes a change set. The request must contain no other change.',
    fields: [argument('changeSetGuid', fieldOf(ChangeSet, 'changeSetGuid'), { required: true })],
  },
  does: {
    apply: (context, { changeSetGuid }) => restoreChangeSet(context, changeSetGuid),
    size: () => 1,
    undoes: ({ changeSetGuid }) => changeSetGuid,
  },
  title: plainTitle({ verb: 'undo', noun: 'change set', subject: 'changeSetGuid' }),
  effect: onAccess,
  ownedBy: null,
  endingAt: null,
};

/** A change set that is to be undone: what that does, before it is done. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { mutate, Refusal, sendOnce } from '../graph';
import { useKept, writeKept } from '../kept';
import { proposeChanges } from '../operations/generated/inbox';
import { tryUndo, undo } from '../operations/generated/review';
import { ofReview, readAgain } from '../readAgain';
import { useViewer } from '../session';
import { Sheet } from '../ui/Dialog';
import { Loading } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { say } from '../ui/Toasts';
import { Affected } from './Affected';
import { EffectTotals, OtherEffects } from './Effect';
import { NoteField } from './NoteField';
import { review } from './reviewing';
import { UndoneEvents } from './UndoneEvents';

const keptNote = 'note of undoing';

function close(): void {
  writeKept(keptNote, undefined);
  review(undefined);
}

export function ReviewUndo({ changeSetGuid, title }: { changeSetGuid: string; title: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [note, setNote] = useKept(keptNote, '');
  const tried = useQuery({
    queryKey: [ofReview, 'try undo', changeSetGuid],
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => mutate(tryUndo, { changeSetGuid }, signal),
  });
  const undoing = useMutation({
    mutationFn: () => mutate(undo, { changeSetGuid, note: note || null }),
    onSuccess: async ({ undoChangeSet }) => {
      await readAgain(queries);
      close();
      const run = () => review({ kind: 'undo', changeSetGuid: undoChangeSet.changeSetGuid, title: 'the undoing' });
      say({ text: `Undone: ${title}.`, act: { label: 'Undo that…', run } });
    },
  });
  const proposing = useMutation({
    mutationFn: () => {
      const what = { changes: [{ undoChangeSet: { changeSetGuid } }], note };
      return sendOnce(what, (proposalGuid) => mutate(proposeChanges, { ...what, proposalGuid }));
    },
    onSuccess: async ({ proposeChanges: { proposalGuid } }) => {
      await readAgain(queries);
      close();
      say({ text: 'The undo is proposed: another person decides.' });
      void navigate({ to: '/inbox', search: { view: 'mine', proposal: proposalGuid } as never });
    },
  });
  const approvals = useViewer().data?.viewer.approvals;
  const needsApproval =
    approvals === 'all' || (undoing.error instanceof Refusal && undoing.error.code === 'APPROVAL_REQUIRED');
  const isBusy = undoing.isPending || proposing.isPending;
  const error = proposing.error ?? undoing.error ?? tried.error;
  const effect = tried.data?.undoChangeSet.effect;
  return (
    <Sheet
      title={`Undo ${title}`}
      isWide
      isBusy={isBusy}
      onClose={close}
      foot={
        <>
          <NoteField value={note} onChange={setNote} isReadOnly={isBusy} />
          <button type="button" className="button" disabled={isBusy} onClick={close}>
            Back
          </button>
          {needsApproval ? (
            <button
              type="button"
              className="button primary"
              disabled={!tried.isSuccess || isBusy || note.trim() === ''}
              title={note.trim() === '' ? 'A proposal needs a note.' : undefined}
              onClick={() => proposing.mutate()}
            >
              {proposing.isPending ? 'Proposing…' : 'Propose'}
            </button>
          ) : (
            <button
              type="button"
              className="button primary"
              disabled={!tried.isSuccess || isBusy}
              onClick={() => undoing.mutate()}
            >
              {undoing.isPending ? 'Undoing…' : 'Undo'}
            </button>
          )}
        </>
      }
    >
      {tried.isPending && <Loading lines={4} />}
      {error && <Failure error={error} retry={() => void tried.refetch()} />}
      {!!tried.data?.undoChangeSet.removedUsers && (
        <p className="notice near" role="note">
          {tried.data.undoChangeSet.removedUsers} people are removed for good, with their guids and personal data. This
          undo cannot be undone. To keep them without access, block them instead.
        </p>
      )}
      {effect && <EffectTotals effect={effect} />}
      {effect && <Affected effect={effect} again={() => void tried.refetch()} />}
      {tried.data && <UndoneEvents changeSetGuid={changeSetGuid} />}
      {effect && <OtherEffects effect={effect} subjects={[]} />}
    </Sheet>
  );
}

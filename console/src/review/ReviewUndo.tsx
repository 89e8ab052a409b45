/** A change set that is to be taken back: what that does, before it is done. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, mutate } from '../graph';
import { useKept, writeKept } from '../kept';
import { changeSetDetail } from '../operations/generated/history';
import { tryUndo, undo } from '../operations/generated/review';
import { ofReview, readAgain } from '../readAgain';
import { Sheet } from '../ui/Dialog';
import { Loading } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { say } from '../ui/Toasts';
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
  const [note, setNote] = useKept(keptNote, '');
  const tried = useQuery({
    queryKey: [ofReview, 'try undo', changeSetGuid],
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => mutate(tryUndo, { changeSetGuid }, signal),
  });
  // names and values are of the change itself; without them the review is less clear, and goes on
  const undone = useQuery({
    queryKey: ['change set', changeSetGuid],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await ask(changeSetDetail, { changeSetGuid }, signal)).changeSet,
  });
  const undoing = useMutation({
    mutationFn: () => mutate(undo, { changeSetGuid, note: note || null }),
    onSuccess: async ({ undoChangeSet }) => {
      await readAgain(queries);
      close();
      const run = () => review({ kind: 'undo', changeSetGuid: undoChangeSet.changeSetGuid, title: 'the undoing' });
      say({ text: `Taken back: ${title}.`, act: { label: 'Undo that…', run } });
    },
  });
  const error = undoing.error ?? tried.error;
  const effect = tried.data?.undoChangeSet.effect;
  return (
    <Sheet
      title={`Take back ${title}`}
      isBusy={undoing.isPending}
      onClose={close}
      foot={
        <>
          <button type="button" className="button" disabled={undoing.isPending} onClick={close}>
            Leave it
          </button>
          <span className="grow" />
          <button
            type="button"
            className="button primary"
            disabled={!tried.isSuccess || undoing.isPending}
            onClick={() => undoing.mutate()}
          >
            {undoing.isPending ? 'Taking back…' : 'Take back'}
          </button>
        </>
      }
    >
      {tried.isPending && <Loading lines={4} />}
      {error && <Failure error={error} retry={() => void tried.refetch()} />}
      {effect && <EffectTotals effect={effect} />}
      {tried.data && (
        <UndoneEvents
          events={tried.data.undoChangeSet.events?.nodes ?? []}
          versions={undone.data?.versions?.nodes ?? []}
        />
      )}
      {effect && <OtherEffects effect={effect} subjects={[]} />}
      <NoteField value={note} onChange={setNote} />
    </Sheet>
  );
}

/** A change set that is to be undone: what that does, before it is done. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { mutate } from '../graph';
import { useKept, writeKept } from '../kept';
import { tryUndo, undo } from '../operations/generated/review';
import { ofReview, readAgain } from '../readAgain';
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
  const error = undoing.error ?? tried.error;
  const effect = tried.data?.undoChangeSet.effect;
  return (
    <Sheet
      title={`Undo ${title}`}
      isWide
      isBusy={undoing.isPending}
      onClose={close}
      foot={
        <>
          <NoteField value={note} onChange={setNote} isReadOnly={undoing.isPending} />
          <button type="button" className="button" disabled={undoing.isPending} onClick={close}>
            Back
          </button>
          <button
            type="button"
            className="button primary"
            disabled={!tried.isSuccess || undoing.isPending}
            onClick={() => undoing.mutate()}
          >
            {undoing.isPending ? 'Undoing…' : 'Undo'}
          </button>
        </>
      }
    >
      {tried.isPending && <Loading lines={4} />}
      {error && <Failure error={error} retry={() => void tried.refetch()} />}
      {effect && <EffectTotals effect={effect} />}
      {effect && <Affected effect={effect} again={() => void tried.refetch()} />}
      {tried.data && <UndoneEvents changeSetGuid={changeSetGuid} />}
      {effect && <OtherEffects effect={effect} subjects={[]} />}
    </Sheet>
  );
}

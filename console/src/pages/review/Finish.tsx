/** The end of a review: who loses what, before it is done. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { mutate } from '../../graph';
import { finishReview } from '../../operations/generated/reviews';
import { readAgain } from '../../readAgain';
import { Affected } from '../../review/Affected';
import { EffectTotals, OtherEffects } from '../../review/Effect';
import { Sheet } from '../../ui/Dialog';
import { Loading } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { say } from '../../ui/Toasts';
import { plural } from '../../words';

interface FinishProps {
  reviewGuid: string;
  counts: { keep: number; end: number; endAt: number; undecided: number; changed: number };
  undecided: string;
  onClose: () => void;
}

export function Finish({ reviewGuid, counts, undecided, onClose }: FinishProps) {
  const queries = useQueryClient();
  const tried = useQuery({
    queryKey: ['reviews', 'trial', reviewGuid],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await mutate(finishReview, { reviewGuid, dryRun: true }, signal)).finishReview.effect ?? null,
  });
  const finishing = useMutation({
    mutationFn: () => mutate(finishReview, { reviewGuid, dryRun: false }),
    onSuccess: async () => {
      onClose();
      say({ text: 'The review is finished.' });
      await readAgain(queries);
    },
  });
  const isBusy = finishing.isPending;
  return (
    <Sheet
      title="Finish the review"
      sub={`${plural(counts.keep, 'grant')} stay, ${counts.end} end, ${counts.endAt} end on a date`}
      isWide
      isBusy={isBusy}
      onClose={onClose}
      foot={
        <button
          type="button"
          className="button danger"
          disabled={isBusy || !tried.isSuccess}
          onClick={() => finishing.mutate()}
        >
          Finish and end what was decided
        </button>
      }
    >
      {counts.undecided > 0 && (
        <p className="notice near">
          Nobody decided about {plural(counts.undecided, 'grant')}: they {undecided === 'END' ? 'end' : 'stay'}.
        </p>
      )}
      {counts.changed > 0 && (
        <p className="notice near">
          {plural(counts.changed, 'grant was', 'grants were')} changed or removed since the start, and will not be
          touched.
        </p>
      )}
      {tried.isPending && <Loading lines={4} />}
      {tried.error && <Failure error={tried.error} retry={() => void tried.refetch()} />}
      {tried.data && <EffectTotals effect={tried.data} />}
      {tried.data && <Affected effect={tried.data} again={() => void tried.refetch()} />}
      {tried.data && <OtherEffects effect={tried.data} subjects={[]} />}
      {finishing.error && <Failure error={finishing.error} />}
    </Sheet>
  );
}

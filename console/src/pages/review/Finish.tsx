/** The end of a review: who loses what, before it is done. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endDate } from '../../grantEnd';
import { ask, mutate } from '../../graph';
import { finishReview, reviewEnds } from '../../operations/generated/reviews';
import { readAgain } from '../../readAgain';
import { Affected } from '../../review/Affected';
import { EffectTotals, OtherEffects } from '../../review/Effect';
import { Sheet } from '../../ui/Dialog';
import { Loading } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { PartList, useParts } from '../../ui/PartList';
import { say } from '../../ui/Toasts';
import { plural } from '../../words';
import { nameOfItem } from './itemName';
import '../../theme/reviewed.css';

const endsInPart = 50;

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
      sub={`${plural(counts.keep, 'grant stays', 'grants stay')}, ${plural(counts.end, 'ends', 'end')}, ${plural(counts.endAt, 'ends', 'end')} on a date`}
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
      <Ends reviewGuid={reviewGuid} undecided={undecided} />
      {finishing.error && <Failure error={finishing.error} />}
    </Sheet>
  );
}

/** Every grant that ends, to the last one. */
function Ends({ reviewGuid, undecided }: { reviewGuid: string; undecided: string }) {
  const decision = [...(undecided === 'END' ? (['UNDECIDED'] as const) : []), 'END' as const, 'END_AT' as const];
  const parts = useParts(['reviews', 'ends', reviewGuid], async (after, signal) => {
    const variables = { reviewGuid, filter: { decision, changed: false }, first: endsInPart, after };
    return (await ask(reviewEnds, variables, signal)).review?.items;
  });
  return (
    <section className="reviewed" aria-label="What ends">
      <h3>What ends: {parts.total === undefined ? 'counting…' : plural(parts.total, 'grant')}</h3>
      <PartList parts={parts} empty={<p>No grant ends.</p>}>
        {(rows) => (
          <ul>
            {rows.map((item) => (
              <li key={item.itemGuid} className="loss">
                <span aria-hidden="true">−</span>
                <span>
                  {nameOfItem(item)}
                  {item.until && `, on ${endDate(item.until)}`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </PartList>
    </section>
  );
}

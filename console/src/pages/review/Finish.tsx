/** The end of a review: who loses what, before it is done. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endDate } from '../../grantEnd';
import { ask, mutate, Refusal } from '../../graph';
import { finishReview, reviewEnds, reviewHead } from '../../operations/generated/reviews';
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
  undecided: string;
  onClose: () => void;
}

export function Finish({ reviewGuid, undecided, onClose }: FinishProps) {
  const queries = useQueryClient();
  // what is shown is finished, or nothing: it stays as it was read until the service says that somebody has decided since
  const read = useQuery({
    queryKey: ['reviews', 'finish', reviewGuid],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await ask(reviewHead, { reviewGuid }, signal)).review!.counts,
  });
  const counts = read.data;
  const tried = useQuery({
    queryKey: ['reviews', 'trial', reviewGuid, counts?.revision],
    enabled: counts !== undefined,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await mutate(finishReview, { reviewGuid, dryRun: true }, signal)).finishReview.effect ?? null,
  });
  const finishing = useMutation({
    mutationFn: () => mutate(finishReview, { reviewGuid, ifRevision: counts!.revision, dryRun: false }),
    onSuccess: async () => {
      onClose();
      say({ text: 'The review is finished.' });
      await readAgain(queries);
    },
    onError: (error) => {
      if (error instanceof Refusal && error.code === 'CONFLICT') void read.refetch();
    },
  });
  const isBusy = finishing.isPending;
  return (
    <Sheet
      title="Finish the review"
      sub={
        counts &&
        `${plural(counts.keep, 'grant stays', 'grants stay')}, ${plural(counts.end, 'ends', 'end')}, ${plural(counts.endAt, 'ends', 'end')} on a date`
      }
      isWide
      isBusy={isBusy}
      onClose={onClose}
      foot={
        <button
          type="button"
          className="button danger"
          disabled={isBusy || read.isFetching || !tried.isSuccess}
          onClick={() => finishing.mutate()}
        >
          Finish and end what was decided
        </button>
      }
    >
      {counts && counts.undecided > 0 && (
        <p className="notice near">
          Nobody decided about {plural(counts.undecided, 'grant')}: they {undecided === 'END' ? 'end' : 'stay'}.
        </p>
      )}
      {counts && counts.changed > 0 && (
        <p className="notice near">
          {plural(counts.changed, 'grant was', 'grants were')} changed or removed since the start, and will not be
          touched.
        </p>
      )}
      {tried.isPending && !read.error && <Loading lines={4} />}
      {read.error && <Failure error={read.error} retry={() => void read.refetch()} />}
      {tried.error && <Failure error={tried.error} retry={() => void tried.refetch()} />}
      {tried.data && <EffectTotals effect={tried.data} />}
      {tried.data && <Affected effect={tried.data} again={() => void tried.refetch()} />}
      {tried.data && <OtherEffects effect={tried.data} subjects={[]} />}
      {counts && <Ends reviewGuid={reviewGuid} revision={counts.revision} undecided={undecided} />}
      {finishing.error && <Failure error={finishing.error} />}
    </Sheet>
  );
}

/** Every grant that ends, to the last one. */
function Ends({ reviewGuid, revision, undecided }: { reviewGuid: string; revision: number; undecided: string }) {
  const decision = [...(undecided === 'END' ? (['UNDECIDED'] as const) : []), 'END' as const, 'END_AT' as const];
  const parts = useParts(['reviews', 'ends', reviewGuid, revision], async (after, signal) => {
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

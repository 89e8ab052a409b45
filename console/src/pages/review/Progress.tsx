/** How far a review is, beside its grants: what was decided, what finishing it would do, and each owner's part. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../graph';
import type { ReviewHeadQuery } from '../../operations/generated/graph';
import { reviewProgress } from '../../operations/generated/reviews';
import { Bar } from '../../ui/Bar';
import { Loading } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { Time } from '../../ui/Time';
import { plural } from '../../words';
import { partOf } from './Owners';

interface ProgressProps {
  reviewGuid: string;
  counts: NonNullable<ReviewHeadQuery['review']>['counts'];
  isOpen: boolean;
  onOwners: () => void;
}

const number = (count: number) => count.toLocaleString('en');

export function Progress({ reviewGuid, counts, isOpen, onOwners }: ProgressProps) {
  const read = useQuery({
    queryKey: ['reviews', 'head', reviewGuid, 'progress'],
    queryFn: async ({ signal }) => (await ask(reviewProgress, { reviewGuid }, signal)).review,
  });
  const { owners, effect, effectAt } = read.data ?? {};
  return (
    <aside className="review-progress stack" aria-label="Progress">
      <section className="card">
        <header>
          <h2>So far</h2>
        </header>
        <dl className="sums">
          <Sum words="Kept" count={counts.keep} />
          <Sum words={isOpen ? 'Ends when finished' : 'Ended'} count={counts.end} isLoss />
          <Sum words="Ends on a date" count={counts.endAt} />
          <Sum words="Open" count={counts.undecided} />
        </dl>
        {isOpen && effect && effect.loses.users > 0 && (
          <p className="note">
            Finishing it would remove access from{' '}
            <b className="loss-text">{plural(effect.loses.users, 'person', 'people')}</b>
            {effect.tokens.sessions > 0 && <>; {plural(effect.tokens.sessions, 'open session')} would end or change</>},
            as counted <Time iso={effectAt} />.
          </p>
        )}
      </section>
      <section className="card">
        <header>
          <h2>By owner</h2>
        </header>
        {read.isPending && <Loading lines={3} />}
        {read.error && <Failure error={read.error} retry={() => void read.refetch()} />}
        {owners && (
          <ul className="owner-bars">
            {owners.nodes.map(({ owner, decided, total }) => (
              <li key={owner?.profileId ?? ''}>
                <Link to="/reviews/$guid" params={{ guid: reviewGuid }} search={partOf(owner?.profileId) as never}>
                  <b>{owner?.name ?? 'Without an owner'}</b>
                  <span>
                    {number(decided)} of {number(total)}
                  </span>
                </Link>
                <Bar label={`${owner?.name ?? 'Without an owner'}: decided`} done={decided} of={total} />
              </li>
            ))}
          </ul>
        )}
        {owners && owners.totalCount > owners.nodes.length && (
          <p className="note">
            <button type="button" className="link" onClick={onOwners}>
              Shown: {owners.nodes.length} of {number(owners.totalCount)}
            </button>
          </p>
        )}
      </section>
    </aside>
  );
}

const Sum = ({ words, count, isLoss = false }: { words: string; count: number; isLoss?: boolean }) => (
  <div>
    <dt>{words}</dt>
    <dd className={isLoss && count > 0 ? 'loss-text' : undefined}>{number(count)}</dd>
  </div>
);

/** All access reviews with their progress, and the start of a new one. */
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useAddress, viewAmong } from '../address';
import { ask } from '../graph';
import { useKeptOpen } from '../keptOpen';
import type { ReviewListFilter, ReviewListQuery } from '../operations/generated/graph';
import { reviewList } from '../operations/generated/reviews';
import { useMay } from '../session';
import { Bar } from '../ui/Bar';
import { Empty } from '../ui/Empty';
import { PartList, useParts } from '../ui/PartList';
import { SaveCsv } from '../ui/SaveCsv';
import { SearchField } from '../ui/SearchField';
import { Segments } from '../ui/Segments';
import { Time } from '../ui/Time';
import { plural } from '../words';
import { StartReview } from './reviews/StartReview';
import '../theme/people.css';
import '../theme/reviews.css';

type Item = ReviewListQuery['reviews']['nodes'][number];
const views = [
  ['OPEN', 'Open'],
  ['FINISHED', 'Finished'],
  ['CANCELLED', 'Cancelled'],
] as const;

export function Reviews() {
  const [{ q, view: chosen }, change] = useAddress<{ q?: string; view?: string }>();
  const view = viewAmong(views, chosen);
  const sheet = useKeptOpen('reviews');
  const mayStart = useMay('admin:security');
  const filter: ReviewListFilter = { state: [view], text: q?.trim() || null };
  const parts = useParts(
    ['reviews', view, q],
    async (after, signal) => (await ask(reviewList, { filter, first: 20, after }, signal)).reviews,
    { exported: { list: 'reviews', filter, orderBy: [{ dueAt: 'ASC' }] } },
  );
  const searchFor = useCallback((text: string) => change({ q: text }, 'replace'), [change]);
  return (
    <div className="page">
      <div className="head">
        <div>
          <h1>Access reviews</h1>
          <p className="sub">
            Owners decide about each grant: keep it or end it. All grants that end are one change set.
          </p>
        </div>
        <div className="head-acts">
          {mayStart && (
            <button type="button" className="button primary" onClick={() => sheet.open('start')}>
              Start a review…
            </button>
          )}
        </div>
      </div>
      <div className="bar">
        <Segments label="Access reviews" value={view} options={views} onChange={(next) => change({ view: next })} />
        <SearchField main label="Search access reviews" placeholder="Name" value={q ?? ''} onChange={searchFor} />
        <SaveCsv label="access reviews" list={parts} />
      </div>
      <section className="card" aria-label="Access reviews">
        <PartList
          parts={parts}
          empty={
            <Empty icon="check" title={`No access review is ${view.toLowerCase()}`}>
              {view === 'OPEN' && 'In a review, owners keep or end each grant until a date.'}
            </Empty>
          }
        >
          {(rows) => (
            <ul className="reviews">
              {rows.map((item) => (
                <Line key={item.reviewGuid} item={item} />
              ))}
            </ul>
          )}
        </PartList>
      </section>
      {sheet.opened && <StartReview onClose={sheet.close} />}
    </div>
  );
}

function Line({ item: { reviewGuid: guid, name, state, dueAt, finishedAt, counts } }: { item: Item }) {
  const { total, decided, mine } = counts;
  return (
    <li>
      <Link to="/reviews/$guid" params={{ guid }}>
        <b>{name}</b>
      </Link>
      <span>
        {state === 'OPEN' ? (
          <>
            due <Time iso={dueAt} />
          </>
        ) : (
          <>
            {state.toLowerCase()} <Time iso={finishedAt} />
          </>
        )}
      </span>
      <Bar label={`${name}: decided`} done={decided} of={total} />
      <span>
        {decided.toLocaleString('en')} of {plural(total, 'grant')} decided
      </span>
      {state === 'OPEN' && mine.undecided > 0 && (
        <span className="badge amber">{mine.undecided.toLocaleString('en')} for you</span>
      )}
    </li>
  );
}

/** All access reviews with their progress, and the start of a new one. */
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useCallback, useState } from 'react';
import { useAddress, viewAmong } from '../address';
import { dayIn, endOf, inServiceZone } from '../grantEnd';
import { ask, mutate } from '../graph';
import type { ReviewListQuery } from '../operations/generated/graph';
import { reviewList, startReview } from '../operations/generated/reviews';
import { useMay } from '../session';
import { Bar } from '../ui/Bar';
import { Sheet } from '../ui/Dialog';
import { Empty } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { PartList, useParts } from '../ui/PartList';
import { SaveCsv } from '../ui/SaveCsv';
import { SearchField } from '../ui/SearchField';
import { Segments } from '../ui/Segments';
import { Time } from '../ui/Time';
import { plural } from '../words';
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
  const [isStarting, setStarting] = useState(false);
  const mayStart = useMay('admin:security');
  const parts = useParts(
    ['reviews', view, q],
    async (after, signal) =>
      (await ask(reviewList, { filter: { state: [view], text: q?.trim() || null }, first: 20, after }, signal)).reviews,
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
        <span className="grow" />
        {mayStart && (
          <button type="button" className="button primary" onClick={() => setStarting(true)}>
            Start a review…
          </button>
        )}
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
      {isStarting && <Start onClose={() => setStarting(false)} />}
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
      {state === 'OPEN' && mine.undecided > 0 && <span className="badge amber">{mine.undecided} for you</span>}
    </li>
  );
}

function Start({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [due, setDue] = useState(() => dayIn(30));
  const [undecided, setUndecided] = useState<'KEEP' | 'END'>('KEEP');
  const [which, setWhich] = useState<'all' | 'people' | 'unused' | 'administration'>('people');
  const starting = useMutation({
    mutationFn: async () => {
      const filter = {
        ...(which === 'people' && { kinds: ['USER_PROFILE' as const] }),
        ...(which === 'unused' && { unusedDays: 90 }),
        ...(which === 'administration' && { administration: true }),
      };
      const dueAt = endOf(due);
      return (await mutate(startReview, { name, filter, dueAt, undecided })).startReview.reviewGuid;
    },
    onSuccess: (guid) => void navigate({ to: '/reviews/$guid', params: { guid } }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    starting.mutate();
  };
  return (
    <Sheet
      title="Start an access review"
      sub="It covers the grants that exist now."
      isBusy={starting.isPending}
      onClose={onClose}
      foot={
        <button
          type="submit"
          form="start-review"
          className="button primary"
          disabled={starting.isPending || name.trim() === '' || due === ''}
        >
          Start
        </button>
      }
    >
      <form id="start-review" className="review-form" onSubmit={submit}>
        <label>
          Name
          <input className="input" maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        <label>
          Grants
          <select className="input" value={which} onChange={({ target }) => setWhich(target.value as typeof which)}>
            <option value="people">Profiles that people hold</option>
            <option value="unused">Profiles that people have not used for 90 days</option>
            <option value="administration">Profiles with administration scopes</option>
            <option value="all">All: people, and access scopes of profiles</option>
          </select>
        </label>
        <label>
          Due on{inServiceZone() && `, until the end of the day${inServiceZone()}`}
          <input className="input" type="date" value={due} onChange={({ target }) => setDue(target.value)} />
        </label>
        <label>
          Grants that nobody decided about
          <select
            className="input"
            value={undecided}
            onChange={({ target }) => setUndecided(target.value as typeof undecided)}
          >
            <option value="KEEP">stay</option>
            <option value="END">end</option>
          </select>
        </label>
        {starting.error && <Failure error={starting.error} />}
      </form>
    </Sheet>
  );
}

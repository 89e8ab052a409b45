/** What needs the viewer, and what changed last; each card asks by itself, so that one that fails leaves the others. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { dayMs } from '../grantEnd';
import { ask } from '../graph';
import type { OverviewChangesQuery, OverviewProposalsQuery, OverviewQuery } from '../operations/generated/graph';
import { overview, overviewChanges, overviewProposals } from '../operations/generated/overview';
import { useViewer } from '../session';
import { setPaletteOpen } from '../shell/paletteOpen';
import { Bar } from '../ui/Bar';
import { Effects } from '../ui/Effects';
import { Loading } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { GrantEnd } from '../ui/GrantEnd';
import { Icon } from '../ui/icons';
import { IconTile, Tile } from '../ui/Tile';
import { Time } from '../ui/Time';
import { fullName } from '../words';
import { type Line, number, rowsOf } from './overview/attention';
import { SignIns } from './overview/SignIns';
import '../theme/overview.css';

export function Overview() {
  const viewer = useViewer().data?.viewer;
  const isSecurity = viewer?.permissions.includes('admin:security') ?? false;
  const attention = useQuery({
    queryKey: ['overview', isSecurity],
    enabled: viewer !== undefined,
    queryFn: ({ signal }) => {
      const now = Date.now();
      const [from, until] = [now, now + endingDays * dayMs].map((time) => new Date(time).toISOString());
      return ask(overview, { isSecurity, from: from!, until: until! }, signal);
    },
  });
  const proposals = useQuery({
    queryKey: ['proposals', 'overview'],
    queryFn: ({ signal }) => ask(overviewProposals, {}, signal),
  });
  const changes = useQuery({
    queryKey: ['change sets', 'overview'],
    enabled: isSecurity,
    queryFn: async ({ signal }) => (await ask(overviewChanges, {}, signal)).changeSets,
  });
  const isQuiet =
    attention.data &&
    proposals.data &&
    attention.data.ending.totalCount === 0 &&
    rowsOf(attention.data).length === 0 &&
    [waitingOf, othersOf, goLivesOf, reviewsOf].every((lines) => lines(proposals.data).length === 0);
  return (
    <div className="page">
      <div className="head">
        <div>
          <h1>Overview</h1>
          <p className="sub">{today()}. What needs your attention, and the latest changes.</p>
        </div>
      </div>
      <div className="overview-cards">
        <div className="stack">
          {isQuiet && (
            <section className="card">
              <header>
                <h2>Nothing needs you.</h2>
              </header>
            </section>
          )}
          <Card
            title="Waiting for your approval"
            query={proposals}
            rows={waitingOf}
            count={countWaiting}
            more={inbox}
          />
          <Card title="Needs attention" query={attention} rows={rowsOf} />
          <Card
            title={`Ends in ${endingDays} days`}
            query={attention}
            rows={endingOf}
            count={countEnding}
            more={allEnding}
          />
        </div>
        <div className="stack">
          <Quickest />
          <Card title="Waiting for others" query={proposals} rows={othersOf} count={countOthers} more={openProposals} />
          <Card title="Planned go-lives" query={proposals} rows={goLivesOf} count={countGoLives} more={schedule} />
          <Card title="Access reviews" query={proposals} rows={reviewsOf} count={countReviews} more={allReviews} />
          {attention.data?.overview.signInHours && <SignIns hours={attention.data.overview.signInHours} />}
          {isSecurity && <Card title="Latest changes" query={changes} rows={changesOf} more={allChanges} />}
        </div>
      </div>
    </div>
  );
}

const endingDays = 14;

/** The way that needs no page at all. */
const Quickest = () => (
  <section className="card quickest" aria-labelledby="quickest">
    <h2 id="quickest">The quickest way</h2>
    <p>
      <button type="button" className="link" onClick={() => setPaletteOpen(true)}>
        <kbd>Ctrl K</kbd> finds and does anything
      </button>
      . Type <q>why diego asset register</q>: it says why Diego can’t open it, and <b>Do it…</b> opens it.
    </p>
  </section>
);

const today = () => new Date().toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });

interface CardProps<Answer> {
  title: string;
  query: UseQueryResult<Answer>;
  rows: (answer: Answer) => Line[];
  /** How many of all are shown. */
  count?: (answer: Answer) => string | false;
  /** The way to all. */
  more?: (answer: Answer) => ReactNode;
}

/** Nothing is shown where there is nothing to say. */
function Card<Answer>({ title, query, rows, count, more }: CardProps<Answer>) {
  if (query.data === undefined)
    return (
      <section className="card" aria-label={title}>
        <header>
          <h2>{title}</h2>
        </header>
        {query.error ? <Failure error={query.error} retry={() => void query.refetch()} /> : <Loading lines={3} />}
      </section>
    );
  const lines = rows(query.data);
  const counted = count?.(query.data);
  if (lines.length === 0) return null;
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {counted && <span className="count">{counted}</span>}
        <span className="grow" />
        {more?.(query.data)}
      </header>
      <ul className="overview-lines">
        {lines.map(({ key, to, ...line }) => (
          <li key={key}>
            {to ? (
              <Link {...(to as LinkProps)}>
                <LineBody {...line} leads />
              </Link>
            ) : (
              <div>
                <LineBody {...line} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const LineBody = ({
  mark,
  text,
  detail,
  amount,
  end,
  below,
  isNear,
  leads,
}: Omit<Line, 'key' | 'to'> & { leads?: boolean }) => (
  <>
    {mark}
    <span className="two-lines whole">
      <b>{text}</b>
      {detail && <small>{detail}</small>}
    </span>
    {amount !== undefined && (
      <span className={`amount${isNear ? ' near' : ''}`}>
        {amount}
        {leads && <Icon name="right" size={16} />}
      </span>
    )}
    {end && <span className="when">{end}</span>}
    {below}
  </>
);

const shownOf = (
  { totalCount, nodes }: { totalCount: number; nodes: unknown[] },
  words = '',
  all = totalCount,
): string | false => all > nodes.length && `${number(nodes.length)} of ${number(all)}${words}`;

const waitingOf = ({ waiting }: OverviewProposalsQuery): Line[] =>
  waiting.nodes.map(({ proposalGuid, title, proposedAt, expiresAt, proposedByNavigation, proposedEffect }) => ({
    key: proposalGuid,
    mark: <Tile name={fullName(proposedByNavigation)} round />,
    text: title,
    detail: (
      <>
        {[fullName(proposedByNavigation), proposedByNavigation?.department].filter(Boolean).join(', ')} ·{' '}
        <Time iso={proposedAt} /> · expires <Time iso={expiresAt} />
      </>
    ),
    end: <Effects {...proposedEffect} />,
    to: { to: '/inbox', search: { proposal: proposalGuid } as never },
  }));

/** Those that the viewer does not decide about: own ones, and those that need another permission. */
const othersOf = ({ others }: OverviewProposalsQuery): Line[] =>
  others.nodes.map(({ proposalGuid, title, approvers, proposedAt, expiresAt, proposedByNavigation }) => ({
    key: proposalGuid,
    mark: <Tile name={fullName(proposedByNavigation)} round size="small" />,
    text: title,
    detail: (
      <>
        {fullName(proposedByNavigation)}, <Time iso={proposedAt} /> ·{' '}
        {[approvers.permission, ...approvers.owners.map(({ name }) => name)].join(' or ')} decides · expires{' '}
        <Time iso={expiresAt} />
      </>
    ),
    to: { to: '/inbox', search: { view: 'open', proposal: proposalGuid } as never },
  }));

const countOthers = ({ others }: OverviewProposalsQuery) => shownOf(others);

const openProposals = () => (
  <Link className="link" to="/inbox" search={{ view: 'open' } as never}>
    All open proposals
  </Link>
);

const endingOf = ({ ending }: OverviewQuery): Line[] =>
  ending.nodes.map(({ userProfileId, validUntil, user, profile, role }) => ({
    key: String(userProfileId),
    mark: <Tile name={fullName(user)} round size="small" />,
    text: fullName(user),
    detail: `${profile.name} as ${role.name}`,
    end: <GrantEnd iso={validUntil!} />,
    to: { to: `/users/${user.userGuid}` as '/users' },
  }));

const countEnding = ({ ending }: OverviewQuery) => shownOf(ending);

const allEnding = () => (
  <Link className="link" to="/ending">
    All that end soon
  </Link>
);

const countWaiting = ({ waiting, open }: OverviewProposalsQuery) =>
  shownOf(waiting, ' open proposals', open.totalCount);

const inbox = () => (
  <Link className="link" to="/inbox">
    Open the inbox
  </Link>
);

const goLivesOf = ({ overview: { goLives } }: OverviewProposalsQuery): Line[] =>
  [...(goLives?.nodes ?? [])]
    .sort((one, other) => Number(other.state === 'FAILED') - Number(one.state === 'FAILED'))
    .map(({ proposalGuid, title, state, applyAt, proposedEffect }) => ({
      key: proposalGuid,
      mark: applyAt ? <DateTile iso={applyAt} /> : <IconTile icon="clock" />,
      text: title,
      detail:
        state === 'FAILED' ? (
          <span className="loss-text">Failed: nothing was applied</span>
        ) : (
          <>
            <Time iso={applyAt} /> · <Effects {...proposedEffect} />
          </>
        ),
      to: { to: '/inbox', search: { view: 'scheduled', proposal: proposalGuid } as never },
    }));

function DateTile({ iso }: { iso: string }) {
  const date = new Date(iso);
  return (
    <span className="date-tile" aria-hidden="true">
      <b>{date.getDate()}</b>
      {date.toLocaleDateString('en-GB', { month: 'short' })}
    </span>
  );
}

const countGoLives = ({ overview: { goLives } }: OverviewProposalsQuery) => goLives !== null && shownOf(goLives);

const schedule = () => (
  <Link className="link" to="/inbox" search={{ view: 'scheduled' } as never}>
    Schedule
  </Link>
);

const reviewsOf = ({ overview: { reviews } }: OverviewProposalsQuery): Line[] =>
  (reviews?.nodes ?? []).map(({ reviewGuid, name, dueAt, counts: { total, decided, mine } }) => ({
    key: reviewGuid,
    text: name,
    end: (
      <span>
        due <Time iso={dueAt} />
      </span>
    ),
    below: (
      <>
        <Bar label={`${name}: decided`} done={decided} of={total} />
        <small>
          {number(decided)} of {number(total)} decided · {number(mine.undecided)} wait for you
        </small>
      </>
    ),
    to: { to: `/reviews/${reviewGuid}` as '/reviews' },
  }));

const countReviews = ({ overview: { reviews } }: OverviewProposalsQuery) => reviews !== null && shownOf(reviews);

const allReviews = () => (
  <Link className="link" to="/reviews">
    All reviews
  </Link>
);

type ChangeSets = OverviewChangesQuery['changeSets'];

const changesOf = (sets: ChangeSets): Line[] =>
  (sets?.nodes ?? []).map(({ changeSetGuid, occurredAt, note, summary, actorNavigation }) => {
    const who = actorNavigation ? fullName(actorNavigation) : 'Gatehouse';
    return {
      key: changeSetGuid,
      mark: <Tile name={who} round size="small" />,
      text: summary ?? 'A change',
      detail: note ? `${who} · “${note}”` : who,
      end: <Time iso={occurredAt} />,
      to: { to: '/history', search: { change: changeSetGuid } as never },
    };
  });

const allChanges = (sets: ChangeSets) => (
  <Link className="link" to="/history">{`All ${number(sets?.totalCount ?? 0)} changes`}</Link>
);

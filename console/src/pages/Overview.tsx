/** What needs the viewer, and what changed last; each card asks by itself, so that one that fails leaves the others. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { eventTitle, subjectWords } from '../eventWords';
import { ask } from '../graph';
import type { OverviewChangesQuery, OverviewProposalsQuery, OverviewQuery } from '../operations/generated/graph';
import { overview, overviewChanges, overviewProposals } from '../operations/generated/overview';
import { useViewer } from '../session';
import { Badge } from '../ui/Badge';
import { Loading } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { Icon, type IconName } from '../ui/icons';
import { Time } from '../ui/Time';
import { fullName, plural } from '../words';
import '../theme/overview.css';

export function Overview() {
  const viewer = useViewer().data?.viewer;
  const isSecurity = viewer?.permissions.includes('admin:security') ?? false;
  const attention = useQuery({
    queryKey: ['overview', isSecurity],
    enabled: viewer !== undefined,
    queryFn: ({ signal }) => ask(overview, { isSecurity }, signal),
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
    rowsOf(attention.data).length === 0 &&
    [waitingOf, goLivesOf, reviewsOf].every((lines) => lines(proposals.data).length === 0);
  return (
    <div className="page overview">
      <div className="head">
        <div>
          <h1>Overview</h1>
          <p className="sub">What needs you, and what changed last.</p>
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
          <Card title="Waiting for your approval" query={proposals} rows={waitingOf} more={moreWaiting} />
          <Card title="Planned go-lives" query={proposals} rows={goLivesOf} more={moreGoLives} />
          <Card title="Access reviews" query={proposals} rows={reviewsOf} more={moreReviews} />
        </div>
        <div className="stack">
          <Card title="Needs attention" query={attention} rows={rowsOf} />
          {isSecurity && <Card title="Latest changes" query={changes} rows={changesOf} more={allChanges} />}
        </div>
      </div>
    </div>
  );
}

interface CardProps<Answer> {
  title: string;
  query: UseQueryResult<Answer>;
  rows: (answer: Answer) => Line[];
  /** The way to those that are not shown. */
  more?: (answer: Answer) => ReactNode;
}

/** Something to look at: what it is, more about it, and where it leads. */
interface Line {
  key: string;
  icon: IconName;
  text: ReactNode;
  detail?: ReactNode;
  tone?: 'near';
  to?: Pick<LinkProps, 'to' | 'search'>;
}

/** Nothing is shown where there is nothing to say. */
function Card<Answer>({ title, query, rows, more }: CardProps<Answer>) {
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
  const rest = more?.(query.data);
  if (lines.length === 0) return null;
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <ul className="overview-lines">
        {lines.map(({ key, icon, text, detail, tone, to }) => (
          <li key={key} className={tone}>
            <Icon name={icon} size={16} />
            <div>
              {to ? <Link {...(to as LinkProps)}>{text}</Link> : text}
              {detail && <small>{detail}</small>}
            </div>
          </li>
        ))}
      </ul>
      {rest && <footer>{rest}</footer>}
    </section>
  );
}

const number = (count: number) => count.toLocaleString('en');

function rowsOf({ overview, signingKeys }: OverviewQuery): Line[] {
  const { grantsEnding, changedByHand, nextKeyAt, twoSecrets, blockedHolders, unusedGrants } = overview;
  const lines: Line[] = [];
  if (grantsEnding && grantsEnding.total > 0)
    lines.push({
      key: 'ending',
      icon: 'clock',
      text: `${plural(grantsEnding.total, 'grant ends', 'grants end')} in the next 30 days`,
      detail: `${number(grantsEnding.thisWeek)} this week; ${plural(grantsEnding.lastProfile, 'person', 'people')} would hold no profile any more`,
      to: { to: '/ending' },
    });
  for (const { managedBy, appliedAt, records } of changedByHand ?? [])
    lines.push({
      key: `hand ${managedBy}`,
      icon: 'branch',
      text: `${plural(records, 'record')} of ${managedBy} changed by hand`,
      detail: (
        <>
          since the file was applied <Time iso={appliedAt} />; applying it again may revert that
        </>
      ),
    });
  if (nextKeyAt && Date.parse(nextKeyAt) - Date.now() < weekMs)
    lines.push({
      key: 'key',
      icon: 'key',
      text: (
        <>
          The next signing key takes over <Time iso={nextKeyAt} />
        </>
      ),
      to: { to: '/keys' },
    });
  const isMissing = signingKeys?.nodes.every(({ state }) => state !== 'next');
  const old = signingKeys?.nodes.find(
    ({ activatedAt }) => activatedAt && Date.now() - Date.parse(activatedAt) > keyDays,
  );
  if (isMissing || (nextKeyAt === null && old))
    lines.push({
      key: 'old key',
      icon: 'key',
      text: isMissing ? (
        'No next signing key is published'
      ) : (
        <>
          The signing key signs since <Time iso={old?.activatedAt} />, and no other takes over by itself
        </>
      ),
      tone: 'near',
      to: { to: '/keys' },
    });
  for (const { clientId, name, previousSecretEndsAt } of twoSecrets?.nodes ?? [])
    lines.push({
      key: `secret ${clientId}`,
      icon: 'client',
      text: `${name} has two secrets`,
      detail: (
        <>
          the old one ends <Time iso={previousSecretEndsAt} />
        </>
      ),
      to: { to: `/clients/${encodeURIComponent(clientId)}` as '/clients' },
    });
  if (twoSecrets && twoSecrets.totalCount > twoSecrets.nodes.length)
    lines.push({
      key: 'secrets',
      icon: 'client',
      text: `${number(twoSecrets.totalCount - twoSecrets.nodes.length)} more clients have two secrets`,
      to: { to: '/clients' },
    });
  if (blockedHolders)
    lines.push({
      key: 'blocked',
      icon: 'block',
      text: `${plural(blockedHolders, 'blocked person holds', 'blocked people hold')} profiles`,
      to: { to: '/users', search: { view: 'blocked', profile: '*' } as never },
    });
  if (unusedGrants && unusedGrants.total > 0)
    lines.push({
      key: 'unused',
      icon: 'profile',
      text: `${plural(unusedGrants.total, 'grant was', 'grants were')} not used for 90 days`,
      detail: `${number(unusedGrants.never)} of them never, as far as is known`,
      to: { to: '/ending', search: { view: 'unused' } as never },
    });
  return lines;
}

const weekMs = 7 * 86_400_000;
/** Where keys are rotated by hand: the age at which one is old. */
const keyDays = 90 * 86_400_000;

const waitingOf = ({ waiting }: OverviewProposalsQuery): Line[] =>
  waiting.nodes.map(({ proposalGuid, title, expiresAt, proposedByNavigation }) => ({
    key: proposalGuid,
    icon: 'inbox',
    text: title,
    detail: (
      <>
        by {fullName(proposedByNavigation)}, expires <Time iso={expiresAt} />
      </>
    ),
    to: { to: '/inbox', search: { proposal: proposalGuid } as never },
  }));

const moreWaiting = ({ waiting: { totalCount, nodes } }: OverviewProposalsQuery) =>
  totalCount > nodes.length && <Link to="/inbox">{`All ${number(totalCount)} that wait for you`}</Link>;

const goLivesOf = ({ overview: { goLives } }: OverviewProposalsQuery): Line[] =>
  [...(goLives?.nodes ?? [])]
    .sort((one, other) => Number(other.state === 'FAILED') - Number(one.state === 'FAILED'))
    .map(({ proposalGuid, title, state, applyAt }) => ({
      key: proposalGuid,
      icon: 'clock',
      text: title,
      detail:
        state === 'FAILED' ? (
          <Badge tone="loss">failed</Badge>
        ) : (
          <>
            goes live <Time iso={applyAt} />
          </>
        ),
      to: { to: '/inbox', search: { view: 'scheduled', proposal: proposalGuid } as never },
    }));

const moreGoLives = ({ overview: { goLives } }: OverviewProposalsQuery) =>
  goLives &&
  goLives.totalCount > goLives.nodes.length && (
    <Link to="/inbox" search={{ view: 'scheduled' } as never}>{`All ${number(goLives.totalCount)} go-lives`}</Link>
  );

const reviewsOf = ({ overview: { reviews } }: OverviewProposalsQuery): Line[] =>
  (reviews?.nodes ?? []).map(({ reviewGuid, name, dueAt, counts: { total, decided, mine } }) => ({
    key: reviewGuid,
    icon: 'check',
    text: name,
    detail: (
      <>
        {`${number(decided)} of ${number(total)} decided, ${number(mine.undecided)} wait for you; due `}
        <Time iso={dueAt} />
      </>
    ),
    to: { to: `/reviews/${reviewGuid}` as '/reviews' },
  }));

const moreReviews = ({ overview: { reviews } }: OverviewProposalsQuery) =>
  reviews &&
  reviews.totalCount > reviews.nodes.length && <Link to="/reviews">{`All ${number(reviews.totalCount)} reviews`}</Link>;

type ChangeSets = OverviewChangesQuery['changeSets'];

const changesOf = (sets: ChangeSets): Line[] =>
  (sets?.nodes ?? []).map(({ changeSetGuid, occurredAt, note, actorNavigation, events }) => ({
    key: changeSetGuid,
    icon: 'history',
    text: note || linesOf(events),
    detail: (
      <>
        {actorNavigation ? fullName(actorNavigation) : 'the service'}, <Time iso={occurredAt} />
      </>
    ),
    to: { to: '/history', search: { change: changeSetGuid } as never },
  }));

function linesOf(events: NonNullable<ChangeSets>['nodes'][number]['events']): string {
  const totalCount = events?.totalCount ?? 0;
  const event = events?.nodes[0];
  if (!event) return 'A change';
  const first = `${eventTitle(event)}: ${subjectWords(event)}`;
  return totalCount > 1 ? `${first} and ${number(totalCount - 1)} more` : first;
}

const allChanges = (sets: ChangeSets) => <Link to="/history">{`All ${number(sets?.totalCount ?? 0)} changes`}</Link>;

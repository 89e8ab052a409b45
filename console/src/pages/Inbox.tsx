/** Proposals: those that wait for the viewer, all others, and the one that is decided about. */
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback, useState } from 'react';
import { useAddress, viewAmong } from '../address';
import { ask } from '../graph';
import type { ProposalFilter, ProposalListQuery, ProposalOrderBy } from '../operations/generated/graph';
import { proposalCounts, proposalList } from '../operations/generated/inbox';
import { useViewer } from '../session';
import { areSingleKeysOn } from '../shell/singleKeys';
import { Effects } from '../ui/Effects';
import { Empty } from '../ui/Empty';
import { PartList, useParts } from '../ui/PartList';
import { SaveCsv } from '../ui/SaveCsv';
import { SearchField } from '../ui/SearchField';
import { Segments } from '../ui/Segments';
import { Tile } from '../ui/Tile';
import { exactTime, Time } from '../ui/Time';
import { fullName, plural } from '../words';
import { approveId, noteId, Proposal } from './inbox/Proposal';
import '../theme/inbox.css';

interface Search {
  view?: string;
  q?: string;
  proposal?: string;
}

type View = 'me' | 'open' | 'mine' | 'scheduled' | 'decided';
type Item = ProposalListQuery['proposals']['nodes'][number];

const filterOf = (view: View, me: string): ProposalFilter => {
  if (view === 'me') return { forMe: true };
  if (view === 'open') return { state: ['OPEN'] };
  if (view === 'mine') return { proposedBy: me };
  if (view === 'scheduled') return { state: ['SCHEDULED', 'FAILED'] };
  return { state: ['APPLIED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'FAILED'] };
};
const orderOf = (view: View): ProposalOrderBy[] => {
  if (view === 'me' || view === 'open') return [{ expiresAt: 'ASC' }];
  return view === 'scheduled' ? [{ applyAt: 'ASC' }] : [{ proposedAt: 'DESC' }];
};

export function Inbox() {
  const [{ view: chosen, q, proposal }, change] = useAddress<Search>();
  const me = useViewer().data?.viewer.userGuid ?? '';
  const counts = useQuery({
    queryKey: ['proposals', 'counts', me],
    enabled: me !== '',
    queryFn: ({ signal }) => ask(proposalCounts, { me }, signal),
  }).data;
  const views = viewsOf(counts);
  const view = viewAmong(views, chosen);
  const filter = { ...filterOf(view, me), ...(q && { text: q }) };
  const parts = useParts(
    ['proposals', view, filter],
    async (after, signal) =>
      (await ask(proposalList, { filter, orderBy: orderOf(view), first: 30, after }, signal)).proposals,
    { enabled: me !== '', exported: { list: 'proposals', filter, orderBy: orderOf(view) } },
  );
  const searchFor = useCallback((text: string) => change({ q: text }, 'replace'), [change]);
  const first = parts.rows[0]?.proposalGuid;
  const of = JSON.stringify([view, filter]);
  // the one that was first stays when the list is read again: what is meant for it must not reach the next one
  const [opened, open] = useState<{ of: string; first: string }>();
  if (first && opened?.of !== of) open({ of, first });
  const shown = proposal ?? (opened?.of === of ? opened.first : first);
  const press = (event: KeyboardEvent) => {
    const target = areSingleKeysOn() ? { a: approveId, x: noteId }[event.key] : undefined;
    if (target && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      document.getElementById(target)?.focus();
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = parts.rows[parts.rows.findIndex(({ proposalGuid }) => proposalGuid === shown) + step];
    if (!next) return;
    change({ proposal: next.proposalGuid }, 'replace');
    document.getElementById(`proposal-${next.proposalGuid}`)?.focus();
  };
  const waiting = counts?.forMe.totalCount;
  return (
    <div className="page fill">
      <div className="head">
        <div>
          <h1>Inbox</h1>
          <p className="sub" aria-live="polite">
            {waiting !== undefined &&
              `${plural(waiting, 'proposal')} ${waiting === 1 ? 'waits' : 'wait'} for you. Nobody approves their own.`}
          </p>
        </div>
      </div>
      <div className="bar">
        <Segments
          label="Proposals"
          value={view}
          options={views}
          onChange={(next) => change({ view: next, proposal: '' })}
        />
        <SearchField
          main
          label="Search proposals"
          placeholder="Title, person or note"
          value={q ?? ''}
          onChange={searchFor}
        />
        <SaveCsv label="proposals" list={parts} />
      </div>
      <section className={`card inbox${proposal ? ' is-open' : ''}`} aria-label="Proposals">
        <div className="inbox-list">
          <PartList
            parts={parts}
            empty={<Empty icon="check" title={view === 'me' ? 'Nothing waits for you' : 'No proposal matches'} />}
          >
            {(rows) => (
              <ul onKeyDown={press}>
                {rows.map((item) => (
                  <Line
                    key={item.proposalGuid}
                    item={item}
                    isShown={item.proposalGuid === shown}
                    onChoose={() => change({ proposal: item.proposalGuid })}
                  />
                ))}
              </ul>
            )}
          </PartList>
        </div>
        {shown && <Proposal key={shown} guid={shown} onBack={() => change({ proposal: '' })} />}
      </section>
    </div>
  );
}

type Counts = Record<'forMe' | 'open' | 'mine' | 'scheduled', { totalCount: number }>;

function viewsOf(counts: Counts | undefined): [View, string, (number | undefined)?][] {
  return [
    ['me', 'For me', counts?.forMe.totalCount],
    ['open', 'All open', counts?.open.totalCount],
    ['mine', 'Mine', counts?.mine.totalCount],
    ['scheduled', 'Scheduled', counts?.scheduled.totalCount],
    ['decided', 'Decided'],
  ];
}

/** Within a week. */
const isNear = (iso: string): boolean => Date.parse(iso) - Date.now() < 7 * 86_400_000;

interface LineProps {
  item: Item;
  isShown: boolean;
  onChoose: () => void;
}

function Line({ item, isShown, onChoose }: LineProps) {
  const { proposalGuid, title, state, proposedAt, expiresAt, applyAt, proposedByNavigation, proposedEffect } = item;
  const who = fullName(proposedByNavigation);
  return (
    <li>
      <button id={`proposal-${proposalGuid}`} type="button" aria-current={isShown} onClick={onChoose}>
        <b>{title}</b>
        <span className="inbox-line">
          <Tile name={who} round size="small" />
          <span className="grow">{who}</span>
          <Effects {...proposedEffect} />
        </span>
        <span className="inbox-line">
          <Time iso={proposedAt} />
          {state === 'OPEN' && !applyAt && (
            <span className={isNear(expiresAt) ? 'near-text' : undefined} title={exactTime(expiresAt)}>
              · expires <Time iso={expiresAt} />
            </span>
          )}
          {applyAt && <span>· wanted on {exactTime(applyAt)}</span>}
          {state !== 'OPEN' && <span>· {state.toLowerCase()}</span>}
        </span>
      </button>
    </li>
  );
}

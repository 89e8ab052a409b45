/** Who changed what, when and why; before and after; and taking it back. */
import { useCallback } from 'react';
import { useAddress } from '../address';
import { actions, kindsWithHistory, kindWords } from '../eventWords';
import { all, named } from '../filters';
import { ask } from '../graph';
import type { ChangeSetFilter } from '../operations/generated/graph';
import { changeSets } from '../operations/generated/history';
import { tableOf } from '../record/versions';
import { Empty } from '../ui/Empty';
import { PartList, useParts } from '../ui/PartList';
import { SaveCsv } from '../ui/SaveCsv';
import { SearchField } from '../ui/SearchField';
import { capital, plural, wordsOf } from '../words';
import { ChangeSetEntry } from './history/ChangeSetEntry';

interface Search {
  q?: string;
  kind?: string;
  action?: string;
  actor?: string;
  subject?: string;
  from?: string;
  /** Guid of one change set. */
  change?: string;
}

export function History() {
  const [search, change] = useAddress<Search>();
  const { q, kind, action, from } = search;
  const filter = filterOf(search);
  const parts = useParts(
    ['change sets', filter],
    async (after, signal) => (await ask(changeSets, { first: 30, after, filter: filter ?? null }, signal)).changeSets,
    { exported: { list: 'changeSets', filter: filter ?? null, orderBy: [{ occurredAt: 'DESC' }] } },
  );
  const total = parts.total ?? 0;
  const searchFor = useCallback((text: string) => change({ q: text }, 'replace'), [change]);
  const isNarrowed = Object.keys(search).length > 0;
  return (
    <div className="page">
      <div className="head">
        <div>
          <h1>History</h1>
          <p className="sub" aria-live="polite">
            {parts.isPending && 'Loading…'}
            {parts.error !== null && 'Not available at the moment'}
            {parts.total !== undefined &&
              `${plural(total, 'change')} ${isNarrowed ? (total === 1 ? 'matches' : 'match') : 'so far'}`}
          </p>
        </div>
      </div>
      <div className="bar">
        <SearchField
          main
          label="Search changes"
          placeholder="Person, note, trace id"
          value={q ?? ''}
          onChange={searchFor}
        />
        <label className="select">
          <span className="only-heard">Kind of record</span>
          <select value={kind ?? ''} onChange={({ target }) => change({ kind: target.value })}>
            <option value="">Any record</option>
            {kindsWithHistory.map((each) => (
              <option key={each} value={each}>
                {capital(kindWords(each))}
              </option>
            ))}
          </select>
        </label>
        <label className="select">
          <span className="only-heard">What was done</span>
          <select value={action ?? ''} onChange={({ target }) => change({ action: target.value })}>
            <option value="">Any action</option>
            {Object.entries(actions).map(([each, words]) => (
              <option key={each} value={each}>
                {capital(words)}
              </option>
            ))}
          </select>
        </label>
        <label className="date">
          since
          <input
            className="input"
            type="date"
            aria-label="Since"
            value={from ?? ''}
            onChange={({ target }) => change({ from: target.value })}
          />
        </label>
        {isNarrowed && (
          <button
            type="button"
            className="button"
            onClick={() => change({ q: '', kind: '', action: '', actor: '', subject: '', from: '', change: '' })}
          >
            Clear search and filters
          </button>
        )}
        <SaveCsv label="history" list={parts} />
      </div>
      <section className="card" aria-label="Changes">
        <PartList
          parts={parts}
          empty={<Empty icon="history" title={isNarrowed ? 'No change matches' : 'Nothing was changed yet'} />}
        >
          {(found) => (
            <ol>
              {found.map((changeSet) => (
                <ChangeSetEntry key={changeSet.changeSetGuid} changeSet={changeSet} />
              ))}
            </ol>
          )}
        </PartList>
      </section>
    </div>
  );
}

function filterOf(search: Search) {
  const { q, kind, action, actor, subject, from, change } = search;
  const words = wordsOf(q).map((contains): ChangeSetFilter => {
    return { or: [named(contains), { traceId: { eq: contains } }, { actorNavigation: named(contains) }] };
  });
  const since = from ? new Date(`${from}T00:00:00`) : undefined;
  return all<ChangeSetFilter>([
    ...words,
    ...(kind || action || subject ? [ofRecords(search)] : []),
    ...(change ? [{ changeSetGuid: { eq: change } }] : []),
    ...(actor ? [{ actor: { eq: actor } }] : []),
    ...(since && !Number.isNaN(since.getTime()) ? [{ occurredAt: { ge: since.toISOString() } }] : []),
  ]);
}

/** All of one event, or of one version that was made by SQL: who asks for mappings that were removed means just these. */
function ofRecords({ kind, action, subject }: Search): ChangeSetFilter {
  const event = {
    ...(kind && { subjectType: { eq: kind } }),
    ...(action && { action: { eq: action } }),
    ...(subject && { subjectId: { eq: subject } }),
  };
  const byService = { events: { some: event } };
  const recordTable = kind && tableOf(kind);
  // versions are not found by what was done to their record
  if (action || (kind && !recordTable)) return byService;
  const version = {
    ...(recordTable && { recordTable: { eq: recordTable } }),
    ...(subject && { recordKey: { eq: subject } }),
  };
  return { or: [byService, { face: { eq: 'sql' }, versions: { some: version } }] };
}

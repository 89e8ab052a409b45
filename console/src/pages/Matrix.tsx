/** Which access scope opens which application: a grid whose changes are pending until they were reviewed. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { useAddress } from '../address';
import { all, applicationWords } from '../filters';
import { ask } from '../graph';
import { openState } from '../openingStates';
import type { AccessScopeFilter, ScopesOfTypeQuery, ScopeTypesQuery } from '../operations/generated/graph';
import { matrix, scopesOfType } from '../operations/generated/matrix';
import { type Page, usePages } from '../pages';
import { readToEnd } from '../readToEnd';
import { useScopeTypes } from '../scopeTypes';
import { useMay } from '../session';
import { Empty, Loading } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { Icon } from '../ui/icons';
import { SaveCsv } from '../ui/SaveCsv';
import { SearchField } from '../ui/SearchField';
import { Segments } from '../ui/Segments';
import { StateSelect } from '../ui/StateSelect';
import { Grid } from './matrix/Grid';
import '../theme/matrix.css';

/** Columns at once: those of a type with more are chosen by thousands. */
const scopesMax = 1_000;
/**
 * Cells of one request, rows times columns: below GRAPHQL_COMPLEXITY_MAX of 100,000, which a relation of each cell would
 * exceed.
 */
const cellsMax = 80_000;
const keptType = 'gatehouse.matrix.type';

interface Search {
  q?: string;
  type?: string;
  /** The state that a cell gets; absent: one that opens. */
  as?: string;
  /** Which thousand of the columns; absent: the first. */
  columns?: string;
}

export function Matrix() {
  const [{ q, type: wanted, as, columns }, change] = useAddress<Search>();
  const types = useScopeTypes();
  const ordered = useMemo(() => byMappings(types.data ?? []), [types.data]);
  const mayChange = useMay('admin:write');
  const name = wanted ?? localStorage.getItem(keptType);
  const type = ordered.find((each) => each.name === name) ?? ordered[0];
  const shown = type?.name;
  useEffect(() => {
    // a person who opens a shared address sees the same type, and not the one that was looked at last there
    if (shown !== undefined && shown !== wanted) change({ type: shown }, 'replace');
  }, [shown, wanted, change]);
  const filter = all(applicationWords(q)) ?? null;
  const guid = type?.accessScopeTypeGuid;
  const scopes = useQuery({
    queryKey: ['scopes of type', guid],
    enabled: guid !== undefined,
    queryFn: ({ signal }) =>
      readToEnd(async (page) => (await ask(scopesOfType, { ...page, type: guid! }, signal)).accessScopes),
  });
  const parts = useMemo(() => partsOf(scopes.data ?? noScopes), [scopes.data]);
  const part = Math.min(Math.max(0, Number(columns) || 0), Math.max(0, parts.length - 1));
  const shownScopes = parts[part] ?? noScopes;
  const own = { accessScopeType: { accessScopeTypeGuid: { eq: guid ?? '' } } };
  const inPart = parts.length > 1 ? { accessScopeGuid: { in: shownScopes.map((each) => each.accessScopeGuid) } } : own;
  const pages = usePages(
    ['matrix', guid, filter, parts.length > 1 && part],
    (page, signal) => read(page, { filter, type: guid!, scopes: inPart }, signal),
    { enabled: guid !== undefined, pageSize: Math.floor(cellsMax / scopesMax) },
  );
  const searchFor = useCallback((text: string) => change({ q: text }, 'replace'), [change]);
  const choose = (next: string) => {
    localStorage.setItem(keptType, next);
    change({ type: next, columns: '' });
  };
  const error = types.error ?? scopes.error ?? pages.error;
  return (
    <div className="page fill">
      <div className="head">
        <div>
          <h1>Matrix</h1>
          <p className="sub">Which access scope opens which application. Nothing is saved before you review it.</p>
        </div>
        <div className="head-acts">
          {type && (
            <SaveCsv
              label={`matrix of ${type.name}`}
              list={{
                list: 'matrix',
                filter,
                orderBy: [{ name: 'ASC' }],
                of: { accessScopeTypeGuid: type.accessScopeTypeGuid },
              }}
            />
          )}
        </div>
      </div>
      <div className="bar">
        <SearchField main label="Search applications" placeholder="Application" value={q ?? ''} onChange={searchFor} />
        <Segments
          label="Access scope type"
          value={type?.name ?? ''}
          options={ordered.map((each) => [each.name, each.name, each.accessScopes.totalCount] as const)}
          onChange={choose}
        />
        {parts.length > 1 && (
          <Segments
            label="Access scopes"
            value={String(part)}
            options={parts.map(({ length }, each) => [String(each), partWords(each, length)] as const)}
            onChange={(next) => change({ columns: next === '0' ? '' : next })}
          />
        )}
        {mayChange && <GiveAs state={as ?? openState()} onChange={(next) => change({ as: next })} />}
        <span className="grow" />
        <Legend />
      </div>
      {error ? (
        <Failure
          error={error}
          retry={() => {
            if (types.error) void types.refetch();
            if (scopes.error) void scopes.refetch();
            if (pages.error) pages.retry();
          }}
        />
      ) : pages.isLoading || !type || !scopes.data ? (
        <Loading lines={9} />
      ) : pages.total === 0 ? (
        <Empty
          title="No application has this name"
          action={
            <button type="button" className="button" onClick={() => change({ q: '' })}>
              Clear search and filters
            </button>
          }
        />
      ) : (
        <Grid
          key={`${type.accessScopeTypeGuid} ${part}`}
          type={type}
          scopes={shownScopes}
          pages={pages}
          filter={filter}
          wanted={as ?? openState()}
        />
      )}
    </div>
  );
}

interface Asked {
  filter: ReturnType<typeof all> | null;
  type: string;
  scopes: AccessScopeFilter;
}

/** What most applications are opened by comes first; the console's own administration last. */
const byMappings = (types: readonly ScopeTypesQuery['accessScopeTypes']['nodes'][number][]) =>
  [...types].sort(
    (one, other) =>
      Number(one.name === 'admin') - Number(other.name === 'admin') ||
      other.mappings - one.mappings ||
      one.name.localeCompare(other.name),
  );

const noScopes: ScopesOfTypeQuery['accessScopes']['nodes'] = [];

const partsOf = (scopes: typeof noScopes) =>
  Array.from({ length: Math.ceil(scopes.length / scopesMax) }, (_, part) =>
    scopes.slice(part * scopesMax, (part + 1) * scopesMax),
  );

const partWords = (part: number, count: number): string =>
  `${(part * scopesMax + 1).toLocaleString('en')} to ${(part * scopesMax + count).toLocaleString('en')}`;

const read = async (page: Page, asked: Asked, signal: AbortSignal) =>
  (await ask(matrix, { ...page, ...asked, cells: scopesMax }, signal)).applications;

/** What a press of a cell makes of it. The usual one has no member in the address. */
const GiveAs = ({ state, onChange }: { state: string; onChange: (state: string) => void }) => (
  <span className="date">
    a click sets
    <StateSelect
      label="State that a cell gets"
      value={state}
      onChange={(next) => onChange(next === openState() ? '' : (next ?? ''))}
    />
  </span>
);

const Legend = () => (
  <ul className="legend" aria-label="Marks">
    <li>
      <span className="mark key active">
        <Icon name="check" size={12} />
      </span>
      active
    </li>
    <li>
      <span className="mark key planned" />
      planned
    </li>
    <li>
      <span className="mark key other" />
      inactive
    </li>
    <li>
      <span className="mark key by-type" />
      by its type
    </li>
  </ul>
);

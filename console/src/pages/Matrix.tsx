/** Which access scope opens which application: a grid whose changes are pending until they were reviewed. */
import { useCallback, useEffect } from 'react';
import { useAddress } from '../address';
import { all, applicationWords } from '../filters';
import { ask } from '../graph';
import { openState } from '../openingStates';
import { matrix } from '../operations/generated/matrix';
import { isFirstPage, type Page, usePages } from '../pages';
import { useScopeTypes } from '../scopeTypes';
import { useMay } from '../session';
import { Empty, Loading } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { Icon } from '../ui/icons';
import { SearchField } from '../ui/SearchField';
import { Segments } from '../ui/Segments';
import { StateSelect } from '../ui/StateSelect';
import { Grid } from './matrix/Grid';

const scopesMax = 1_000;
/** Of one request, rows times columns: below GRAPHQL_COMPLEXITY_MAX of 100,000; a relation of each cell would be past it. */
const cellsMax = 80_000;
const keptType = 'gatehouse.matrix.type';

interface Search {
  q?: string;
  type?: string;
  /** The state that a cell gets; absent: one that opens. */
  as?: string;
}

export function Matrix() {
  const [{ q, type: wanted, as }, change] = useAddress<Search>();
  const types = useScopeTypes();
  const mayChange = useMay('admin:write');
  const name = wanted ?? localStorage.getItem(keptType);
  const type = types.data?.find((each) => each.name === name) ?? types.data?.[0];
  const shown = type?.name;
  useEffect(() => {
    // whoever is sent the address sees the same type, and not the one that was looked at last there
    if (shown !== undefined && shown !== wanted) change({ type: shown }, 'replace');
  }, [shown, wanted, change]);
  const filter = all(applicationWords(q)) ?? null;
  const pages = usePages(
    ['matrix', type?.accessScopeTypeGuid, filter],
    (page, signal) => read(page, { filter, type: type!.accessScopeTypeGuid }, signal),
    { enabled: type !== undefined, pageSize: Math.floor(cellsMax / scopesMax) },
  );
  const scopes = pages.first?.accessScopeType?.accessScopes;
  const searchFor = useCallback((text: string) => change({ q: text }, 'replace'), [change]);
  const choose = (next: string) => {
    localStorage.setItem(keptType, next);
    change({ type: next });
  };
  const error = types.error ?? pages.error;
  return (
    <div className="page fill">
      <div className="head">
        <div>
          <h1>Matrix</h1>
          <p className="sub">Which access scope opens which application. Nothing is saved before you review it.</p>
        </div>
      </div>
      <div className="bar">
        <SearchField main label="Search applications" placeholder="Application" value={q ?? ''} onChange={searchFor} />
        <Segments
          label="Access scope type"
          value={type?.name ?? ''}
          options={(types.data ?? []).map((each) => [each.name, each.name] as const)}
          onChange={choose}
        />
        {mayChange && <GiveAs state={as ?? openState()} onChange={(next) => change({ as: next })} />}
      </div>
      <Legend />
      {error ? (
        <Failure error={error} retry={() => (types.error ? void types.refetch() : pages.retry())} />
      ) : pages.isLoading || !type || !scopes ? (
        <Loading lines={9} />
      ) : pages.total === 0 ? (
        <Empty
          title="No application is called so"
          action={
            <button type="button" className="button" onClick={() => change({ q: '' })}>
              Clear search and filters
            </button>
          }
        />
      ) : (
        <Grid
          key={type.accessScopeTypeGuid}
          type={type}
          scopes={scopes.nodes}
          pages={pages}
          filter={filter}
          wanted={as ?? openState()}
        />
      )}
      {scopes && scopes.totalCount > scopesMax && (
        <p className="foot">The first {scopesMax} access scopes of this type are shown.</p>
      )}
    </div>
  );
}

interface Asked {
  filter: ReturnType<typeof all> | null;
  type: string;
}

/** The first page says which columns there are. */
async function read(page: Page, asked: Asked, signal: AbortSignal) {
  const { accessScopeType, applications } = await ask(
    matrix,
    { ...page, ...asked, withScopes: isFirstPage(page), cells: scopesMax },
    signal,
  );
  return { ...applications, accessScopeType };
}

/** What a press of a cell makes of it. The usual one has no member in the address. */
const GiveAs = ({ state, onChange }: { state: string; onChange: (state: string) => void }) => (
  <span className="date">
    gives
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

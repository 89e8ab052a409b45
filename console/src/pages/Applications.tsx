/** All applications: what opens them, and access given to or taken from many at once. */
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { type ListSearch, sortAmong, sortOf, useAddress, viewAmong } from '../address';
import { all, applicationWords } from '../filters';
import { ask } from '../graph';
import { openingStates } from '../openingStates';
import { applicationNames, applicationRows } from '../operations/generated/applications';
import type { ApplicationFilter, ApplicationRowsQuery } from '../operations/generated/graph';
import { usePages } from '../pages';
import { type Range, readToEnd } from '../readToEnd';
import { useMay } from '../session';
import { changedColumn, stateColumn } from '../ui/columns';
import { ListPage } from '../ui/ListPage';
import { ManagedBy } from '../ui/ManagedBy';
import { NewLink } from '../ui/NewLink';
import type { Column } from '../ui/Row';
import { Segments } from '../ui/Segments';
import { SelectionDock, useSelectingAll } from '../ui/SelectionDock';
import { ApplicationTile } from '../ui/Tile';
import { useSelection } from '../ui/useSelection';

const GiveAccess = lazy(() => import('./applications/GiveAccess').then(({ GiveAccess }) => ({ default: GiveAccess })));

type Item = ApplicationRowsQuery['applications']['nodes'][number];

const columns: Column<Item>[] = [
  { key: 'name', label: 'Name', width: 'minmax(230px, 1.6fr)', sorts: true, keepSmall: true, cell: Name },
  { key: 'opened', label: 'Opened by', width: 'minmax(220px, 1.5fr)', cell: OpenedBy },
  { key: 'appType', label: 'Type', width: '90px', sorts: true, cell: ({ appType }) => appType },
  stateColumn,
  changedColumn,
];

const views = [
  ['', 'All'],
  ['closed', 'Opened by nothing'],
  ['planned', 'Planned'],
  ['unused', 'Out of use'],
] as const;
type View = (typeof views)[number][0];

const viewFilters = (opening: string[]): { [view in View]?: ApplicationFilter } => ({
  closed: {
    accessScopeApplicationsMappers: { none: { state: { in: opening } } },
    accessScopeTypeApplicationsMappers: { none: { state: { in: opening } } },
  },
  planned: {
    or: [
      { accessScopeApplicationsMappers: { some: { state: { eq: 'planned' } } } },
      { accessScopeTypeApplicationsMappers: { some: { state: { eq: 'planned' } } } },
    ],
  },
  unused: { isActive: { eq: false } },
});

export function Applications() {
  const [search, change] = useAddress<ListSearch>();
  const navigate = useNavigate();
  const mayChange = useMay('admin:write');
  const selection = useSelection();
  const [giving, setGiving] = useState<'give' | 'remove'>();
  const { q, type } = search;
  const sort = sortAmong(columns, search.sort) ?? 'name';
  const view = viewAmong(views, search.view);
  const opening = openingStates();
  const viewed = viewFilters(opening)[view];
  const filter = all<ApplicationFilter>([
    ...applicationWords(q),
    ...(viewed ? [viewed] : []),
    ...(type ? [{ appType: { eq: type } }] : []),
  ]);
  const { field, direction } = sortOf(sort);
  const orderBy = [{ [field]: direction }, ...(field === 'name' ? [] : [{ name: 'ASC' as const }])];
  const pages = usePages(
    ['applications', filter, sort, opening],
    async (page, signal) =>
      (await ask(applicationRows, { ...page, filter: filter ?? null, orderBy, opening }, signal)).applications,
    { exported: { list: 'applications', filter: filter ?? null, orderBy } },
  );
  const types = [...new Set([...(type ? [type] : []), ...pages.rows.map(({ appType }) => appType)])].sort();
  const selectingAll = useSelectingAll(
    pages,
    async () => {
      const read = (page: Range) => ask(applicationNames, { ...page, filter: filter ?? null });
      const found = await readToEnd(async (page) => (await read(page)).applications);
      return found.map(({ applicationGuid }) => applicationGuid);
    },
    selection,
  );
  return (
    <ListPage
      title="Applications"
      one="application"
      where="in the catalogue"
      placeholder="Name or description"
      pages={pages}
      columns={columns}
      keyOf={({ applicationGuid }) => applicationGuid}
      nameOf={({ name }) => name}
      isFaded={({ isActive }) => !isActive}
      open={({ applicationGuid: guid }) => void navigate({ to: '/applications/$guid', params: { guid } })}
      {...(mayChange && { selection: { ...selection, all: selectingAll } })}
      action={<NewLink to="/applications/new" label="New application" />}
      filters={
        <>
          <Segments label="View" value={view} options={views} onChange={(next) => change({ view: next })} />
          <label className="select">
            <span className="only-heard">Type</span>
            <select value={type ?? ''} onChange={({ target }) => change({ type: target.value })}>
              <option value="">Any type</option>
              {types.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
        </>
      }
      empty="An application is something that people open: a page, an app, a report."
    >
      <SelectionDock selection={selection} total={pages.total} one="application" selectingAll={selectingAll}>
        <button
          type="button"
          className="button on-dark"
          disabled={selectingAll.isPending}
          onClick={() => setGiving('remove')}
        >
          Remove access…
        </button>
        <button
          type="button"
          className="button bright"
          disabled={selectingAll.isPending}
          onClick={() => setGiving('give')}
        >
          Give access…
        </button>
      </SelectionDock>
      {giving && (
        <Suspense fallback={null}>
          <GiveAccess
            how={giving}
            applications={[...selection.keys]}
            onClose={() => setGiving(undefined)}
            onDrafted={() => {
              setGiving(undefined);
              selection.clear();
            }}
          />
        </Suspense>
      )}
    </ListPage>
  );
}

function Name({ applicationGuid: guid, name, description, iconDefault, managedBy }: Item) {
  return (
    <Link className="cell-name" to="/applications/$guid" params={{ guid }} tabIndex={-1}>
      <ApplicationTile name={name} icon={iconDefault} />
      <span className="two-lines">
        <b>{name}</b>
        <small>{description}</small>
      </span>
      <ManagedBy name={managedBy} />
    </Link>
  );
}

function OpenedBy({ accessScopeApplicationsMappers: scopes, accessScopeTypeApplicationsMappers: types }: Item) {
  const names = [
    ...types.nodes.map(({ accessScopeType }) => `all of ${accessScopeType.name}`),
    ...scopes.nodes.map(({ accessScope }) => accessScope.name),
  ].slice(0, 2);
  const rest = scopes.totalCount + types.totalCount - names.length;
  if (names.length === 0) return <span className="mute">nothing</span>;
  return (
    <span className="cell-chips">
      {names.map((name) => (
        <span key={name} className="chip">
          {name}
        </span>
      ))}
      {rest > 0 && <span className="chip more">+{rest}</span>}
    </span>
  );
}

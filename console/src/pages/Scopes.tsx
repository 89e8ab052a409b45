/** All access scopes: of which type, how many applications each opens, and how many profiles have it. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type ListSearch, sortAmong, sortOf, useAddress, viewAmong } from '../address';
import { all, scopeWords } from '../filters';
import { ask } from '../graph';
import { openingStates } from '../openingStates';
import type { AccessScopeFilter, ScopeRowsQuery } from '../operations/generated/graph';
import { scopeRows } from '../operations/generated/scopes';
import { usePages } from '../pages';
import { useScopeTypes } from '../scopeTypes';
import { changedColumn, stateColumn } from '../ui/columns';
import { ListPage } from '../ui/ListPage';
import { ManagedBy } from '../ui/ManagedBy';
import { NewLink } from '../ui/NewLink';
import type { Column } from '../ui/Row';
import { ScopeTabs } from '../ui/ScopeTabs';
import { Segments } from '../ui/Segments';
import { IconTile } from '../ui/Tile';
import { entryOf, plural } from '../words';

type Item = ScopeRowsQuery['accessScopes']['nodes'][number];

const columns: Column<Item>[] = [
  { key: 'name', label: 'Name', width: 'minmax(230px, 1.6fr)', sorts: true, keepSmall: true, cell: Name },
  { key: 'type', label: 'Type', width: 'minmax(100px, 0.8fr)', cell: ({ accessScopeType }) => accessScopeType.name },
  {
    key: 'opens',
    label: 'Opens',
    width: '126px',
    cell: ({
      accessScopeApplicationsMappers: own,
      accessScopeType: { accessScopeTypeApplicationsMappers: byType },
    }) => (
      <span className="two-lines">
        <span>{plural(own.totalCount, 'application')}</span>
        {byType.totalCount > 0 && <small>{byType.totalCount.toLocaleString('en')} by its type</small>}
      </span>
    ),
  },
  {
    key: 'profiles',
    label: 'In',
    width: '106px',
    cell: ({ profileAccessScopes }) => plural(profileAccessScopes.totalCount, 'profile'),
  },
  stateColumn,
  changedColumn,
];

const views = [
  ['', 'All'],
  ['closed', 'Opening nothing'],
  ['unheld', 'In no profile'],
  ['unused', 'Out of use'],
] as const;
type View = (typeof views)[number][0];

const viewFilters = (opening: string[]): { [view in View]?: AccessScopeFilter } => ({
  closed: {
    accessScopeApplicationsMappers: { none: { state: { in: opening } } },
    accessScopeType: { accessScopeTypeApplicationsMappers: { none: { state: { in: opening } } } },
  },
  unheld: { profileAccessScopes: { none: {} } },
  unused: { isActive: { eq: false } },
});

export function Scopes() {
  const [search, change] = useAddress<ListSearch>();
  const navigate = useNavigate();
  const types = useScopeTypes().data ?? [];
  const { q, type } = search;
  const sort = sortAmong(columns, search.sort) ?? 'name';
  const view = viewAmong(views, search.view);
  const opening = openingStates();
  const viewed = viewFilters(opening)[view];
  const filter =
    all<AccessScopeFilter>([
      ...scopeWords(q),
      ...(viewed ? [viewed] : []),
      ...(type ? [{ accessScopeType: { name: { eq: type } } }] : []),
    ]) ?? null;
  const { field, direction } = sortOf(sort);
  const pages = usePages(
    ['scopes', filter, sort, opening],
    async (page, signal) =>
      (await ask(scopeRows, { ...page, filter, orderBy: [{ [field]: direction }], opening }, signal)).accessScopes,
    { exported: { list: 'accessScopes', filter, orderBy: [{ [field]: direction }] } },
  );
  return (
    <ListPage
      title="Access scopes"
      one="access scope"
      placeholder="Name or key"
      pages={pages}
      columns={columns}
      keyOf={({ accessScopeGuid }) => accessScopeGuid}
      nameOf={({ name }) => name}
      isFaded={({ isActive }) => !isActive}
      open={({ accessScopeGuid: guid }) => void navigate({ to: '/scopes/$guid', params: { guid } })}
      tabs={<ScopeTabs />}
      action={<NewLink to="/scopes/new" label="New access scope" />}
      filters={
        <>
          <Segments label="View" value={view} options={views} onChange={(next) => change({ view: next })} />
          <label className="select">
            <span className="only-heard">Type</span>
            <select value={type ?? ''} onChange={({ target }) => change({ type: target.value })}>
              <option value="">Any type</option>
              {types.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        </>
      }
      empty="An access scope is a right. Profiles have it, and tokens contain it."
    />
  );
}

function Name(scope: Item) {
  const { accessScopeGuid: guid, name, accessScopeType, managedBy } = scope;
  return (
    <Link className="cell-name" to="/scopes/$guid" params={{ guid }} tabIndex={-1}>
      <IconTile icon="scope" />
      <span className="two-lines">
        <b>{name}</b>
        <small>{entryOf(accessScopeType, scope)}</small>
      </span>
      <ManagedBy name={managedBy} />
    </Link>
  );
}

/** All access scope types. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type ListSearch, sortAmong, sortOf, useAddress } from '../address';
import { all, typeWords } from '../filters';
import { ask } from '../graph';
import { openingStates } from '../openingStates';
import type { TypeRowsQuery } from '../operations/generated/graph';
import { typeRows } from '../operations/generated/types';
import { usePages } from '../pages';
import { changedColumn, stateColumn } from '../ui/columns';
import { ListPage } from '../ui/ListPage';
import { ManagedBy } from '../ui/ManagedBy';
import { NewLink } from '../ui/NewLink';
import type { Column } from '../ui/Row';
import { ScopeTabs } from '../ui/ScopeTabs';
import { IconTile } from '../ui/Tile';
import { plural } from '../words';

type Item = TypeRowsQuery['accessScopeTypes']['nodes'][number];

const columns: Column<Item>[] = [
  { key: 'name', label: 'Name', width: 'minmax(230px, 1.6fr)', sorts: true, keepSmall: true, cell: Name },
  {
    key: 'scopes',
    label: 'Has',
    width: '160px',
    cell: ({ accessScopes }) => plural(accessScopes.totalCount, 'access scope'),
  },
  {
    key: 'opens',
    label: 'All of them open',
    width: '160px',
    cell: ({ accessScopeTypeApplicationsMappers }) =>
      plural(accessScopeTypeApplicationsMappers.totalCount, 'application'),
  },
  stateColumn,
  changedColumn,
];

export function Types() {
  const [{ q, ...search }] = useAddress<ListSearch>();
  const sort = sortAmong(columns, search.sort) ?? 'name';
  const navigate = useNavigate();
  const filter = all(typeWords(q)) ?? null;
  const { field, direction } = sortOf(sort);
  const orderBy = [{ [field]: direction }];
  const opening = openingStates();
  const pages = usePages(
    ['types', filter, sort, opening],
    async (page, signal) => (await ask(typeRows, { ...page, filter, orderBy, opening }, signal)).accessScopeTypes,
    { exported: { list: 'accessScopeTypes', filter, orderBy } },
  );
  return (
    <ListPage
      title="Access scope types"
      one="type"
      placeholder="Name"
      pages={pages}
      columns={columns}
      keyOf={({ accessScopeTypeGuid }) => accessScopeTypeGuid}
      nameOf={({ name }) => name}
      isFaded={({ isActive }) => !isActive}
      open={({ accessScopeTypeGuid: guid }) => void navigate({ to: '/types/$guid', params: { guid } })}
      tabs={<ScopeTabs />}
      action={<NewLink to="/types/new" label="New type" />}
      empty="A type says what its access scopes are about: a site, a report."
    />
  );
}

function Name({ accessScopeTypeGuid: guid, name, description, managedBy }: Item) {
  return (
    <Link className="cell-name" to="/types/$guid" params={{ guid }} tabIndex={-1}>
      <IconTile icon="type" />
      <span className="two-lines">
        <b>{name}</b>
        <small>{description}</small>
      </span>
      <ManagedBy name={managedBy} />
    </Link>
  );
}

/** All roles. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type ListSearch, sortAmong, sortOf, useAddress } from '../address';
import { all, roleWords } from '../filters';
import { ask } from '../graph';
import type { RoleRowsQuery } from '../operations/generated/graph';
import { roleRows } from '../operations/generated/roles';
import { usePages } from '../pages';
import { changedColumn } from '../ui/columns';
import { ListPage } from '../ui/ListPage';
import { ManagedBy } from '../ui/ManagedBy';
import { NewLink } from '../ui/NewLink';
import type { Column } from '../ui/Row';
import { IconTile } from '../ui/Tile';
import { plural } from '../words';

type Item = RoleRowsQuery['roles']['nodes'][number];

const columns: Column<Item>[] = [
  { key: 'name', label: 'Name', width: 'minmax(230px, 1.6fr)', sorts: true, keepSmall: true, cell: Name },
  { key: 'roleId', label: 'Id', width: 'minmax(120px, 1fr)', sorts: true, cell: ({ roleId }) => <code>{roleId}</code> },
  {
    key: 'holders',
    label: 'Grants',
    width: '126px',
    keepSmall: true,
    cell: ({ userProfiles }) => plural(userProfiles.totalCount, 'grant'),
  },
  changedColumn,
];

export function Roles() {
  const [{ q, ...search }] = useAddress<ListSearch>();
  const sort = sortAmong(columns, search.sort) ?? 'name';
  const navigate = useNavigate();
  const filter = all(roleWords(q)) ?? null;
  const { field, direction } = sortOf(sort);
  const pages = usePages(
    ['roles', filter, sort],
    async (page, signal) => (await ask(roleRows, { ...page, filter, orderBy: [{ [field]: direction }] }, signal)).roles,
    { exported: { list: 'roles', filter, orderBy: [{ [field]: direction }] } },
  );
  return (
    <ListPage
      title="Roles"
      one="role"
      placeholder="Name or id"
      pages={pages}
      columns={columns}
      keyOf={({ roleId }) => roleId}
      nameOf={({ name }) => name}
      open={({ roleId: id }) => void navigate({ to: '/roles/$id', params: { id } })}
      action={<NewLink to="/roles/new" label="New role" />}
      empty="A person holds a profile in a role, such as operator. Tokens name the role."
    />
  );
}

function Name({ roleId: id, name, description, managedBy }: Item) {
  return (
    <Link className="cell-name" to="/roles/$id" params={{ id }} tabIndex={-1}>
      <IconTile icon="role" />
      <span className="two-lines">
        <b>{name}</b>
        <small>{description}</small>
      </span>
      <ManagedBy name={managedBy} />
    </Link>
  );
}

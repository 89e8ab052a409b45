/** All profiles: what they have and how many hold them. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type ListSearch, sortAmong, sortOf, useAddress, viewAmong } from '../address';
import { all, profileWords } from '../filters';
import { ask } from '../graph';
import type { ProfileFilter, ProfileRowsQuery } from '../operations/generated/graph';
import { profileRows } from '../operations/generated/profiles';
import { usePages } from '../pages';
import { changedColumn } from '../ui/columns';
import { ListPage } from '../ui/ListPage';
import { ManagedBy } from '../ui/ManagedBy';
import { NewLink } from '../ui/NewLink';
import type { Column } from '../ui/Row';
import { Segments } from '../ui/Segments';
import { IconTile } from '../ui/Tile';
import { plural } from '../words';

type Item = ProfileRowsQuery['profiles']['nodes'][number];

const columns: Column<Item>[] = [
  { key: 'name', label: 'Name', width: 'minmax(230px, 1.6fr)', sorts: true, keepSmall: true, cell: Name },
  { key: 'scopes', label: 'Access scopes', width: 'minmax(220px, 1.5fr)', cell: Scopes },
  {
    key: 'holders',
    label: 'Grants',
    width: '118px',
    keepSmall: true,
    cell: ({ userProfiles }) => plural(userProfiles.totalCount, 'grant'),
  },
  changedColumn,
];

const views = [
  ['', 'All'],
  ['nobody', 'Held by nobody'],
  ['nothing', 'Without a scope'],
] as const;
type View = (typeof views)[number][0];

const viewFilters: { [view in View]?: ProfileFilter } = {
  nobody: { userProfiles: { none: {} } },
  nothing: { profileAccessScopes: { none: {} } },
};

export function Profiles() {
  const [search, change] = useAddress<ListSearch>();
  const navigate = useNavigate();
  const { q } = search;
  const sort = sortAmong(columns, search.sort) ?? 'name';
  const view = viewAmong(views, search.view);
  const filter = all<ProfileFilter>([...profileWords(q), ...(viewFilters[view] ? [viewFilters[view]] : [])]) ?? null;
  const { field, direction } = sortOf(sort);
  const pages = usePages(
    ['profiles', filter, sort],
    async (page, signal) =>
      (await ask(profileRows, { ...page, filter, orderBy: [{ [field]: direction }] }, signal)).profiles,
    { exported: { list: 'profiles', filter, orderBy: [{ [field]: direction }] } },
  );
  return (
    <ListPage
      title="Profiles"
      one="profile"
      placeholder="Name or id"
      pages={pages}
      columns={columns}
      keyOf={({ profileId }) => profileId}
      nameOf={({ name }) => name}
      open={({ profileId: id }) => void navigate({ to: '/profiles/$id', params: { id } })}
      action={
        <>
          <Link className="button" to="/ending">
            Ending soon
          </Link>
          <NewLink to="/profiles/new" label="New profile" />
        </>
      }
      filters={<Segments label="View" value={view} options={views} onChange={(next) => change({ view: next })} />}
      empty="A profile is what somebody acts as: a bundle of access scopes."
    />
  );
}

function Name({ profileId: id, name, description, managedBy }: Item) {
  return (
    <Link className="cell-name" to="/profiles/$id" params={{ id }} tabIndex={-1}>
      <IconTile icon="profile" />
      <span className="two-lines">
        <b>{name}</b>
        <small>{description ?? <code>{id}</code>}</small>
      </span>
      <ManagedBy name={managedBy} />
    </Link>
  );
}

function Scopes({ profileAccessScopes: { nodes, totalCount } }: Item) {
  if (totalCount === 0) return <span className="mute">none</span>;
  return (
    <span className="cell-chips">
      {nodes.map(({ profileAccessScopeId, accessScope }) => (
        <span key={profileAccessScopeId} className="chip">
          {accessScope.name}
        </span>
      ))}
      {totalCount > nodes.length && <span className="chip more">+{totalCount - nodes.length}</span>}
    </span>
  );
}

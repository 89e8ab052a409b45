/** All users: which profiles they hold, and whether they are blocked. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type ListSearch, sortAmong, sortOf, useAddress, viewAmong } from '../address';
import { all, userWords } from '../filters';
import { ask } from '../graph';
import type { UserFilter, UserRowsQuery } from '../operations/generated/graph';
import { userRows } from '../operations/generated/users';
import { usePages } from '../pages';
import { Blocked } from '../ui/Badge';
import { ListPage } from '../ui/ListPage';
import type { Column } from '../ui/Row';
import { Segments } from '../ui/Segments';
import { Tile } from '../ui/Tile';
import { Time } from '../ui/Time';
import { fullName, nameAndMail } from '../words';

type Item = UserRowsQuery['users']['nodes'][number];

const columns: Column<Item>[] = [
  { key: 'lastName', label: 'Name', width: 'minmax(230px, 1.4fr)', sorts: true, keepSmall: true, cell: Name },
  { key: 'profiles', label: 'Profiles', width: 'minmax(220px, 1.5fr)', cell: Profiles },
  {
    key: 'jobTitle',
    label: 'Job',
    width: 'minmax(120px, 0.9fr)',
    sorts: true,
    cell: ({ jobTitle }) => jobTitle,
  },
  {
    key: 'isBlocked',
    label: 'State',
    width: '110px',
    sorts: true,
    keepSmall: true,
    cell: ({ isBlocked }) => <Blocked isBlocked={isBlocked} />,
  },
  {
    key: 'lastLoginDate',
    label: 'Last seen',
    width: '126px',
    sorts: true,
    cell: ({ lastLoginDate }) => <Time iso={lastLoginDate} absent="never" />,
  },
];

const views = [
  ['', 'All'],
  ['blocked', 'Blocked'],
  ['none', 'Without a profile'],
  ['never', 'Never seen'],
] as const;
type View = (typeof views)[number][0];

const viewFilters: { [view in View]?: UserFilter } = {
  blocked: { isBlocked: { eq: true } },
  none: { userProfiles: { none: {} } },
  never: { lastLoginDate: { isNull: true } },
};

export function Users() {
  const [search, change] = useAddress<ListSearch>();
  const navigate = useNavigate();
  const { q } = search;
  const sort = sortAmong(columns, search.sort) ?? 'lastName';
  const view = viewAmong(views, search.view);
  const filter = all<UserFilter>([...userWords(q), ...(viewFilters[view] ? [viewFilters[view]] : [])]) ?? null;
  const { field, direction } = sortOf(sort);
  const pages = usePages(['users', filter, sort], async (page, signal) => {
    const orderBy = [{ [field]: direction }, { firstName: 'ASC' as const }];
    return (await ask(userRows, { ...page, filter, orderBy }, signal)).users;
  });
  return (
    <ListPage
      title="Users"
      one="user"
      placeholder="Name or e-mail"
      pages={pages}
      columns={columns}
      defaultSort="lastName"
      keyOf={({ userGuid }) => userGuid}
      nameOf={nameAndMail}
      isFaded={({ isBlocked }) => isBlocked}
      open={({ userGuid: guid }) => void navigate({ to: '/users/$guid', params: { guid } })}
      filters={<Segments label="View" value={view} options={views} onChange={(next) => change({ view: next })} />}
      empty="Users come by import, or by the graph: the identity provider signs them in."
    />
  );
}

function Name({ userGuid: guid, email, ...person }: Item) {
  const name = fullName({ email, ...person });
  return (
    <Link className="cell-name" to="/users/$guid" params={{ guid }} tabIndex={-1}>
      <Tile name={name} round />
      <span className="two-lines">
        <b>{name}</b>
        <small>{email}</small>
      </span>
    </Link>
  );
}

function Profiles({ userProfiles: { nodes, totalCount } }: Item) {
  if (totalCount === 0) return <span className="mute">none</span>;
  return (
    <span className="cell-chips">
      {nodes.map(({ userProfileId, profile }) => (
        <span key={userProfileId} className="chip">
          {profile.name}
        </span>
      ))}
      {totalCount > nodes.length && <span className="chip more">+{totalCount - nodes.length}</span>}
    </span>
  );
}

/** Who holds a profile, or has a role: all of them, searched, sorted, and removed by tens or hundreds. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { type ListSearch, sortAmong, sortOf, useAddress } from '../address';
import { draftsMax, putDrafts } from '../drafts';
import { all, userWords } from '../filters';
import { ask } from '../graph';
import { unassigningDraft } from '../holdingDraft';
import type { HolderRowsQuery, UserProfileFilter, UserProfileOrderBy } from '../operations/generated/graph';
import { holderRows } from '../operations/generated/holders';
import { usePages } from '../pages';
import { type Range, readToEnd } from '../readToEnd';
import { reviewDrafts } from '../review/reviewing';
import { useMay } from '../session';
import { Blocked } from '../ui/Badge';
import { List } from '../ui/List';
import { ManagedBy } from '../ui/ManagedBy';
import type { Column } from '../ui/Row';
import { SelectionDock, useSelectingAll } from '../ui/SelectionDock';
import { Tile } from '../ui/Tile';
import { Time } from '../ui/Time';
import { useSelection } from '../ui/useSelection';
import { fullName, nameAndMail } from '../words';

type Holder = HolderRowsQuery['userProfiles']['nodes'][number];

const nameColumn: Column<Holder> = {
  key: 'lastName',
  label: 'Name',
  width: 'minmax(230px, 1.6fr)',
  sorts: true,
  keepSmall: true,
  cell: ({ user }) => (
    <Link className="cell-name" to="/users/$guid" params={{ guid: user.userGuid }} tabIndex={-1}>
      <Tile name={fullName(user)} round />
      <span className="two-lines">
        <b>{fullName(user)}</b>
        <small>{user.email}</small>
      </span>
      <Blocked isBlocked={user.isBlocked} />
    </Link>
  ),
};
const otherColumns: Column<Holder>[] = [
  {
    key: 'department',
    label: 'Department',
    width: 'minmax(120px, 1fr)',
    sorts: true,
    cell: ({ user }) => user.department,
  },
  {
    key: 'createdDate',
    label: 'Since',
    width: '126px',
    sorts: true,
    cell: ({ createdDate }) => <Time iso={createdDate} />,
  },
  { key: 'managedBy', label: 'Managed by', width: '150px', cell: ({ managedBy }) => <ManagedBy name={managedBy} /> },
];
const roleColumn: Column<Holder> = {
  key: 'role',
  label: 'Role',
  width: 'minmax(110px, 0.8fr)',
  sorts: true,
  keepSmall: true,
  cell: ({ role }) => role.name,
};
const profileColumn: Column<Holder> = {
  key: 'profile',
  label: 'Profile',
  width: 'minmax(140px, 1fr)',
  sorts: true,
  keepSmall: true,
  cell: ({ profile }) => (
    <Link to="/profiles/$id" params={{ id: profile.profileId }} tabIndex={-1}>
      {profile.name}
    </Link>
  ),
};
const columnsOf = {
  profile: [nameColumn, roleColumn, ...otherColumns],
  role: [nameColumn, profileColumn, ...otherColumns],
};

const orderings: Record<string, (direction: 'ASC' | 'DESC') => UserProfileOrderBy> = {
  lastName: (lastName) => ({ user: { lastName } }),
  department: (department) => ({ user: { department } }),
  createdDate: (createdDate) => ({ createdDate }),
  role: (name) => ({ role: { name } }),
  profile: (name) => ({ profile: { name } }),
};

export function Holders({ of, id }: { of: 'profile' | 'role'; id: string }) {
  const [{ q, sort: chosen }] = useAddress<ListSearch>();
  const navigate = useNavigate();
  const mayChange = useMay('admin:write');
  const selection = useSelection();
  const columns = columnsOf[of];
  const { field, direction } = sortOf(sortAmong(columns, chosen) ?? 'lastName');
  const target: UserProfileFilter = of === 'profile' ? { profileId: { eq: id } } : { roleId: { eq: id } };
  const filter = all<UserProfileFilter>([target, ...userWords(q).map((user) => ({ user }))]) ?? null;
  const orderBy = [
    orderings[field]!(direction),
    { user: { lastName: 'ASC' as const } },
    { user: { firstName: 'ASC' as const } },
  ];
  const pages = usePages(['holders', filter, field, direction], async (page, signal) => {
    return (await ask(holderRows, { ...page, filter, orderBy }, signal)).userProfiles;
  });
  // what is selected stays so through another search
  const known = useRef(new Map<string, Holder>());
  for (const holder of pages.rows) known.current.set(keyOf(holder), holder);
  const selectingAll = useSelectingAll(
    pages.total,
    async () => {
      const read = (page: Range) => ask(holderRows, { ...page, filter, orderBy });
      for (const holder of await readToEnd(async (page) => (await read(page)).userProfiles))
        known.current.set(keyOf(holder), holder);
      return [...known.current.keys()];
    },
    selection,
  );
  const remove = () => {
    const chosen = [...selection.keys].flatMap((key) => known.current.get(key) ?? []);
    putDrafts(
      chosen.map(({ user, profile, role, revision }) =>
        unassigningDraft({
          user,
          profileId: profile.profileId,
          profileName: profile.name,
          roleId: role.roleId,
          roleName: role.name,
          revision,
        }),
      ),
    );
    selection.clear();
    reviewDrafts();
  };
  return (
    <div className="tab-list">
      <List
        label="People"
        one="person"
        many="people"
        placeholder="Name or e-mail"
        pages={pages}
        columns={columns}
        defaultSort="lastName"
        isCounting
        keyOf={keyOf}
        nameOf={({ user }) => nameAndMail(user)}
        isFaded={({ user }) => user.isBlocked}
        open={({ user }) => void navigate({ to: '/users/$guid', params: { guid: user.userGuid } })}
        {...(mayChange && { selection })}
        empty={of === 'profile' ? 'On a user’s page it can be given.' : 'On a user’s page it is given with a profile.'}
      />
      <SelectionDock selection={selection} total={pages.total} one="person" many="people" selectingAll={selectingAll}>
        <button
          type="button"
          className="button bright"
          disabled={selectingAll.isPending || selection.keys.size > draftsMax}
          onClick={remove}
        >
          Remove…
        </button>
      </SelectionDock>
    </div>
  );
}

const keyOf = ({ userProfileId }: Holder): string => String(userProfileId);

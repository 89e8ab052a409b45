/** Who holds a profile, has a role, or holds one that ends soon or is not used: searched, sorted, and removed or extended by tens or hundreds. */
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { type ListSearch, sortAmong, sortOf, useAddress } from '../address';
import { draftsMax, putDrafts } from '../drafts';
import { all, userWords } from '../filters';
import { isSameEnd, longAgo, soonDays, soonest } from '../grantEnd';
import { ask } from '../graph';
import { endingDraft, unassigningDraft } from '../holdingDraft';
import type { HolderRowsQuery, UserProfileFilter, UserProfileOrderBy } from '../operations/generated/graph';
import { holderRows } from '../operations/generated/holders';
import { usePages } from '../pages';
import { useDepartmentPicks, useRolePicks } from '../picks';
import { type Range, readToEnd } from '../readToEnd';
import { reviewDrafts } from '../review/reviewing';
import { useMay } from '../session';
import { agoConditions, agoWords, endConditions, endWords, useAgoPicks, useEndPicks } from '../timeFilters';
import { Blocked } from '../ui/Badge';
import { FilterField } from '../ui/FilterField';
import { Filters } from '../ui/Filters';
import { GrantEnd } from '../ui/GrantEnd';
import { List } from '../ui/List';
import { ManagedBy } from '../ui/ManagedBy';
import type { Column } from '../ui/Row';
import { SelectionDock, tooMany, useSelectingAll } from '../ui/SelectionDock';
import { Tile } from '../ui/Tile';
import { LastUse, Time } from '../ui/Time';
import { useSelection } from '../ui/useSelection';
import { fullName, nameAndMail, plural } from '../words';
import { EndSheet } from './EndSheet';
import '../theme/people.css';

const GivePanel = lazy(() => import('./GivePanel').then(({ GivePanel }) => ({ default: GivePanel })));
const ChangeRole = lazy(() => import('./ChangeRole').then(({ ChangeRole }) => ({ default: ChangeRole })));

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
const endsColumn: Column<Holder> = {
  key: 'validUntil',
  label: 'Ends',
  width: '150px',
  sorts: true,
  cell: ({ validUntil }) => <GrantEnd iso={validUntil} absent="no end" />,
};
const departmentColumn: Column<Holder> = {
  key: 'department',
  label: 'Department',
  width: 'minmax(120px, 1fr)',
  sorts: true,
  yields: true,
  cell: ({ user }) => user.department,
};
const otherColumns: Column<Holder>[] = [
  {
    key: 'createdDate',
    label: 'Since',
    width: '126px',
    sorts: true,
    yields: true,
    cell: ({ createdDate }) => <Time iso={createdDate} />,
  },
  {
    key: 'lastUsedAt',
    label: 'Last used',
    width: '126px',
    sorts: true,
    cell: ({ lastUsedAt }) => <LastUse iso={lastUsedAt} />,
  },
  endsColumn,
  {
    key: 'managedBy',
    label: 'Managed by',
    width: '150px',
    yields: true,
    cell: ({ managedBy }) => (managedBy ? <ManagedBy name={managedBy} /> : <span className="mute">by hand</span>),
  },
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
const anyProfile: Column<Holder>[] = [
  nameColumn,
  { ...profileColumn, keepSmall: false },
  { ...roleColumn, keepSmall: false },
  { ...endsColumn, keepSmall: true },
  departmentColumn,
  ...otherColumns.filter((column) => column !== endsColumn),
];
const columnsOf = {
  profile: [nameColumn, departmentColumn, roleColumn, ...otherColumns],
  role: [nameColumn, departmentColumn, profileColumn, ...otherColumns],
  ending: anyProfile,
  unused: anyProfile,
};

const orderings: Record<string, (direction: 'ASC' | 'DESC') => UserProfileOrderBy> = {
  lastName: (lastName) => ({ user: { lastName } }),
  department: (department) => ({ user: { department } }),
  createdDate: (createdDate) => ({ createdDate }),
  validUntil: (validUntil) => ({ validUntil }),
  lastUsedAt: (lastUsedAt) => ({ lastUsedAt }),
  role: (name) => ({ role: { name } }),
  profile: (name) => ({ profile: { name } }),
};

/** @param id of the profile or the role */
export function Holders({ of, id = '' }: { of: keyof typeof columnsOf; id?: string }) {
  const [search, change] = useAddress<HolderSearch>();
  const { q, sort: chosen } = search;
  const navigate = useNavigate();
  const mayChange = useMay('admin:write');
  const selection = useSelection();
  const columns = columnsOf[of];
  const defaultSort = of === 'ending' ? 'validUntil' : 'lastName';
  const { field, direction } = sortOf(sortAmong(columns, chosen) ?? defaultSort);
  const [act, setAct] = useState<'end' | 'role' | 'give'>();
  // as long as the page is open, or each look would be another list
  const [{ soon, past, now }] = useState(() => ({ soon: soonest(), past: longAgo(), now: new Date().toISOString() }));
  const targets: Record<typeof of, UserProfileFilter> = {
    profile: { profileId: { eq: id } },
    role: { roleId: { eq: id } },
    ending: { validUntil: { le: soon } },
    unused: {
      createdDate: { le: past },
      user: { isBlocked: { eq: false } },
      and: [
        { or: [{ lastUsedAt: { isNull: true } }, { lastUsedAt: { lt: past } }] },
        { or: [{ validUntil: { isNull: true } }, { validUntil: { gt: now } }] },
      ],
    },
  };
  const target = targets[of];
  const isOfAny = of === 'ending' || of === 'unused';
  // a person may hold a profile in several roles, and have a role in several profiles
  const counted = { one: 'grant' };
  const filter =
    all<UserProfileFilter>([target, ...userWords(q).map((user) => ({ user })), ...holderFilters(search)]) ?? null;
  const orderBy = [
    orderings[field]!(direction),
    { user: { lastName: 'ASC' as const } },
    { user: { firstName: 'ASC' as const } },
  ];
  const pages = usePages(
    ['holders', filter, field, direction],
    async (page, signal) => (await ask(holderRows, { ...page, filter, orderBy }, signal)).userProfiles,
    { exported: { list: 'userProfiles', filter, orderBy } },
  );
  // what is selected stays so through another search
  const known = useRef(new Map<string, Holder>());
  for (const holder of pages.rows) known.current.set(keyOf(holder), holder);
  const selectingAll = useSelectingAll(
    pages,
    async () => {
      const read = (page: Range) => ask(holderRows, { ...page, filter, orderBy });
      const whole = await readToEnd(async (page) => (await read(page)).userProfiles);
      for (const holder of whole) known.current.set(keyOf(holder), holder);
      return [...new Set([...selection.keys, ...whole.map(keyOf)])];
    },
    selection,
  );
  const chosenHoldings = () =>
    [...selection.keys].flatMap((key) => {
      const holder = known.current.get(key);
      return holder ? [holdingOf(holder)] : [];
    });
  const remove = () => {
    putDrafts(chosenHoldings().map(unassigningDraft));
    selection.clear();
    reviewDrafts();
  };
  const endings = (end: string | null) => {
    const others = chosenHoldings().filter(({ validUntil }) => !isSameEnd(validUntil, end));
    const drafts = others.map((holding) => endingDraft(holding, end));
    selection.clear();
    return drafts;
  };
  // another role is two changes for each grant
  const isTooMany = selectingAll.isPending || selection.keys.size > draftsMax;
  const isTooManyTwice = selectingAll.isPending || selection.keys.size > draftsMax / 2;
  const people = () => [...new Set(chosenHoldings().map(({ user }) => user.userGuid))];
  /** The end that all have; undefined: they differ. */
  const presentEnd = () => {
    const [first, ...others] = chosenHoldings();
    return others.every(({ validUntil }) => isSameEnd(validUntil, first!.validUntil)) ? first?.validUntil : undefined;
  };
  const close = () => setAct(undefined);
  const done = () => {
    close();
    selection.clear();
  };
  return (
    <div className="tab-list">
      <List
        label="People"
        {...counted}
        placeholder="Name or e-mail"
        pages={pages}
        columns={columns}
        defaultSort={defaultSort}
        isCounting
        keyOf={keyOf}
        nameOf={({ user }) => nameAndMail(user)}
        isFaded={({ user }) => user.isBlocked}
        open={({ user }) => void navigate({ to: '/users/$guid', params: { guid: user.userGuid } })}
        {...(mayChange && { selection: { ...selection, all: selectingAll } })}
        filters={!isOfAny && <HolderFilters of={of} search={search} change={change} />}
        empty={empty[of]}
      />
      <SelectionDock selection={selection} total={pages.total} {...counted} selectingAll={selectingAll}>
        <button type="button" className="button on-dark" disabled={isTooMany} onClick={() => setAct('end')}>
          Extend…
        </button>
        <button
          type="button"
          className="button on-dark"
          disabled={isTooManyTwice}
          title={isTooManyTwice ? tooMany(selection.keys.size, draftsMax / 2) : undefined}
          onClick={() => setAct('role')}
        >
          Change role…
        </button>
        <button type="button" className="button on-dark" disabled={isTooMany} onClick={remove}>
          Remove…
        </button>
        <button type="button" className="button bright" data-give disabled={isTooMany} onClick={() => setAct('give')}>
          Give a profile…
        </button>
      </SelectionDock>
      {act === 'end' && (
        <EndSheet
          what={plural(selection.keys.size, 'grant')}
          present={presentEnd()}
          draftsFor={endings}
          onClose={close}
        />
      )}
      <Suspense fallback={null}>
        {act === 'role' && <ChangeRole holdings={chosenHoldings()} onClose={close} onDrafted={done} />}
        {act === 'give' && <GivePanel people={people()} onClose={close} onDrafted={done} />}
      </Suspense>
    </div>
  );
}

interface HolderSearch extends ListSearch {
  department?: string;
  role?: string;
  /** Days since the last use, or `never`. */
  used?: string;
  /** Days until the end, or `never`. */
  ends?: string;
}

function holderFilters({ department, role, used, ends }: HolderSearch): UserProfileFilter[] {
  const [since, until] = [agoConditions(used), endConditions(ends)];
  return [
    ...(department ? [{ user: { department: { eq: department } } }] : []),
    ...(role ? [{ role: { name: { eq: role } } }] : []),
    ...(since.length > 0 ? [{ or: since.map((lastUsedAt) => ({ lastUsedAt })) }] : []),
    ...(until.length > 0 ? [{ or: until.map((validUntil) => ({ validUntil })) }] : []),
  ];
}

interface HolderFiltersProps {
  of: 'profile' | 'role';
  search: HolderSearch;
  change: (search: HolderSearch) => void;
}

/** A role by its name: the address says what people read. */
const useRoleNamePicks = (text: string | undefined) => {
  const picks = useRolePicks(text);
  return { ...picks, options: picks.options.map((role) => ({ ...role, id: role.label })) };
};

function HolderFilters({ of, search, change }: HolderFiltersProps) {
  const set = (name: 'department' | 'role' | 'used' | 'ends') => (id: string | undefined) =>
    change({ [name]: id ?? '' });
  const { department, role, used, ends } = search;
  return (
    <Filters count={[department, role, agoWords(used), endWords(ends)].filter(Boolean).length}>
      <FilterField
        label="Department"
        value={search.department}
        usePicks={useDepartmentPicks}
        onChange={set('department')}
      />
      {of === 'profile' && (
        <FilterField label="Role" value={search.role} usePicks={useRoleNamePicks} onChange={set('role')} />
      )}
      <FilterField label="Last used" value={agoWords(search.used)} usePicks={useAgoPicks} onChange={set('used')} />
      <FilterField label="Ends" value={endWords(search.ends)} usePicks={useEndPicks} onChange={set('ends')} />
    </Filters>
  );
}

const empty = {
  profile: 'Add people… gives it to them.',
  role: 'People get a role together with a profile, on the page of the user.',
  ending: `Nothing ends in the next ${soonDays} days.`,
  unused: 'All are used.',
};

const holdingOf = ({ user, profile, role, revision, validUntil }: Holder) => ({
  user,
  profileId: profile.profileId,
  profileName: profile.name,
  roleId: role.roleId,
  roleName: role.name,
  revision,
  validUntil,
});

const keyOf = ({ userProfileId }: Holder): string => String(userProfileId);

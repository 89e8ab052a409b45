/** All users: which profiles they hold, filtered by what an administrator looks for; those who are selected get or lose a profile together. */
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { sortAmong, sortOf, useAddress, viewAmong } from '../address';
import { draftsMax, putDrafts } from '../drafts';
import { all, userWords } from '../filters';
import { ask } from '../graph';
import { assignedMax } from '../holdingDraft';
import type { UserFilter, UserRowsQuery } from '../operations/generated/graph';
import { userGuids, userRows } from '../operations/generated/users';
import { usePages } from '../pages';
import { useDepartmentPicks, useProfilePicks, useRolePicks } from '../picks';
import { type Range, readToEnd } from '../readToEnd';
import { reviewDrafts } from '../review/reviewing';
import { useMay } from '../session';
import { useAgoPicks } from '../timeFilters';
import { Blocked } from '../ui/Badge';
import { FilterField } from '../ui/FilterField';
import { Filters } from '../ui/Filters';
import { ListPage } from '../ui/ListPage';
import { NewLink } from '../ui/NewLink';
import type { Column } from '../ui/Row';
import { Segments } from '../ui/Segments';
import { SelectionDock, tooMany, useSelectingAll } from '../ui/SelectionDock';
import { Tile } from '../ui/Tile';
import { Time } from '../ui/Time';
import { refuse } from '../ui/Toasts';
import { useSelection } from '../ui/useSelection';
import { useSignal } from '../ui/useSignal';
import { fullName, nameAndMail } from '../words';
import { type UserSearch, useFilterWords, useManagedPicks, userFilters, views } from './users/filters';
import { type Unusual, useUnusual } from './users/unusual';
import '../theme/people.css';

const GivePanel = lazy(() => import('../record/GivePanel').then(({ GivePanel }) => ({ default: GivePanel })));
const RemoveProfile = lazy(() =>
  import('./users/RemoveProfile').then(({ RemoveProfile }) => ({ default: RemoveProfile })),
);

type Item = UserRowsQuery['users']['nodes'][number];

const columnsWith = (unusual: ReadonlyMap<string, Unusual>): Column<Item>[] => [
  { key: 'lastName', label: 'Name', width: 'minmax(200px, 1.4fr)', sorts: true, keepSmall: true, cell: Name },
  {
    key: 'department',
    label: 'Department',
    width: 'minmax(110px, 0.7fr)',
    sorts: true,
    cell: ({ department }) => department,
  },
  {
    key: 'jobTitle',
    label: 'Job',
    width: 'minmax(110px, 0.8fr)',
    sorts: true,
    yields: true,
    cell: ({ jobTitle }) => jobTitle,
  },
  {
    key: 'profiles',
    label: 'Profiles',
    width: 'minmax(180px, 1.7fr)',
    cell: (user) => <Profiles user={user} unusual={unusual.get(user.userGuid)} />,
  },
  {
    key: 'lastLoginDate',
    label: 'Last seen',
    width: '126px',
    sorts: true,
    keepSmall: true,
    cell: ({ lastLoginDate }) => <Time iso={lastLoginDate} absent="never" />,
  },
];
/** What the address may sort by. */
const columns = columnsWith(new Map());

export function Users() {
  const [search, change] = useAddress<UserSearch>();
  const navigate = useNavigate();
  const mayChange = useMay('admin:write');
  const selection = useSelection();
  const [act, setAct] = useState<'give' | 'remove'>();
  const sort = sortAmong(columns, search.sort) ?? 'lastName';
  const view = viewAmong(views, search.view);
  const filter = all<UserFilter>([...userWords(search.q), ...userFilters(search, view)]) ?? null;
  const { field, direction } = sortOf(sort);
  const orderBy = [{ [field]: direction }, ...(field === 'firstName' ? [] : [{ firstName: 'ASC' as const }])];
  const read = usePages(
    ['users', filter, sort],
    async (page, signal) => (await ask(userRows, { ...page, filter, orderBy }, signal)).users,
    { exported: { list: 'users', filter, orderBy } },
  );
  const [pages, unusual] = useUnusual(read);
  const selectingAll = useSelectingAll(
    pages,
    async () => {
      const readGuids = (page: Range) => ask(userGuids, { ...page, filter });
      return (await readToEnd(async (page) => (await readGuids(page)).users)).map(({ userGuid }) => userGuid);
    },
    selection,
    assignedMax,
  );
  const people = [...selection.keys];
  const isTooMany = people.length > draftsMax ? tooMany(people.length) : undefined;
  const done = () => {
    setAct(undefined);
    selection.clear();
  };
  const signalNow = useSignal(selection.keys);
  const block = async () => {
    const signal = signalNow();
    try {
      const { blockingDrafts } = await import('./users/bulk');
      const drafts = await blockingDrafts(people, signal);
      if (drafts.length === 0) return refuse('All of them are blocked already.');
      putDrafts(drafts);
      selection.clear();
      reviewDrafts();
    } catch (error) {
      if (!signal.aborted) refuse((error as Error).message);
    }
  };
  return (
    <ListPage
      title="Users"
      one="user"
      placeholder="Name or e-mail"
      pages={pages}
      columns={useMemo(() => columnsWith(unusual), [unusual])}
      defaultSort="lastName"
      keyOf={({ userGuid }) => userGuid}
      nameOf={nameAndMail}
      isFaded={({ isBlocked }) => isBlocked}
      open={({ userGuid: guid }) => void navigate({ to: '/users/$guid', params: { guid } })}
      {...(mayChange && {
        selection: { ...selection, all: selectingAll },
        acts: {
          p: ({ userGuid }: Item) => {
            if (people.length === 0) selection.toggle(userGuid);
            setAct('give');
          },
        },
      })}
      filters={
        <>
          <Segments label="View" value={view} options={views} onChange={(next) => change({ view: next })} />
          <UserFilters search={search} change={change} />
        </>
      }
      action={<NewLink to="/users/new" label="New person" />}
      empty="Users come from an import, from SCIM or from the API, or are made here. The identity provider signs them in."
    >
      <SelectionDock selection={selection} total={pages.total} one="person" many="people" selectingAll={selectingAll}>
        <button
          type="button"
          className="button on-dark"
          disabled={selectingAll.isPending || isTooMany !== undefined}
          title={isTooMany}
          onClick={() => setAct('remove')}
        >
          Remove a profile…
        </button>
        <button
          type="button"
          className="button on-dark"
          disabled={selectingAll.isPending || isTooMany !== undefined}
          title={isTooMany}
          onClick={() => void block()}
        >
          Block…
        </button>
        <button
          type="button"
          className="button bright"
          data-give
          disabled={selectingAll.isPending || people.length > assignedMax}
          title={people.length > assignedMax ? tooMany(people.length, assignedMax) : undefined}
          onClick={() => setAct('give')}
        >
          Give a profile…
          <kbd>p</kbd>
        </button>
      </SelectionDock>
      <Suspense fallback={null}>
        {act === 'give' && <GivePanel people={people} onClose={() => setAct(undefined)} onDrafted={done} />}
        {act === 'remove' && <RemoveProfile people={people} onClose={() => setAct(undefined)} onDrafted={done} />}
      </Suspense>
    </ListPage>
  );
}

interface FiltersProps {
  search: UserSearch;
  change: (search: UserSearch) => void;
}

const noFilters = { profile: '', role: '', department: '', seen: '', managed: '' };

function UserFilters({ search, change }: FiltersProps) {
  const words = useFilterWords(search);
  const count = Object.values(words).filter(Boolean).length;
  const set = (name: keyof typeof noFilters) => (id: string | undefined) => change({ [name]: id ?? '' });
  return (
    <Filters count={count}>
      <div className="filters">
        <FilterField
          label="Profile"
          value={words.profile}
          usePicks={useProfilePicks}
          onChange={set('profile')}
          isPlain={false}
        />
        <FilterField
          label="Department"
          value={words.department}
          usePicks={useDepartmentPicks}
          onChange={set('department')}
        />
        <FilterField label="Last seen" value={words.seen} usePicks={useAgoPicks} onChange={set('seen')} />
        <FilterField label="Role" value={words.role} usePicks={useRolePicks} onChange={set('role')} />
        <FilterField label="Managed by" value={words.managed} usePicks={useManagedPicks} onChange={set('managed')} />
        {count > 0 && (
          <button type="button" className="link" onClick={() => change(noFilters)}>
            Clear all
          </button>
        )}
        <span className="grow" />
        <span className="unusual-legend">
          <span className="chip unusual">dashed</span> held by under 5 % of the department
        </span>
      </div>
    </Filters>
  );
}

function Name({ userGuid: guid, email, isBlocked, ...person }: Item) {
  const name = fullName({ email, ...person });
  return (
    <Link className="cell-name" to="/users/$guid" params={{ guid }} tabIndex={-1}>
      <Tile name={name} round />
      <span className="two-lines">
        <b>{name}</b>
        <small>{email}</small>
      </span>
      <Blocked isBlocked={isBlocked} />
    </Link>
  );
}

/** Profiles that are shown of each person; those that are unusual are, too. */
const shownMax = 2;

function Profiles({ user, unusual }: { user: Item; unusual: Unusual | undefined }) {
  const { nodes, totalCount } = user.userProfiles;
  if (totalCount === 0) return <span className="mute">none</span>;
  const odd = new Map((unusual?.unusualProfiles ?? []).map((each) => [each.profile.profileId, each]));
  const own = new Map(nodes.map(({ profile }) => [profile.profileId, profile.name]));
  for (const [id, { profile }] of odd) own.set(id, profile.name);
  const shown = [...own].sort(([one], [other]) => Number(odd.has(other)) - Number(odd.has(one))).slice(0, shownMax);
  const rest = totalCount - shown.length;
  return (
    <span className="cell-chips">
      {shown.map(([id, name]) => {
        const few = odd.get(id);
        return few ? (
          <span
            key={id}
            className="chip unusual"
            title={`${few.holders.toLocaleString('en')} of ${few.colleagues.toLocaleString('en')} people in ${unusual?.department} hold ${name}: under 5 %.`}
          >
            {name}
            <span className="only-heard">, held by few colleagues</span>
          </span>
        ) : (
          <span key={id} className="chip">
            {name}
          </span>
        );
      })}
      {rest > 0 && <span className="chip more">+{rest.toLocaleString('en')}</span>}
    </span>
  );
}

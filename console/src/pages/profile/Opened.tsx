/** The applications that a profile opens: through which access scopes, and how many other profiles open them. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type ListSearch, useAddress, viewAmong } from '../../address';
import { ask } from '../../graph';
import type { OpenedRowsQuery } from '../../operations/generated/graph';
import { openedRows } from '../../operations/generated/profiles';
import { type Connection, usePages } from '../../pages';
import { OutOfUse } from '../../ui/Badge';
import { List } from '../../ui/List';
import type { Column } from '../../ui/Row';
import { Segments } from '../../ui/Segments';
import { Tile } from '../../ui/Tile';

type Item = NonNullable<OpenedRowsQuery['profile']>['opens']['nodes'][number];

const columns: Column<Item>[] = [
  { key: 'name', label: 'Application', width: 'minmax(240px, 1.4fr)', keepSmall: true, cell: Name },
  { key: 'through', label: 'Through', width: 'minmax(220px, 1.4fr)', cell: Through },
  {
    key: 'profiles',
    label: 'Other profiles',
    width: '130px',
    keepSmall: true,
    cell: ({ profiles }) =>
      profiles > 1 ? (profiles - 1).toLocaleString('en') : <span className="mute">only this one</span>,
  },
];

const views = [
  ['', 'All'],
  ['only', 'Only by this profile'],
  ['unused', 'Out of use'],
] as const;

const none: Connection<Item> = { totalCount: 0, nodes: [] };

export function Opened({ profileId }: { profileId: string }) {
  const [{ q, ...search }, change] = useAddress<ListSearch>();
  const navigate = useNavigate();
  const view = viewAmong(views, search.view);
  const asked = { text: q ?? null, onlyThis: view === 'only' || null, isActive: view === 'unused' ? false : null };
  const of = {
    profileId,
    ...(q && { text: q }),
    ...(view === 'only' && { onlyThis: 'yes' }),
    ...(view === 'unused' && { isActive: 'no' }),
  };
  const pages = usePages(
    ['opened rows', profileId, asked],
    async (page, signal) => (await ask(openedRows, { ...page, ...asked, profileId }, signal)).profile?.opens ?? none,
    { exported: { list: 'opened', of, orderBy: [{ name: 'ASC' }] } },
  );
  return (
    <div className="tab-list">
      <List
        label="Opens"
        one="application"
        placeholder="Application"
        pages={pages}
        columns={columns}
        isCounting
        keyOf={({ application }) => application.applicationGuid}
        nameOf={({ application }) => application.name}
        isFaded={({ application }) => !application.isActive}
        open={({ application: { applicationGuid: guid } }) =>
          void navigate({ to: '/applications/$guid', params: { guid } })
        }
        filters={<Segments label="View" value={view} options={views} onChange={(next) => change({ view: next })} />}
        empty="None of its access scopes opens an application."
      />
    </div>
  );
}

function Name({ application: { applicationGuid: guid, name, appType, isActive } }: Item) {
  return (
    <Link className="cell-name" to="/applications/$guid" params={{ guid }} tabIndex={-1}>
      <Tile name={name} />
      <span className="two-lines">
        <b>{name}</b>
        <small>{appType}</small>
      </span>
      <OutOfUse isActive={isActive} tiny />
    </Link>
  );
}

/** Shows the first two ways, and the number of further ones. */
function Through({ accessScopes, accessScopeTypes }: Item) {
  const ways = [
    ...accessScopeTypes.map(({ accessScopeTypeGuid: key, name }) => ({ key, name: `all of ${name}` })),
    ...accessScopes.map(({ accessScopeGuid: key, name }) => ({ key, name })),
  ];
  return (
    <span className="cell-chips">
      {ways.slice(0, 2).map(({ key, name }) => (
        <span key={key} className="chip">
          {name}
        </span>
      ))}
      {ways.length > 2 && <span className="chip more">+{ways.length - 2}</span>}
    </span>
  );
}

/** All clients: programs that may ask for tokens, and when their secrets were last used. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type ListSearch, sortAmong, sortOf, useAddress, viewAmong } from '../address';
import { all, clientWords } from '../filters';
import { ask } from '../graph';
import { useKeptOpen } from '../keptOpen';
import { clientRows } from '../operations/generated/clients';
import type { ClientFilter, ClientRowsQuery } from '../operations/generated/graph';
import { type Connection, isFirstPage, type Page, usePages } from '../pages';
import { useMay } from '../session';
import { Badge } from '../ui/Badge';
import { stateColumn } from '../ui/columns';
import { Icon } from '../ui/icons';
import { ListPage } from '../ui/ListPage';
import type { Column } from '../ui/Row';
import { Segments } from '../ui/Segments';
import { IconTile } from '../ui/Tile';
import { Time } from '../ui/Time';
import { NewClient } from './clients/NewClient';
import { ReadinessBadge, ReadinessNotice } from './clients/Readiness';

type Item = NonNullable<ClientRowsQuery['clients']>['nodes'][number];

const columns: Column<Item>[] = [
  { key: 'name', label: 'Name', width: 'minmax(230px, 1.6fr)', sorts: true, keepSmall: true, cell: Name },
  {
    key: 'secret',
    label: 'Secret',
    width: 'minmax(180px, 1fr)',
    cell: ({ previousSecretEndsAt }) =>
      previousSecretEndsAt ? <Badge tone="near">two, one ends soon</Badge> : <span className="mute">one</span>,
  },
  {
    key: 'secretLastUsedAt',
    label: 'Last used',
    width: '140px',
    sorts: true,
    cell: LastUsed,
  },
  stateColumn,
  {
    key: 'createdAt',
    label: 'Made',
    width: '126px',
    sorts: true,
    cell: ({ createdAt }) => <Time iso={createdAt} />,
  },
];

/** While the hardened policy is rehearsed. */
const withReadiness: Column<Item>[] = [
  ...columns.slice(0, 1),
  {
    key: 'policyReadiness',
    label: 'Hardened policy',
    width: '150px',
    cell: ({ policyReadiness: { state } }) => <ReadinessBadge state={state} />,
  },
  ...columns.slice(1),
];

const views = [
  ['', 'All'],
  ['two', 'With two secrets'],
  ['never', 'Never used'],
  ['unused', 'Out of use'],
] as const;
type View = (typeof views)[number][0];

const viewFilters: { [view in View]?: ClientFilter } = {
  two: { previousSecretEndsAt: { isNull: false } },
  never: { secretLastUsedAt: { isNull: true }, keysLastUsedAt: { isNull: true } },
  unused: { isActive: { eq: false } },
};

const noClients: Connection<Item> & Pick<ClientRowsQuery, 'policyReadiness'> = {
  totalCount: 0,
  nodes: [],
};

export function Clients() {
  const [search, change] = useAddress<ListSearch>();
  const sheet = useKeptOpen('clients');
  const mayChange = useMay('admin:security');
  const navigate = useNavigate();
  const { q } = search;
  const sort = sortAmong(columns, search.sort) ?? 'name';
  const view = viewAmong(views, search.view);
  const filter = all<ClientFilter>([...clientWords(q), ...(viewFilters[view] ? [viewFilters[view]] : [])]) ?? null;
  const { field, direction } = sortOf(sort);
  const orderBy = [{ [field]: direction }];
  const exported = { list: 'clients', filter, orderBy };
  const read = async (page: Page, signal: AbortSignal) => {
    const { clients, policyReadiness } = await ask(
      clientRows,
      { ...page, filter, orderBy, isFirst: isFirstPage(page) },
      signal,
    );
    return clients ? { ...clients, policyReadiness } : noClients;
  };
  const pages = usePages(['clients', filter, sort], read, { exported });
  const readiness = pages.first?.policyReadiness;
  return (
    <ListPage
      title="Clients"
      one="client"
      placeholder="Name or id"
      pages={pages}
      columns={readiness?.tokenPolicy === 'rehearsal' ? withReadiness : columns}
      notice={<ReadinessNotice found={readiness} />}
      keyOf={({ clientId }) => clientId}
      nameOf={({ name }) => name}
      isFaded={({ isActive }) => !isActive}
      open={({ clientId: id }) => void navigate({ to: '/clients/$id', params: { id } })}
      action={
        mayChange && (
          <button type="button" className="button primary" onClick={() => sheet.open('new client')}>
            <Icon name="plus" size={16} />
            New client
          </button>
        )
      }
      filters={<Segments label="View" value={view} options={views} onChange={(next) => change({ view: next })} />}
      empty="A client is a program that exchanges ID tokens for access tokens."
    >
      {sheet.opened && <NewClient onClose={sheet.close} onMade={sheet.settle} />}
    </ListPage>
  );
}

/** The last use of the secret, or of the keys if the client never used a secret. */
function LastUsed({ secretLastUsedAt, keysLastUsedAt }: Item) {
  if (secretLastUsedAt || !keysLastUsedAt) return <Time iso={secretLastUsedAt} absent="never" />;
  return (
    <span>
      keys, <Time iso={keysLastUsedAt} />
    </span>
  );
}

function Name({ clientId: id, name, description }: Item) {
  return (
    <Link className="cell-name" to="/clients/$id" params={{ id }} tabIndex={-1}>
      <IconTile icon="client" />
      <span className="two-lines">
        <b>{name}</b>
        <small>{description ?? <code>{id}</code>}</small>
      </span>
    </Link>
  );
}

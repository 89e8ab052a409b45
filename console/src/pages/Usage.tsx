/**
 * Shows who still uses which operation and how, so that an administrator who ends one knows whom to ask. The most recent
 * come first.
 */
import { Link, useNavigate } from '@tanstack/react-router';
import { useAddress, viewAmong } from '../address';
import { ask } from '../graph';
import type { UsageRowsQuery } from '../operations/generated/graph';
import { usageRows } from '../operations/generated/usage';
import { usePages } from '../pages';
import { Icon } from '../ui/icons';
import { ListPage } from '../ui/ListPage';
import type { Column } from '../ui/Row';
import { Segments } from '../ui/Segments';
import { IconTile, Tile } from '../ui/Tile';
import { Time } from '../ui/Time';
import { fullName } from '../words';

type Item = UsageRowsQuery['nodes'][number];

/** What the service counts under this name found no row of its own. */
const others = 'others';

const columns: Column<Item>[] = [
  { key: 'who', label: 'Who', width: 'minmax(170px, 1.3fr)', keepSmall: true, cell: Who },
  { key: 'operation', label: 'Operation', width: 'minmax(160px, 1.4fr)', cell: Operation },
  {
    key: 'mediaType',
    label: 'Media type',
    width: 'minmax(100px, 0.9fr)',
    cell: ({ mediaType }) => mediaType ?? <span className="mute">none</span>,
  },
  { key: 'firstSeenAt', label: 'First seen', width: '126px', cell: ({ firstSeenAt }) => <Time iso={firstSeenAt} /> },
  {
    key: 'lastSeenAt',
    label: 'Last seen',
    width: '126px',
    keepSmall: true,
    cell: ({ lastSeenAt }) => <Time iso={lastSeenAt} />,
  },
  {
    key: 'count',
    label: 'Requests',
    width: '84px',
    cell: ({ count }) => <span className="cell-number">{count.toLocaleString('en')}</span>,
  },
  {
    key: 'brownouts',
    label: 'In brown-outs',
    width: '106px',
    cell: ({ brownouts }) =>
      brownouts > 0 ? (
        <b className="cell-number">{brownouts.toLocaleString('en')}</b>
      ) : (
        <span className="mute">none</span>
      ),
  },
];

const views = [
  ['', 'All'],
  ['week', 'Past 7 days'],
  ['month', 'Past 30 days'],
  ['brownouts', 'In brown-outs'],
  ['console', 'Of this console'],
] as const;
type View = (typeof views)[number][0];

const viewDays: { [view in View]?: number } = { week: 7, month: 30 };

/** From the day's beginning, so that it stays the same question all day. */
function daysAgo(days: number): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString();
}

interface Search {
  q?: string;
  view?: string;
  /** Id of one client. */
  client?: string;
}

export function Usage() {
  const [{ q, view: chosen, client }, change] = useAddress<Search>();
  const navigate = useNavigate();
  const view = viewAmong(views, chosen);
  const days = viewDays[view];
  const asked = {
    operation: q?.trim() || null,
    since: days ? daysAgo(days) : null,
    clientId: client ?? null,
    brownedOut: view === 'brownouts',
    // who looks at this page is not who is looked for
    ofConsole: view === 'console',
  };
  const { operation, since, clientId, brownedOut, ofConsole } = asked;
  const of = {
    ...(operation !== null && { operation }),
    ...(since !== null && { since }),
    ...(clientId !== null && { clientId }),
    ...(brownedOut && { brownedOut: 'yes' }),
    ofConsole: ofConsole ? 'yes' : 'no',
  };
  const pages = usePages(['usage', asked], (page, signal) => ask(usageRows, { ...page, ...asked }, signal), {
    exported: { list: 'usage', of },
  });
  return (
    <ListPage
      title="API usage"
      one="kind of request"
      many="kinds of requests"
      where="without those of this console"
      placeholder="Operation, such as /token"
      defaultSort="-lastSeenAt"
      pages={pages}
      columns={columns}
      keyOf={keyOf}
      nameOf={({ operation }) => operation}
      isFaded={({ operation }) => operation === others}
      open={({ clientId, callerNavigation, caller }) => {
        if (clientId) void navigate({ to: '/clients/$id', params: { id: clientId } });
        else if (callerNavigation && caller) void navigate({ to: '/users/$guid', params: { guid: caller } });
      }}
      filters={
        <>
          <Segments label="View" value={view} options={views} onChange={(next) => change({ view: next })} />
          {client && (
            <button type="button" className="button" onClick={() => change({ client: '' })}>
              only {client}
              <Icon name="x" size={14} />
              <span className="only-heard">, show everybody</span>
            </button>
          )}
        </>
      }
      empty="Requests are counted a moment after their answer, unless USAGE_RETENTION_DAYS is 0."
    />
  );
}

const keyOf = ({ clientId, caller, operation, option, mediaType, product }: Item): string =>
  JSON.stringify([clientId, caller, operation, option, mediaType, product]);

function Who(item: Item) {
  const { clientId, client, caller, callerNavigation: person, operation, option, product } = item;
  const about = (name: string) => (
    <span className="two-lines">
      <b>{name}</b>
      <small className="hide-small">{product ?? 'no user agent'}</small>
      <small className="only-small">
        {operation} {option}
      </small>
    </span>
  );
  if (clientId)
    return (
      <Link className="cell-name" to="/clients/$id" params={{ id: clientId }} tabIndex={-1}>
        <IconTile icon="client" />
        {about(client?.name ?? clientId)}
      </Link>
    );
  if (caller && person)
    return (
      <Link className="cell-name" to="/users/$guid" params={{ guid: caller }} tabIndex={-1}>
        <Tile name={fullName(person)} round />
        {about(fullName(person))}
      </Link>
    );
  return (
    <span className="cell-name">
      <IconTile icon={operation === others ? 'dots' : 'alert'} />
      {about(operation === others ? 'Others' : (caller ?? 'Nobody known'))}
    </span>
  );
}

function Operation({ operation, option }: Item) {
  if (operation === others) return <span className="mute">what came beyond 10,000 kinds</span>;
  return (
    <span className="two-lines">
      <b>{operation}</b>
      <small>{option}</small>
    </span>
  );
}

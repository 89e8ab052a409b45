/** The programs of identity providers that provision people and groups over SCIM: whether they work, and what they manage. */
import { Link } from '@tanstack/react-router';
import { type ListSearch, sortAmong, sortOf, useAddress } from '../address';
import { all } from '../filters';
import { ask } from '../graph';
import { connectorRows } from '../operations/generated/connectors';
import type { ConnectorFilter, ConnectorRowsQuery } from '../operations/generated/graph';
import { usePages } from '../pages';
import { useMay } from '../session';
import { Badge } from '../ui/Badge';
import { ListPage } from '../ui/ListPage';
import type { Column } from '../ui/Row';
import { IconTile } from '../ui/Tile';
import { Time } from '../ui/Time';
import { plural, wordsOf } from '../words';
import { whole } from './users/filters';

type Item = NonNullable<ConnectorRowsQuery['connectors']>['nodes'][number];

const columns: Column<Item>[] = [
  { key: 'connectorId', label: 'Name', width: 'minmax(210px, 1.4fr)', sorts: true, keepSmall: true, cell: Name },
  { key: 'state', label: 'State', width: '128px', keepSmall: true, cell: State },
  {
    key: 'lastUsedAt',
    label: 'Last contact',
    width: '130px',
    sorts: true,
    cell: ({ lastUsedAt }) => <Time iso={lastUsedAt} absent="never" />,
  },
  { key: 'token', label: 'Token', width: 'minmax(190px, 1fr)', cell: Token },
  { key: 'manages', label: 'Manages', width: 'minmax(250px, 1.5fr)', cell: Manages },
  {
    key: 'role',
    label: 'Role it assigns',
    width: 'minmax(110px, 0.7fr)',
    cell: ({ role }) => role?.name,
  },
  { key: 'createdAt', label: 'Made', width: '126px', sorts: true, cell: ({ createdAt }) => <Time iso={createdAt} /> },
];

const wordFilters = (q: string | undefined): ConnectorFilter[] =>
  wordsOf(q).map((word) => ({
    or: [{ connectorId: { contains: word, ignoreCase: true } }, { idpname: { contains: word, ignoreCase: true } }],
  }));

export function Connectors() {
  const [{ q, ...search }] = useAddress<ListSearch>();
  const sort = sortAmong(columns, search.sort) ?? 'connectorId';
  const filter = all(wordFilters(q)) ?? null;
  const { field, direction } = sortOf(sort);
  const orderBy = [{ [field]: direction }];
  const pages = usePages(
    ['connectors', filter, sort],
    async (page, signal) => (await ask(connectorRows, { ...page, filter, orderBy }, signal)).connectors!,
    { exported: { list: 'connectors', filter, orderBy } },
  );
  return (
    <ListPage
      title="Connectors"
      one="connector"
      placeholder="Name or identity provider"
      pages={pages}
      columns={columns}
      defaultSort="connectorId"
      keyOf={({ connectorId }) => connectorId}
      nameOf={({ connectorId }) => connectorId}
      isFaded={({ isRevoked }) => isRevoked}
      empty="A connector lets an identity provider provision people and groups over SCIM. The command gatehouse connector create makes one."
    >
      <p className="foot">
        Commands make, rotate and revoke connectors: <code>bin/gatehouse connector --help</code>.
      </p>
    </ListPage>
  );
}

function Name({ connectorId, idpname }: Item) {
  return (
    <span className="cell-name">
      <IconTile icon="link" />
      <span className="two-lines">
        <b>{connectorId}</b>
        <small>people of {idpname}</small>
      </span>
    </span>
  );
}

function State({ isRevoked, lastUsedAt }: Item) {
  if (isRevoked) return <Badge tone="loss">revoked</Badge>;
  return lastUsedAt ? <Badge>active</Badge> : <Badge tone="near">never used</Badge>;
}

/** A token has no end of its own: it is rotated or revoked. */
function Token({ isRevoked, clientId, previousTokenEndsAt }: Item) {
  if (isRevoked) return 'refused';
  const hasOld = previousTokenEndsAt !== null && Date.parse(previousTokenEndsAt) > Date.now();
  return (
    <span className="two-lines">
      <span>
        {hasOld ? (
          <>
            the old one ends <Time iso={previousTokenEndsAt} />
          </>
        ) : (
          'no end'
        )}
      </span>
      {clientId && (
        <small>
          or of the client <code>{clientId}</code>
        </small>
      )}
    </span>
  );
}

function Manages({ connectorId, manages }: Item) {
  const mayRead = useMay('admin:read');
  if (!manages || !mayRead) return <span className="mute">not shown without admin:read</span>;
  const { people, assignments, profiles } = manages;
  return (
    <span className="two-lines">
      <span>{plural(people, 'person', 'people')}</span>
      <small>
        {assignments === 0 ? (
          'no assignment'
        ) : (
          <>
            {plural(assignments, 'assignment')} of {plural(profiles, 'profile')},{' '}
            <Link className="link" to="/users" search={{ managed: `${whole}scim:${connectorId}` } as never}>
              who holds them
            </Link>
          </>
        )}
      </small>
    </span>
  );
}

/** Counts what connectors manage: the people of their identity provider, and the profiles that they assigned. */
import type { Context } from '../../context.js';
import { Connector } from '../../entities/Connector.js';
import { User } from '../../entities/User.js';
import { lasts } from '../../services/access/grants.js';
import type { CsvValue } from '../../services/csvLine.js';
import { permit } from '../../services/permit.js';
import { mayRead } from '../../services/read/projection.js';
import { timeText } from '../../sql.js';
import { isVisible } from './users.js';

interface ManagedByConnector {
  people: number;
  /** Assignments of profiles that the connector made. */
  assignments: number;
  /** The profiles of these assignments: the provider's groups. */
  profiles: number;
}

// `managedBy` of auth/caller in SQL
const statement = `select c.connector_id as "connectorId",
    (select count(*)::int from users u where ${isVisible('c.idpname')}) as people,
    coalesce(made.assignments, 0)::int as assignments, coalesce(made.profiles, 0)::int as profiles
  from connectors c left join (
    select managed_by, count(*) as assignments, count(distinct profile_id) as profiles
    from user_profiles link where managed_by like 'scim:%' and ${lasts('link')} group by managed_by) made
  on made.managed_by = 'scim:' || c.connector_id
  where c.connector_id = any($1::text[])`;

const nothing: ManagedByConnector = { people: 0, assignments: 0, profiles: 0 };

/** In the order of the connectors. Throws FORBIDDEN. */
export async function countManaged(context: Context, connectorIds: readonly string[]): Promise<ManagedByConnector[]> {
  permit(context, 'admin:security');
  permit(context, 'admin:read');
  const rows = await context.reads.rows<ManagedByConnector & { connectorId: string }>(statement, [[...connectorIds]]);
  const counts = new Map(rows.map((row) => [row.connectorId, row]));
  return connectorIds.map((connectorId) => counts.get(connectorId) ?? nothing);
}

/** The list of connectors as a file; what they manage is for those who may read users. */
export const connectorList = {
  record: Connector,
  columns: () => ({
    connectorId: 'r.connector_id',
    idpname: 'r.idpname',
    roleId: 'r.role_id',
    clientId: 'r.client_id',
    isRevoked: 'r.is_revoked',
    createdAt: timeText('r.created_at'),
    lastUsedAt: timeText('r.last_used_at'),
    previousTokenEndsAt: timeText('r.previous_token_ends_at'),
    people: 'null::int',
    assignments: 'null::int',
    profiles: 'null::int',
  }),
  complete: async (context: Context, rows: Record<string, CsvValue>[]) => {
    if (!mayRead(context, User)) return;
    const counts = await countManaged(
      context,
      rows.map(({ connectorId }) => String(connectorId)),
    );
    rows.forEach((row, index) => {
      Object.assign(row, counts[index]);
    });
  },
};

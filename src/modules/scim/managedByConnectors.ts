/** Counts what connectors manage: the people of their identity provider, and the profiles that they assigned. */
import type { Context } from '../../context.js';
import { lasts } from '../../services/access/grants.js';
import { permit } from '../../services/permit.js';
import { isVisible } from './users.js';

interface ManagedByConnector {
  people: number;
  /** Assignments of profiles that the connector made. */
  assignments: number;
  /** The profiles of these assignments: the provider's groups. */
  profiles: number;
}

// the form of modules/scim: `scim:` and the name of the connector
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

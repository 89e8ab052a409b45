/**
 * The last use of each of a client's secrets and of its keys, to the minute. Uses are gathered and written by a statement a second, so
 * that no answer waits for one, and a client whose record a change or an import holds is left for its next use.
 */
import type { ClientUses } from '../../context.js';
import type { Log } from '../../observability/log.js';
import type { Sql } from '../../sql.js';
import { startPeriodicWork } from '../periodicWork.js';

const writeIntervalMs = 1_000;
/** Of one statement; the rest comes with a later use. */
const usesMax = 10_000;

/** SQL: whether the last use in the column is to be written anew. */
export const isOldUse = (column: string): string => `coalesce(${column} < now() - interval '1 minute', true)`;

/** SQL: what the client is judged by whose keys verified its assertion; it stands where a secret's hash would. */
export const ofRevision = (client: string): string => `'revision ' || ${client}.revision`;

const writeUses = `with used as (
    select client.client_id, bool_or(client.client_secret = asked.credential) as current,
      bool_or(client.previous_secret = asked.credential) as previous,
      bool_or(${ofRevision('client')} = asked.credential) as keys
    from unnest($1::text[], $2::text[]) asked (client_id, credential) join clients client using (client_id)
    group by client.client_id
  ), free as (
    select client_id from clients where client_id in (select client_id from used) for no key update skip locked
  )
  update clients client set
    secret_last_used_at = case when used.current and ${isOldUse('client.secret_last_used_at')}
      then now() else client.secret_last_used_at end,
    previous_secret_last_used_at = case when used.previous and ${isOldUse('client.previous_secret_last_used_at')}
      then now() else client.previous_secret_last_used_at end,
    keys_last_used_at = case when used.keys and ${isOldUse('client.keys_last_used_at')}
      then now() else client.keys_last_used_at end
  from used join free using (client_id)
  where client.client_id = used.client_id
    and ((used.current and ${isOldUse('client.secret_last_used_at')})
      or (used.previous and ${isOldUse('client.previous_secret_last_used_at')})
      or (used.keys and ${isOldUse('client.keys_last_used_at')}))`;

/** @param sql connections that no request waits for */
export function openClientUses({ sql, log }: { sql: Sql; log: Log }): ClientUses & { close(): Promise<void> } {
  let uses = new Map<string, [clientId: string, credential: string]>();

  const writes = startPeriodicWork({
    intervalMs: writeIntervalMs,
    take() {
      const taken = [...uses.values()];
      uses = new Map();
      return taken;
    },
    async work(written) {
      await sql.rows(writeUses, [written.map(([clientId]) => clientId), written.map(([, credential]) => credential)]);
    },
    log,
    failure: 'uses of credentials not noted',
  });

  return {
    note(clientId, credential) {
      if (uses.size < usesMax) uses.set(JSON.stringify([clientId, credential]), [clientId, credential]);
    },
    close: writes.close,
  };
}

/** Stores when each credential of a client was last used. */
import type { Log } from '../../observability/log.js';
import type { Sql } from '../../sql.js';
import { startPeriodicWork } from '../recorders.js';
import { isOldUse, revisionCredentialColumn } from './client.js';

const writeIntervalMs = 1_000;
/** Uses in one statement; the rest is dropped and comes with a later use. */
const usesMax = 10_000;

/** A client whose record another transaction has locked is skipped; its next use is written. */
const writeUses = `with used as (
    select client.client_id, bool_or(client.client_secret = asked.credential) as current,
      bool_or(client.previous_secret = asked.credential) as previous,
      bool_or(${revisionCredentialColumn} = asked.credential) as keys
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

/**
 * Stores when each secret and the keys of a client were last used, to the minute. Uses are collected and written within a second.
 * @param sql background connections, which no request waits for
 */
export function openClientUses({ sql, log }: { sql: Sql; log: Log }) {
  let uses = new Map<string, [clientId: string, credential: string]>();

  const writes = startPeriodicWork({
    intervalMs: writeIntervalMs,
    take() {
      const batch = [...uses.values()];
      uses = new Map();
      return batch;
    },
    async work(written) {
      await sql.rows(writeUses, [written.map(([clientId]) => clientId), written.map(([, credential]) => credential)]);
    },
    log,
    failure: 'uses of credentials could not be stored',
  });

  return {
    note(clientId: string, credential: string): void {
      if (uses.size < usesMax) uses.set(JSON.stringify([clientId, credential]), [clientId, credential]);
      writes.due();
    },
    close: writes.close,
  };
}

/**
 * Gives the places of lost connections back to the pool. Kysely 0.29 doesn't: a transaction whose BEGIN, COMMIT or
 * ROLLBACK fails keeps its connection for ever, and after some outages of the database the pool would be used up.
 */
import type { Pool, PoolClient } from 'pg';

export function releaseLostConnections(pool: Pool): void {
  const watched = new WeakMap<PoolClient, () => void>();
  pool.on('acquire', (client) => {
    const lost = () => {
      const { release } = client;
      // whoever holds it may still give it back
      client.release = () => undefined;
      release.call(client, new Error('Connection ended'));
    };
    watched.set(client, lost);
    client.once('end', lost);
  });
  pool.on('release', (_error, client) => {
    const lost = watched.get(client);
    if (lost) client.off('end', lost);
  });
}

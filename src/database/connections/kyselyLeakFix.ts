/**
 * Gives connections back to the pool that Kysely 0.29 keeps for ever: of a transaction whose BEGIN, COMMIT or ROLLBACK fails,
 * so that after some outages of the database the pool would be used up; and of one that got its connection only while the
 * pool was ending, so that it would never end.
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
    // whoever else asked for it is told that it has ended; the pool is about to say how it is given back
    if (pool.ending) process.nextTick(lost);
  });
  pool.on('release', (_error, client) => {
    const lost = watched.get(client);
    if (lost) client.off('end', lost);
  });
}

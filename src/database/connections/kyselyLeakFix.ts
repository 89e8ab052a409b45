/**
 * Releases connections that Kysely 0.29 leaks: of a transaction whose BEGIN, COMMIT or ROLLBACK fails,
 * so that after some outages of the database the pool would be used up; and of one that got its connection only while the
 * pool was ending, so that it would never end.
 */
import type { Pool, PoolClient } from 'pg';

export function releaseLostConnections(pool: Pool): void {
  /** Connections in use, with their release functions. */
  const releases = new WeakMap<PoolClient, () => void>();
  pool.on('acquire', (client) => {
    const releaseLost = () => {
      // its user released it first
      if (releases.get(client) !== releaseLost) return;
      const { release } = client;
      // its user may still release it
      client.release = () => undefined;
      release.call(client, new Error('Connection ended'));
    };
    releases.set(client, releaseLost);
    client.once('end', releaseLost);
    // waiting users get the error; the pool provides the release function next
    if (pool.ending) process.nextTick(releaseLost);
  });
  pool.on('release', (_error, client) => {
    const releaseLost = releases.get(client);
    if (!releaseLost) return;
    releases.delete(client);
    client.off('end', releaseLost);
  });
}

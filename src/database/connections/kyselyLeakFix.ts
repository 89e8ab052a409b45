/**
 * Gives connections back to the pool that Kysely 0.29 keeps for ever: of a transaction whose BEGIN, COMMIT or ROLLBACK fails,
 * so that after some outages of the database the pool would be used up; and of one that got its connection only while the
 * pool was ending, so that it would never end.
 */
import type { Pool, PoolClient } from 'pg';

export function releaseLostConnections(pool: Pool): void {
  /** Connections that are held, with what gives them back. */
  const held = new WeakMap<PoolClient, () => void>();
  pool.on('acquire', (client) => {
    const releaseLost = () => {
      // its holder was first
      if (held.get(client) !== releaseLost) return;
      const { release } = client;
      // its holder may still give it back
      client.release = () => undefined;
      release.call(client, new Error('Connection ended'));
    };
    held.set(client, releaseLost);
    client.once('end', releaseLost);
    // others who wait for it hear that it has ended; the pool is about to say how it is given back
    if (pool.ending) process.nextTick(releaseLost);
  });
  pool.on('release', (_error, client) => {
    const releaseLost = held.get(client);
    if (!releaseLost) return;
    held.delete(client);
    client.off('end', releaseLost);
  });
}

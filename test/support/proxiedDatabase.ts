/** A migrated database that is reached through a proxy which breaks statements, and past it, to look what is stored. */
import { connect, type Database } from '../../src/database/connect.js';
import { createMigratedDatabase } from './cluster.js';
import { closeAtEnd } from './lifetimes.js';
import { type DatabaseProxy, startProxy } from './proxy.js';

export interface ProxiedDatabase {
  name: string;
  proxy: DatabaseProxy;
  /** A direct connection, without the proxy. */
  direct: Database;
  /** To be called when nobody uses it any more. */
  drop(): Promise<void>;
}

export async function createProxiedDatabase(): Promise<ProxiedDatabase> {
  const database = await createMigratedDatabase();
  const proxy = await startProxy(database.url);
  const direct = await connect({ url: database.url, poolMax: 4, timeoutMs: 60_000 });
  const drop = closeAtEnd(async () => {
    await proxy.close();
    await direct.close();
    await database.drop();
  });
  return { name: new URL(database.url).pathname.slice(1), proxy, direct, drop };
}

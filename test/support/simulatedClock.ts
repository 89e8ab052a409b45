/** A database whose clock a test sets: `now()` in statements returns the simulated time. */
import { connect, type Database } from '../../src/database/connect.js';
import { createMigratedDatabase } from './cluster.js';
import { closeAtEnd } from './lifetimes.js';

export interface SimulatedDatabase {
  database: Database;
  /** Milliseconds since the epoch. */
  setClock(milliseconds: number): Promise<void>;
}

export async function openSimulatedDatabase(): Promise<SimulatedDatabase> {
  const created = await createMigratedDatabase();
  const name = new URL(created.url).pathname.slice(1);
  const options = { url: created.url, poolMax: 4, timeoutMs: 60_000 };
  const preparing = await connect(options);
  for (const statement of [
    'create schema simulated',
    'create table simulated.clock as select pg_catalog.now() as at',
    `create function simulated.now() returns timestamptz stable language sql as 'select at from simulated.clock'`,
    // one's own schema before the system's: `now()` is found there first
    `alter database "${name}" set search_path = simulated, pg_catalog, public`,
    'alter table signing_keys alter created_at set default simulated.now()',
  ])
    await preparing.sql.rows(statement);
  await preparing.close();
  const database = await connect(options);
  closeAtEnd(() => database.close());
  return {
    database,
    setClock: async (milliseconds) => {
      await database.sql.rows('update simulated.clock set at = $1', [new Date(milliseconds)]);
    },
  };
}

/** Brings a database to the schema of this version; one process at a time. */
import type { Database } from './connect.js';
import { connect } from './connect.js';

const lockName = 'gatehouse migrations';

/** Runs the pending migrations and gives their names. `url` leads past a transaction pooler. */
export async function migrate(url: string, timeoutMs: number): Promise<string[]> {
  const database = await connect({ url, poolMax: 3, timeoutMs });
  try {
    return await database.sql.transaction(async (sql) => {
      // held until the transaction ends: whoever waits here finds nothing left to do
      await sql.rows('select pg_advisory_xact_lock(hashtext($1))', [lockName]);
      return (await database.orm.migrator.up()).map(({ name }) => name);
    });
  } finally {
    await database.close();
  }
}

/** Names of the migrations that this version has and the database hasn't. */
export async function pendingMigrations({ orm }: Database): Promise<string[]> {
  return (await orm.migrator.getPending()).map(({ name }) => name);
}

/** Brings a database to the schema of this version; one process at a time. */
import type { Sql } from '../context.js';
import type { Database } from './connect.js';
import { connect } from './connect.js';
import { allMigrations } from './migrations/all.js';

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

/** The same, and nothing is written: a database that nobody has prepared lacks all. */
export async function missingMigrations(sql: Sql): Promise<string[]> {
  const [table] = await sql.rows<{ found: boolean }>(`select to_regclass('migrations') is not null as found`);
  const rows = table!.found ? await sql.rows<{ name: string }>('select name from migrations') : [];
  const done = new Set(rows.map(({ name }) => name));
  return allMigrations.map(({ name }) => name).filter((name) => !done.has(name));
}

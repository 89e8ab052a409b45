/** Migrates a database to the schema of this version, one process at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../sql.js';
import { besideOthers } from './besideOthers.js';
import type { Database } from './connect.js';
import { connect } from './connect.js';
import { requireFit } from './fitness.js';
import { allMigrations } from './migrations/all.js';

const lockName = 'gatehouse migrations';
const lockPollMs = 200;

/**
 * Runs the pending migrations and returns their names.
 * @param url a direct address, not that of a transaction pooler
 * @param notice called when another process runs them, or keeps a table locked, since that may take long
 */
export async function migrate(url: string, timeoutMs: number, notice?: (line: string) => void): Promise<string[]> {
  const database = await connect({ url, poolMax: 3, timeoutMs, unlimited: true });
  try {
    await requireFit(database.sql);
    for (let attempt = 1; ; attempt++) {
      const names = await database.sql.transaction((sql) => migrateIfAlone(sql, database, notice));
      if (names) return names;
      if (attempt === 1) notice?.('Another process runs the migrations; waiting for it to finish.');
      await pause(lockPollMs);
    }
  } finally {
    await database.close();
  }
}

/** Returns undefined if another process runs them. No process waits inside a transaction: CREATE INDEX CONCURRENTLY would wait for it. */
async function migrateIfAlone(
  sql: Sql,
  { orm }: Database,
  notice?: (line: string) => void,
): Promise<string[] | undefined> {
  const [lock] = await sql.rows<{ mine: boolean }>('select pg_try_advisory_xact_lock(hashtext($1)) as mine', [
    lockName,
  ]);
  if (!lock!.mine) return undefined;
  const names = await missingMigrations(sql);
  // only the next statement releases the previous statement's snapshot
  await sql.rows('set local idle_in_transaction_session_timeout = 0');
  await besideOthers(
    () => orm.migrator.up(),
    (attempt) => {
      if (attempt === 1)
        notice?.(
          'Another transaction, perhaps a backup or an import, keeps a table locked; trying again until it ends.',
        );
    },
  );
  return names;
}

/** Returns the names of the pending migrations, all of them for an empty database. Writes nothing. */
export async function missingMigrations(sql: Sql): Promise<string[]> {
  const [table] = await sql.rows<{ found: boolean }>(`select to_regclass('migrations') is not null as found`);
  const rows = table!.found ? await sql.rows<{ name: string }>('select name from migrations') : [];
  const done = new Set(rows.map(({ name }) => name));
  return allMigrations.map(({ name }) => name).filter((name) => !done.has(name));
}

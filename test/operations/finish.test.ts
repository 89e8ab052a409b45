/** Migrations beside the version before: nobody waits long for them, and what that version needs stays until the operator says so. */
import { connect, type Database } from '../../src/database/connect.js';
import { findLeftovers, finishMigrations } from '../../src/database/finish.js';
import { migrate, missingMigrations } from '../../src/database/migrate.js';
import { allMigrations } from '../../src/database/migrations/all.js';
import { createDatabase, openClient } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { until } from '../support/until.js';

async function openDatabase(): Promise<Database & { url: string }> {
  const { url } = await createDatabase();
  const database = await connect({ url, poolMax: 2, timeoutMs: 60_000 });
  const close = closeAtEnd(() => database.close());
  return { ...database, url, close };
}

/** A database of the version before, with a user. */
async function openUsed() {
  const database = await openDatabase();
  await database.orm.migrator.up({ to: 'Migration20261125192500' });
  await database.sql.rows('insert into users (created_by) values (gen_random_uuid())');
  return database;
}

const isWaiting = "select 1 from pg_locks where not granted and relation = 'users'::regclass";
const left = ['indexes of the previous text search'];

it('a new database has nothing of the version before', async () => {
  const { url, sql } = await openDatabase();
  await migrate(url, 60_000);
  expect(await findLeftovers(sql)).toEqual([]);
  expect(await finishMigrations(url, 5_000)).toEqual([]);
});

it('a database in use keeps it through migrations, and loses it once, when the operator says so', async () => {
  const { url, sql } = await openUsed();
  await migrate(url, 60_000);
  expect(await missingMigrations(sql)).toEqual([]);
  expect(await findLeftovers(sql)).toEqual(left);
  expect(await finishMigrations(url, 5_000)).toEqual(left);
  expect(await findLeftovers(sql)).toEqual([]);
  expect(await finishMigrations(url, 5_000)).toEqual([]);
  const kept = await sql.rows(
    "select from pg_indexes where indexname in ('users_texts_index', 'users_folded_words_index')",
  );
  expect(kept).toHaveLength(2);
});

it('migrate --finish waits for the holder of a table, and nobody waits long behind it', async () => {
  const { url, sql } = await openUsed();
  await migrate(url, 60_000);
  const holder = await openClient(url);
  await holder.query('begin');
  await holder.query('select from users');
  const finished = finishMigrations(url, 5_000);
  await until(async () => (await sql.rows(isWaiting)).length > 0);
  // who comes behind it is let through when it gives up for now
  expect(await sql.rows('select user_id from users')).toHaveLength(1);
  await holder.query('commit');
  expect(await finished).toEqual(left);
});

it.each([
  ['reader', 'Migration20261125192500', 'select from users'],
  ['writer', 'Migration20261127051842', "update users set title = 'Dr'"],
])('migrate waits for the %s of a table, and nobody waits long behind it', async (_, done, statement) => {
  const { url, sql, orm } = await openUsed();
  await orm.migrator.up({ to: done });
  const holder = await openClient(url);
  await holder.query('begin');
  await holder.query(statement);
  const notices: string[] = [];
  const migrated = migrate(url, 60_000, (line) => notices.push(line));
  await until(async () => (await sql.rows(isWaiting)).length > 0);
  const other = await openClient(url);
  await other.query("set lock_timeout = '3s'");
  expect((await other.query('insert into users (created_by) values (gen_random_uuid())')).rowCount).toBe(1);
  await until(() => notices.length > 0);
  expect(notices[0]).toMatch(/backup .*keeps a table locked/);
  await holder.query('commit');
  expect((await migrated).at(-1)).toBe(allMigrations.at(-1)!.name);
  expect(await missingMigrations(sql)).toEqual([]);
  expect(notices).toHaveLength(1);
});

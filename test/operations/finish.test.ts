/** What the version before needs in the schema stays while it may be at work, and is removed when the operator says so. */
import { connect, type Database } from '../../src/database/connect.js';
import { findLeftovers, finishMigrations } from '../../src/database/finish.js';
import { migrate, missingMigrations } from '../../src/database/migrate.js';
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
  const isWaiting = "select 1 from pg_locks where not granted and relation = 'users'::regclass";
  await until(async () => (await sql.rows(isWaiting)).length > 0);
  // who comes behind it is let through when it gives up for now
  expect(await sql.rows('select user_id from users')).toHaveLength(1);
  await holder.query('commit');
  expect(await finished).toEqual(left);
});

/** What the version before needs in the schema stays while it may be at work, and is removed when the operator says so. */
import { connect, type Database } from '../../src/database/connect.js';
import { findLeftovers, finishMigrations } from '../../src/database/finish.js';
import { migrate, missingMigrations } from '../../src/database/migrate.js';
import { createDatabase, openClient } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { until } from '../support/until.js';

/** The first migration whose version does without the index on the hash. */
const withoutIndex = 'Migration20261122083000';

async function openDatabase(): Promise<Database & { url: string }> {
  const { url } = await createDatabase();
  const database = await connect({ url, poolMax: 2, timeoutMs: 60_000 });
  const close = closeAtEnd(() => database.close());
  return { ...database, url, close };
}

/** A database of the version before, with a record. */
async function openUsed() {
  const database = await openDatabase();
  const all = await missingMigrations(database.sql);
  await database.orm.migrator.up({ to: all[all.indexOf(withoutIndex) - 1]! });
  await database.sql.rows(
    `insert into tokens (user_id, profile_id, token, created_at, expires_at) values (gen_random_uuid(), 'p', '\\x01', now(), now())`,
  );
  return database;
}

const index = ['index tokens_token_unique'];

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
  expect(await findLeftovers(sql)).toEqual(index);
  expect(await finishMigrations(url, 5_000)).toEqual(index);
  expect(await findLeftovers(sql)).toEqual([]);
  expect(await finishMigrations(url, 5_000)).toEqual([]);
  expect(await sql.rows('select 1 from tokens')).toHaveLength(1);
  // as docs/upgrading.md says to whoever goes back to the version before
  await sql.rows('create unique index concurrently tokens_token_unique on tokens (token)');
  expect(await finishMigrations(url, 5_000)).toEqual(index);
  expect(await findLeftovers(sql)).toEqual([]);
});

it('a database with users keeps the indexes of the previous search until then', async () => {
  const { url, sql } = await openUsed();
  await sql.rows('insert into users (created_by) values (gen_random_uuid())');
  await migrate(url, 60_000);
  const search = 'indexes of the previous text search';
  expect(await findLeftovers(sql)).toEqual([search, ...index]);
  expect(await finishMigrations(url, 5_000)).toEqual([search, ...index]);
  expect(await findLeftovers(sql)).toEqual([]);
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
  await holder.query('select from tokens');
  const finished = finishMigrations(url, 5_000);
  const isWaiting = "select 1 from pg_locks where not granted and relation = 'tokens'::regclass";
  await until(async () => (await sql.rows(isWaiting)).length > 0);
  // who comes behind it is let through when it gives up for now
  expect(await sql.rows('select id from tokens')).toHaveLength(1);
  await holder.query('commit');
  expect(await finished).toEqual(index);
});

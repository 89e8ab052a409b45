/** The first migration makes what those of 1.0.0-rc.1 made, and a database of that version is taken over as it is. */
import { readFileSync } from 'node:fs';
import { connect } from '../../src/database/connect.js';
import { migrate, missingMigrations } from '../../src/database/migrate.js';
import { allMigrations } from '../../src/database/migrations/all.js';
import { createDatabase, openClient } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { fingerprint } from '../support/schema.js';

const names = allMigrations.map(({ name }) => name);
const dump = readFileSync(new URL('../../../test/database/releases/1.0.0-rc.1.sql', import.meta.url), 'utf8');

async function openDatabase() {
  const { url } = await createDatabase();
  const database = await connect({ url, poolMax: 2, timeoutMs: 60_000 });
  closeAtEnd(() => database.close());
  const made = async () => {
    const [row] = await database.sql.rows<{ text: string }>(fingerprint);
    return row!.text.split('\n').filter((line) => !line.startsWith('migration '));
  };
  return { ...database, url, made };
}

/** As 1.0.0-rc.1 left it. */
async function openReleased() {
  const database = await openDatabase();
  const client = await openClient(database.url);
  await client.query(dump);
  await client.end();
  return database;
}

it('the first migration makes the schema of 1.0.0-rc.1, and the same records', async () => {
  const [released, present] = [await openReleased(), await openDatabase()];
  await present.orm.migrator.up({ to: names[0]! });
  const expected = await released.made();
  expect(expected.length).toBeGreaterThan(500);
  expect(await present.made()).toEqual(expected);
});

it('a database of 1.0.0-rc.1 gets the later migrations only, and is then as a new one', async () => {
  const [released, present] = [await openReleased(), await openDatabase()];
  expect(await missingMigrations(released.sql)).toEqual(names.slice(1));
  expect(await migrate(released.url, 60_000)).toEqual(names.slice(1));
  expect(await migrate(present.url, 60_000)).toEqual(names);
  expect(await released.made()).toEqual(await present.made());
  expect(await migrate(released.url, 60_000)).toEqual([]);
});

it('a database of before 1.0.0-rc.1 is refused, with what to do', async () => {
  const { url, sql } = await openReleased();
  await sql.rows('delete from migrations where name >= $1', [names[0]]);
  await expect(migrate(url, 60_000)).rejects.toThrow(
    /before 1\.0\.0-rc\.1: run `bin\/gatehouse migrate` of 1\.0\.0-rc\.1/,
  );
  expect(await sql.rows('select from migrations')).toHaveLength(48);
});

/** Which statements are prepared by name, and how many at most. */
import type { PoolClient } from 'pg';
import { openPreparedNames } from '../../src/database/statements/sql.js';
import { forgetPrepared } from '../../src/engine/pgInside.js';
import { startTestApp } from '../support/app.js';
import { createMigratedDatabase, openClient } from '../support/cluster.js';

it('a statement gets its name at its second use and keeps it; another one gets another', () => {
  const { nameOf } = openPreparedNames();
  expect(nameOf('select 1')).toBeUndefined();
  const name = nameOf('select 1');
  expect(name).toMatch(/^g.{22}$/);
  expect(nameOf('select 1')).toBe(name);
  nameOf('select 2');
  expect(nameOf('select 2')).not.toBe(name);
});

it('however many come, the names used last are kept, bounded in number and in length', () => {
  for (const [options, kept] of [
    [{ namesMax: 10 }, 10],
    [{ charactersMax: 110 }, 11],
  ] as const) {
    const { nameOf } = openPreparedNames(options);
    const hot = 'select 999';
    nameOf(hot);
    for (let index = 0; index < 50; index++) {
      const text = `select ${100 + index}`;
      expect([nameOf(text), nameOf(text)]).toEqual([undefined, expect.any(String)]);
      expect(nameOf(hot)).toBeDefined();
    }
    // one of them is the hot one; asking for a name that is gone changes nothing at the first time
    const later = Array.from({ length: 50 }, (_, index) => `select ${149 - index}`);
    const named = later.slice(0, kept - 1).filter((text) => nameOf(text) !== undefined);
    expect(named).toHaveLength(kept - 1);
    expect(nameOf(later[kept]!)).toBeUndefined();
  }
  const { nameOf } = openPreparedNames({ charactersMax: 20 });
  const long = 'x'.repeat(21);
  expect([nameOf(long), nameOf(long), nameOf(long)]).toEqual([undefined, undefined, undefined]);
});

it('a connection that prepared as many as have names forgets them all before the next, and runs all of them again', async () => {
  const client = (await openClient((await createMigratedDatabase()).url)) as unknown as PoolClient;
  const names = openPreparedNames({ namesMax: 5 });
  const held = async () => (await client.query('select 1 from pg_prepared_statements')).rowCount;
  let forgotten = 0;
  for (let round = 0; round < 3; round++)
    for (let index = 0; index < 12; index++) {
      const text = `select $1::int + ${index} as sum`;
      names.nameOf(text);
      const name = names.nameOf(text)!;
      if (names.isFull(client, name, text)) {
        await forgetPrepared(client);
        forgotten++;
      }
      const { rows } = await client.query({ name, text, values: [1] });
      expect(rows).toEqual([{ sum: index + 1 }]);
      expect(await held()).toBeLessThanOrEqual(5);
    }
  expect(forgotten).toBe(7);
});

it('statements that come once push out neither names nor each other without end', () => {
  const { nameOf } = openPreparedNames({ onceMax: 5, namesMax: 10 });
  for (let index = 0; index < 100; index++) expect(nameOf(`select ${index}`)).toBeUndefined();
  expect(nameOf('select 99')).toBeDefined();
  expect(nameOf('select 1')).toBeUndefined();
});

it('a connection prepares what comes again, and nothing else', async () => {
  const app = await startTestApp({ DATABASE_POOL_MAX: '1' });
  const { sql } = app.context;
  await sql.rows('select 1 as once');
  for (let time = 0; time < 3; time++) await sql.rows('select 1 as again');
  const prepared = await sql.rows<{ statement: string }>('select statement from pg_prepared_statements');
  const texts = prepared.map(({ statement }) => statement);
  expect(texts).toContain('select 1 as again');
  expect(texts).not.toContain('select 1 as once');
});

it('the connection of a pool holds a thousand at most, whatever came, and what is used goes on having a name', async () => {
  const app = await startTestApp({ DATABASE_POOL_MAX: '1' });
  const { sql } = app.context;
  for (let index = 0; index < 1_100; index++)
    for (let time = 0; time < 2; time++) expect(await sql.rows(`select ${index} as value`)).toEqual([{ value: index }]);
  const held = 'select statement from pg_prepared_statements';
  for (let time = 0; time < 2; time++) await sql.rows(held);
  const texts = (await sql.rows<{ statement: string }>(held)).map(({ statement }) => statement);
  expect(texts.length).toBeLessThanOrEqual(1_000);
  expect(texts).toEqual(expect.arrayContaining([held, 'select 1099 as value']));
});

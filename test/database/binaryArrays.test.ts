/** Arrays that are sent in binary: PostgreSQL reads what was written, and says itself what is wrong with what can't be. */
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { binaryArray } from '../../src/database/statements/batching.js';
import { createMigratedDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';

async function connect(): Promise<pg.Client> {
  const { url } = await createMigratedDatabase();
  const client = new pg.Client(url);
  await client.connect();
  closeAtEnd(() => client.end());
  return client;
}

const texts = ['', 'plain', 'ä€😀', '{"quoted",\\}', 'NULL', 'x'.repeat(5_000)];
const times = [
  '2026-11-22T11:22:33.444Z',
  '1999-12-31T23:59:59.999Z',
  '1969-07-20T20:17:40.001Z',
  '2199-12-31T00:00:00Z',
];

it.each([
  ['text', texts],
  ['uuid', [randomUUID(), randomUUID().toUpperCase()]],
  ['bytea', [Buffer.alloc(0), randomBytes(32), Buffer.from([0, 255])]],
  ['int', [0, 1, -1, 2_147_483_647, -2_147_483_648]],
  ['timestamptz', times.map((time) => new Date(time))],
])('an array of %s arrives as the same one in text, members that are null too', async (type, members) => {
  const client = await connect();
  const given = [null, ...members, null, ...members];
  const select = `select $1::${type}[] = $2::${type}[] as same, cardinality($1::${type}[]) as count`;
  const { rows } = await client.query(select, [binaryArray(type, given), given]);
  expect(rows).toEqual([{ same: true, count: given.length }]);
});

it.each([
  ['a type that is not written so', 'bigint', [1]],
  ['a text that is no guid', 'uuid', ['not-a-guid']],
  ['a number past the type', 'int', [2_147_483_648]],
  ['a part of a number', 'int', [0.5]],
  ['a time that is none', 'timestamptz', [new Date(Number.NaN)]],
  ['a time whose microseconds are no exact number', 'timestamptz', [new Date('9999-12-31T00:00:00Z')]],
  ['a text in place of a time', 'timestamptz', [times[0]]],
  ['a number in place of a text', 'text', [1]],
])('%s is left to PostgreSQL', (_what, type, values) => {
  expect(binaryArray(type, values)).toBeUndefined();
});

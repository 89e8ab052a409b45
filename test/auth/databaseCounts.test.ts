/** Counts that processes share: exact, and of the database's clock alone. */
import { jest } from '@jest/globals';
import { openDatabaseCounts, openLimiter } from '../../src/auth/limiter.js';
import { connect, type Database } from '../../src/database/connect.js';
import { createMigratedDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { until } from '../support/until.js';

let database: Database;
beforeEach(async () => {
  const { url } = await createMigratedDatabase();
  database = await connect({ url, poolMax: 8, timeoutMs: 60_000 });
  closeAtEnd(() => database.close());
});
afterEach(() => jest.restoreAllMocks());

const open = (limit: number) => openLimiter({ limit, store: database.sql, prefix: 'test', counted: 'requests' });
const refusalOf = (counting: Promise<void>) =>
  counting.then(
    () => undefined,
    (error: { more: { headers: Record<string, string> } }) => error,
  );
const hourMs = 3_600_000;

it('all that count at the same moment are counted', async () => {
  const limiter = open(20);
  const refusals = await Promise.all(Array.from({ length: 50 }, () => refusalOf(limiter.count('key'))));
  expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(20);
  expect(await refusalOf(limiter.assertBelowLimit('key'))).toBeDefined();
  expect(await refusalOf(limiter.assertBelowLimit('another'))).toBeUndefined();
});

it('a count that is taken back is as if it was never made', async () => {
  const limiter = open(1);
  await limiter.count('key');
  expect(await refusalOf(limiter.assertBelowLimit('key'))).toBeDefined();
  await limiter.refund('key');
  expect(await refusalOf(limiter.assertBelowLimit('key'))).toBeUndefined();
  await limiter.refund('key');
  await limiter.count('key');
  expect(await refusalOf(limiter.count('key'))).toBeDefined();
  await limiter.refund('nobody');
  expect(await refusalOf(open(0).count('nobody'))).toBeDefined();
});

it.each([
  hourMs,
  -hourMs,
])('a process whose clock is wrong by %s ms locks nobody out, and opens nothing', async (off) => {
  const limiter = open(2);
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + off);
  for (let count = 0; count < 2; count++) await limiter.count('key');
  jest.restoreAllMocks();
  const refusal = await refusalOf(limiter.count('key'));
  expect(Number(refusal?.more.headers['retry-after'])).toBeLessThanOrEqual(60);
});

it('a count that ends later than any could, of the version before on such a process, counts for nothing', async () => {
  const limiter = open(2);
  await database.sql.rows('insert into rate_limits (key, points, expire) values ($1, 1000, $2)', [
    'test:key',
    Date.now() + hourMs,
  ]);
  expect(await refusalOf(limiter.assertBelowLimit('key'))).toBeUndefined();
  expect(await refusalOf(limiter.count('key'))).toBeUndefined();
});

it('a count ends with its minute, and ended ones leave the table', async () => {
  const limiter = open(1);
  await limiter.count('key');
  expect(await refusalOf(limiter.count('key'))).toBeDefined();
  await database.sql.rows('update rate_limits set expire = expire - 60000');
  expect(await refusalOf(limiter.assertBelowLimit('key'))).toBeUndefined();
  expect(await refusalOf(limiter.count('key'))).toBeUndefined();

  await database.sql.rows(
    `insert into rate_limits (key, points, expire) select 'over ' || n, 1, 0 from generate_series(1, 2500) n`,
  );
  const keys = async () =>
    (await database.sql.rows<{ key: string }>('select key from rate_limits')).map(({ key }) => key);
  await openDatabaseCounts(database.sql).add('test:other');
  expect(await keys()).toHaveLength(2502);
  await openDatabaseCounts(database.sql, 0).add('test:other');
  await until(async () => (await keys()).length <= 2);
  expect((await keys()).sort()).toEqual(['test:key', 'test:other']);
});

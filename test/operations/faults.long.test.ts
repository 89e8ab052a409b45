/** What callers see while the database is slow, full, cut off or gone without a word; and that service is back by itself. */
import { type Answer, startTestApp, type TestApp } from '../support/app.js';
import { createMigratedDatabase, openClient, type TestDatabase } from '../support/cluster.js';
import { elapse, until } from '../support/until.js';
import { type Consumer, newConsumer } from './consumer.js';
import { type DatabaseProxy, startProxy } from './proxy.js';

const limits = {
  DATABASE_POOL_MAX: '1',
  DATABASE_TIMEOUT_MS: '3000',
  DATABASE_STATEMENT_TIMEOUT_MS: '1500',
};
let database: TestDatabase;
let proxy: DatabaseProxy;
let app: TestApp;
let consumer: Consumer;
beforeEach(async () => {
  database = await createMigratedDatabase();
  proxy = await startProxy(database.url);
  app = await startTestApp({ DATABASE_URL: proxy.url, ...limits }, { limits: { databaseWaitingMax: 2 } });
  consumer = await newConsumer(app);
});

const isRefusedForNow = ({ status, headers }: Answer): boolean =>
  status === 503 &&
  headers.get('content-type') === 'application/problem+json' &&
  Number(headers.get('retry-after')) > 0;

/** Nobody else can write token records until it is unlocked. */
async function lockTokens(): Promise<{ unlock(): Promise<void> }> {
  const client = await openClient(database.url);
  await client.query('begin; lock table tokens in exclusive mode');
  return { unlock: () => client.end() };
}

it('a statement that is too slow is ended: 503 with Retry-After, and its connection serves on', async () => {
  expect((await consumer.exchange()).status).toBe(200);
  const lock = await lockTokens();
  expect(isRefusedForNow(await consumer.exchange())).toBe(true);
  await lock.unlock();
  expect((await consumer.exchange()).status).toBe(200);
});

it('no more wait for a connection than may: the others are told at once, while those before still wait', async () => {
  expect((await consumer.exchange()).status).toBe(200);
  const lock = await lockTokens();
  const order: string[] = [];
  const ask = async (name: string) => {
    const answer = await consumer.exchange();
    order.push(name);
    return answer;
  };
  const held = ask('held');
  await untilWaiting();
  const asked: Promise<Answer>[] = [];
  for (let count = 0; count < 6; count++) {
    asked.push(ask('other'));
    // those that come at the same moment would wait as one
    await elapse(60);
  }
  const others = await Promise.all(asked);
  expect([...others, await held].filter(isRefusedForNow).length).toBeGreaterThanOrEqual(4);
  expect(order.slice(0, 4)).toEqual(['other', 'other', 'other', 'other']);
  await lock.unlock();
  expect((await consumer.exchange()).status).toBe(200);
});

async function untilWaiting(): Promise<void> {
  const client = await openClient(database.url);
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await client.query(waiting)).rowCount! > 0);
  await client.end();
}

it('a database whose connections are cut and refused: 503, and right again as soon as it is back', async () => {
  const { json } = await consumer.exchange();
  await proxy.cut();
  expect(isRefusedForNow(await consumer.exchange())).toBe(true);
  expect(isRefusedForNow(await consumer.renew(json.refresh_token))).toBe(true);
  await proxy.restore();
  expect((await consumer.renew(json.refresh_token)).status).toBe(200);
});

it('a database that is gone without a word: 503 within the set times, and right again when it is back', async () => {
  expect((await consumer.exchange()).status).toBe(200);
  proxy.freeze();
  const answers = await Promise.all([consumer.exchange(), consumer.exchange(), consumer.exchange()]);
  expect(answers.map(isRefusedForNow)).toEqual([true, true, true]);
  expect(isRefusedForNow(await consumer.exchange())).toBe(true);
  proxy.thaw();
  expect((await consumer.exchange()).status).toBe(200);
});

it('a migration under load that changes what a prepared statement gives costs no answer', async () => {
  const { json } = await consumer.exchange();
  const renewed = await consumer.renew(json.refresh_token);
  const client = await openClient(database.url);
  await client.query('alter table user_profiles alter role_id type varchar(60)');
  await client.end();
  expect((await consumer.exchange()).status).toBe(200);
  expect((await consumer.renew(renewed.json.refresh_token)).status).toBe(200);
});

it('statements work without names, for poolers that know none', async () => {
  const unnamed = await startTestApp({ DATABASE_NAMED_STATEMENTS: 'no' });
  expect((await (await newConsumer(unnamed)).exchange()).status).toBe(200);
  const prepared = await unnamed.context.sql.rows('select name from pg_prepared_statements');
  expect(prepared).toEqual([]);
});

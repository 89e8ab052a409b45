/** A process whose clock differs from the database's: it is told, it is taken out, and no session suffers. */
import pg from 'pg';
import { rotateClientSecret } from '../../src/services/people/clients.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createMigratedDatabase } from '../support/cluster.js';
import { elapse, until } from '../support/until.js';
import { newConsumer } from './consumer.js';

/** Sets the database's clock so many seconds ahead. */
async function shift(client: pg.ClientBase, seconds: number): Promise<void> {
  for (const [name, kind] of [
    ['now', 'stable'],
    ['clock_timestamp', 'volatile'],
  ])
    await client.query(`create or replace function shifted.${name}() returns timestamptz ${kind} language sql
      as 'select pg_catalog.${name}() + make_interval(secs => ${seconds})'`);
}

/** A service whose clock is so many seconds behind its database's. */
async function startBehind(seconds: number): Promise<TestApp> {
  const { url } = await createMigratedDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // one's own schema before the system's: the functions are found there first
  await client.query('create schema shifted');
  await shift(client, seconds);
  await client.query(
    `alter database "${new URL(url).pathname.slice(1)}" set search_path = shifted, pg_catalog, public`,
  );
  await client.end();
  return startTestApp({ DATABASE_URL: url, METRICS_PORT: '0' });
}

const month = 30 * 86_400;
const readiness = async (app: TestApp) => {
  const answer = await fetch(`${app.url}/readyz`);
  return [answer.status, ((await answer.json()) as { checks: { clock: string } }).checks.clock];
};

it.each([month, -month])('a session lives on when it is renewed by a process that is %s s behind', async (seconds) => {
  const app = await startBehind(seconds);
  const consumer = await newConsumer(app);
  let { json } = await consumer.exchange();
  for (let renewal = 0; renewal < 3; renewal++) {
    const renewed = await consumer.renew(json.refresh_token);
    expect(renewed.status).toBe(200);
    json = renewed.json;
  }
  const [record] = await app.context.sql.rows(
    `select round(extract(epoch from expires_at - now()) / 86400)::int as days, round(extract(epoch from now() - started_at))::int < 60 as is_young from tokens`,
  );
  expect(record).toEqual({ days: 30, is_young: true });
});

it.each([
  [1, 200, 'ok', 'nothing'],
  [20, 200, 'ok', 'the clock of this process is 20 s behind the database'],
  [-20, 200, 'ok', "the clock of this process is 20 s ahead of the database's"],
  [90, 503, "90 s behind the database's", "the clock of this process is 90 s behind the database's"],
  [-90, 503, "90 s ahead of the database's", "the clock of this process is 90 s ahead of the database's"],
])('%s s: ready %s, %s, and logged is %s', async (seconds, status, clock, logged) => {
  const app = await startBehind(seconds);
  expect(await readiness(app)).toEqual([status, clock]);
  if (logged !== 'nothing') await until(() => app.logged().includes(logged));
  // two more readings
  for (let probe = 0; probe < 2; probe++) expect(await readiness(app)).toEqual([status, clock]);
  const lines = app.logged().match(/the clock of this process is/g) ?? [];
  expect(lines).toHaveLength(logged === 'nothing' ? 0 : 1);
  const metrics = await (await fetch(`${app.running.metricsUrl}/metrics`)).text();
  const shown = Number(/^gatehouse_clock_difference_seconds (\S+)$/m.exec(metrics)?.[1]);
  expect(Math.abs(shown - Math.abs(seconds))).toBeLessThan(1);
});

it('a process without requests notices with the next probe that a clock was set, and that it is right again', async () => {
  const app = await startBehind(0);
  await elapse(3_000);
  const client = new pg.Client({ connectionString: app.context.config.databaseUrl });
  await client.connect();
  await shift(client, 20);
  expect(app.logged()).not.toContain('clock of this process');
  await readiness(app);
  expect(app.logged()).toContain("the clock of this process is 20 s behind the database's");
  await shift(client, 0);
  await fetch(`${app.running.metricsUrl}/metrics`);
  expect(app.logged()).toContain("the clock of this process agrees with the database's again");
  await client.end();
});

it('a kept secret ends by the clock that judges it', async () => {
  const app = await startBehind(month);
  const consumer = await newConsumer(app);
  const { json } = await consumer.exchange();
  const [client] = await app.context.sql.rows<{ client_id: string }>('select client_id from clients');
  await rotateClientSecret(app.context, client!.client_id, 1);
  expect((await consumer.renew(json.refresh_token)).status).toBe(200);
});

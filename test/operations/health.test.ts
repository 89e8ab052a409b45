/** What /livez and /readyz tell load balancers and operators. */
import { resealSigningKey } from '../../src/auth/keyRing.js';
import { readKeys } from '../../src/services/keys/keyStore.js';
import { readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { administer, createMigratedDatabase, openClient, type TestDatabase } from '../support/cluster.js';
import { newConsumer } from './consumer.js';
import { type DatabaseProxy, startProxy } from './proxy.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let app: TestApp;
beforeEach(async () => {
  database = await createMigratedDatabase();
  proxy = await startProxy(database.url);
  app = await startTestApp({ DATABASE_URL: proxy.url, DATABASE_POOL_MAX: '1', BASE_PATH: '/auth' });
});

const get = async (path: string) => readAnswer(await fetch(`${app.url}${path}`));
const ok = { database: 'ok', keys: 'ok', migrations: 'ok', clock: 'ok' };

it('a service that can answer is alive and ready, with and without the base path', async () => {
  for (const path of ['/livez', '/auth/livez']) expect((await get(path)).json).toEqual({ status: 'ok' });
  for (const path of ['/readyz', '/auth/readyz']) {
    const { status, headers, json } = await get(path);
    expect([status, headers.get('cache-control'), json]).toEqual([200, 'no-store', { status: 'ok', checks: ok }]);
  }
  // balancers and scrapers put parameters behind their paths
  expect((await get('/livez?probe=1')).status).toBe(200);
  expect((await get('/auth/readyz?probe=1')).status).toBe(200);
  const posted = await fetch(`${app.url}/readyz`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('a database that is away makes it not ready, within a bounded time, and ready again once it is back', async () => {
  await proxy.cut();
  const away = await get('/readyz');
  expect([away.status, away.json.checks]).toEqual([
    503,
    { database: 'unavailable (ECONNREFUSED)', keys: 'not known', migrations: 'not known', clock: 'not known' },
  ]);
  expect((await get('/livez')).status).toBe(200);
  await proxy.restore();
  expect((await get('/readyz')).status).toBe(200);
  proxy.freeze();
  expect((await get('/readyz')).json.checks.database).toBe('no answer in 2000 ms');
  proxy.thaw();
  expect((await get('/readyz')).status).toBe(200);
});

it('a full disk of the database is said in words, by the log and by /readyz, which stays 200 while reads work', async () => {
  app = await startTestApp({ DATABASE_URL: database.url });
  const consumer = await newConsumer(app);
  await app.context.sql.rows(`create function full_disk() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
  await app.context.sql.rows(
    'create trigger full_disk before insert on tokens for each row execute function full_disk()',
  );
  expect((await consumer.exchange()).status).toBe(503);
  expect(app.logged()).toContain('"message":"the disk of the database is full"');
  const { status, json } = await get('/readyz');
  expect([status, json]).toEqual([
    200,
    { status: 'ok', checks: ok, disk: 'the disk of the database is full: writes fail' },
  ]);
});

describe('the metrics say what /readyz says, so that an alert sees what a load balancer hides', () => {
  /** The samples of the readiness by name and label; also how long Prometheus waited for them. */
  async function scrape(): Promise<Record<string, number>> {
    const text = await (await fetch(`${app.running.metricsUrl}/metrics`)).text();
    const lines = text.matchAll(/^gatehouse_(ready|check_passed\{check="(\w+)"\}) (\S+)$/gm);
    return Object.fromEntries([...lines].map(([, name, check, value]) => [check ?? name, Number(value)]));
  }
  const passed = { ready: 1, database: 1, keys: 1, migrations: 1, clock: 1, replicas: 1, disk: 1 };
  const failed = { ready: 0, database: 0, keys: 0, migrations: 0, clock: 0, replicas: 1, disk: 1 };
  beforeEach(async () => {
    app = await startTestApp({ DATABASE_URL: proxy.url, METRICS_PORT: '0' });
  });

  it('a ready process has 1, and each of its checks has 1', async () => {
    expect(await scrape()).toEqual(passed);
  });

  it('they are read by GET and HEAD only', async () => {
    const url = `${app.running.metricsUrl}/metrics`;
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    for (const method of ['POST', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await fetch(url, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
    }
  });

  it('a database that is gone gives 0, and the check that failed', async () => {
    await proxy.cut();
    expect(await scrape()).toEqual(failed);
    await proxy.restore();
    expect(await scrape()).toEqual(passed);
  });

  it('a database that hangs gives 0 as well, before Prometheus stops waiting', async () => {
    proxy.freeze();
    // its scrape_timeout is 10 s
    const text = await fetch(`${app.running.metricsUrl}/metrics`, { signal: AbortSignal.timeout(10_000) });
    expect(await text.text()).toMatch(/^gatehouse_ready 0$/m);
    proxy.thaw();
    expect(await scrape()).toEqual(passed);
  });

  it('a single check that fails is named', async () => {
    await app.context.sql.rows(`delete from migrations where name = 'Migration20261127045429'`);
    expect(await scrape()).toEqual({ ...passed, ready: 0, migrations: 0 });
  });

  it('a full disk is seen, while the process stays ready', async () => {
    const consumer = await newConsumer(app);
    await app.context.sql.rows(`create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
    await app.context.sql.rows(
      'create trigger full_disk before insert on tokens for each row execute function full_disk()',
    );
    expect((await consumer.exchange()).status).toBe(503);
    expect(await scrape()).toEqual({ ...passed, disk: 0 });
  });
});

it('what administrators do is not what /token waits for', async () => {
  const lock = await openClient(database.url);
  await lock.query('begin; lock table clients in access exclusive mode');
  const held = app.context.sql.rows('select 1 from clients');
  expect((await get('/readyz')).status).toBe(200);
  await lock.query('commit');
  await held;
});

it('a service that has no connection for /token is not ready, and ready again once it has', async () => {
  const lock = await openClient(database.url);
  await lock.query('begin; lock table clients in access exclusive mode');
  const held = app.context.tokenSql.rows('select 1 from clients');
  const { status, json } = await get('/readyz');
  expect([status, json.checks.database]).toEqual([503, 'no answer in 2000 ms']);
  await lock.end();
  await held;
  expect((await get('/readyz')).status).toBe(200);
});

it('a database that takes no writes makes it not ready: every renewal is one', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await administer(`alter database ${name} set default_transaction_read_only = on`);
  await proxy.cut();
  await proxy.restore();
  const { status, json } = await get('/readyz');
  expect([status, json.checks]).toEqual([503, { ...ok, database: 'takes no writes' }]);
});

it('a migration that the database lacks is named', async () => {
  await app.context.sql.rows(`delete from migrations where name = 'Migration20261127045429'`);
  const { status, json } = await get('/readyz');
  expect([status, json.checks]).toEqual([503, { ...ok, migrations: 'pending: Migration20261127045429' }]);
});

it('an active key that cannot be opened is told', async () => {
  await app.context.sql.rows(`update signing_keys set kid = 'foreign' where state = 'active' and alg <> 'HS256'`);
  const { status, json } = await get('/readyz');
  expect([status, json.checks.keys]).toEqual([
    503,
    "KEY_ENCRYPTION_KEY doesn't open signing key foreign: its stored bytes, kid or alg were changed",
  ]);
});

it('keys that another process closed with a KEY_ENCRYPTION_KEY of its own are told, though those in memory still sign', async () => {
  const { sql, keys } = app.context;
  const kept = keys.ring().signing.kid;
  const [first, second] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
  for (const row of await readKeys(sql))
    await sql.rows('update signing_keys set private_ciphertext = $2 where kid = $1', [
      row.kid,
      resealSigningKey(row, [first], second),
    ]);
  expect(keys.ring().signing.kid).toBe(kept);
  const { status, json } = await get('/readyz');
  expect([status, json.checks.keys]).toEqual([
    503,
    expect.stringMatching(/^KEY_ENCRYPTION_KEY doesn't open signing key \S+: it was encrypted with another key$/),
  ]);
});

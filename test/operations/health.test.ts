/** What /livez and /readyz tell load balancers and operators. */
import pg from 'pg';
import { readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { createMigratedDatabase, type TestDatabase } from '../support/cluster.js';
import { type DatabaseProxy, startProxy } from './proxy.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let app: TestApp;
beforeEach(async () => {
  database = await createMigratedDatabase();
  proxy = await startProxy(database.url);
  app = await startTestApp({ DATABASE_URL: proxy.url, DATABASE_POOL_MAX: '1', BASE_PATH: '/auth' });
});
afterEach(async () => {
  await app.close();
  await proxy.close();
  await database.drop();
});

const get = async (path: string) => readAnswer(await fetch(`${app.url}${path}`));
const ok = { database: 'ok', keys: 'ok', migrations: 'ok' };

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
    { database: 'unavailable (ECONNREFUSED)', keys: 'not known', migrations: 'not known' },
  ]);
  expect((await get('/livez')).status).toBe(200);
  await proxy.restore();
  expect((await get('/readyz')).status).toBe(200);
  proxy.freeze();
  expect((await get('/readyz')).json.checks.database).toBe('no answer in 2000 ms');
  proxy.thaw();
  expect((await get('/readyz')).status).toBe(200);
});

it('a pool in full use is not a database that is away', async () => {
  const lock = new pg.Client({ connectionString: database.url });
  await lock.connect();
  await lock.query('begin; lock table clients in access exclusive mode');
  const held = app.context.sql.rows('select 1 from clients');
  expect((await get('/readyz')).status).toBe(200);
  await lock.query('commit');
  await held;
  await lock.end();
});

it('a migration that the database lacks is named', async () => {
  await app.context.sql.rows(`delete from migrations where name = 'Migration20261121090600'`);
  const { status, json } = await get('/readyz');
  expect([status, json.checks]).toEqual([503, { ...ok, migrations: 'pending: Migration20261121090600' }]);
});

it('an active key that cannot be opened is told', async () => {
  await app.context.sql.rows(`update signing_keys set kid = 'foreign' where state = 'active' and alg <> 'HS256'`);
  const { status, json } = await get('/readyz');
  expect([status, json.checks.keys]).toEqual([503, "foreign can't be opened: is KEY_ENCRYPTION_KEY right?"]);
});

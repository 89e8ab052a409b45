/** What needs no database is answered while the database does not answer, and public keys in time for the clients that fetch them. */
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { PoolClient } from 'pg';
import { builtConsole } from '../modules/console/consoleApp.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { administer, createMigratedDatabase, openClient } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { until } from '../support/until.js';
import { type Consumer, newConsumer } from './consumer.js';
import { type DatabaseProxy, startProxy } from './proxy.js';

let app: TestApp;
let way: DatabaseProxy;
/** The database's address past the way. */
let direct: string;
let consumer: Consumer;
let token: string;
beforeAll(async () => {
  direct = (await createMigratedDatabase()).url;
  way = await startProxy(direct);
  app = await startTestApp({ DATABASE_URL: way.url }, { consoleFolder: builtConsole() });
  closeAtEnd(async () => way.thaw());
  consumer = await newConsumer(app);
  token = (await consumer.exchange()).json.access_token;
});

type Request = [path: string, status: number, init?: () => RequestInit];
const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const requests: Request[] = [
  ['/livez', 200],
  ['/.well-known/jwks.json', 200],
  ['/.well-known/oauth-authorization-server', 200],
  ['/.well-known/openid-configuration', 200],
  ['/.well-known/oauth-protected-resource/api', 200],
  ['/.well-known/authzen-configuration', 200],
  ['/openapi.json', 200],
  ['/docs', 200],
  ['/console/', 200],
  ['/console/applications', 200],
  ['/console/assets/index-4f3a.js', 200],
  ['/graphql', 200, () => ({ headers: { accept: 'text/html' } })],
  ['/validate-token', 200, () => json({ token })],
  ['/validate-token', 400, () => json({ token: `${token}x` })],
  ['/validate-token', 400, () => json('{')],
  ['/verify', 204, () => ({ headers: { authorization: `Bearer ${token}` } })],
  ['/verify', 401],
  // requests that are refused before anything is looked up
  ['/token', 405],
  ['/token', 415, () => ({ method: 'POST', body: 'x', headers: { 'content-type': 'text/xml' } })],
  ['/token', 400, () => json('{')],
  ['/token', 400, () => json({})],
  ['/token', 401, () => ({ method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token' }) })],
  ['/introspect', 401, () => ({ method: 'POST', body: new URLSearchParams({ token: 'x' }) })],
  ['/api/applications', 400],
  ['/api/applications', 401, () => ({ headers: { 'api-version': '1.0' } })],
  ['/graphql', 401, () => json({ query: '{ viewer { profileId } }' })],
  ['/scim/v2/Users', 401],
  ['/nowhere', 404],
];

/** Begins a fault, and returns how it ends. */
const faults: { [name: string]: () => Promise<() => unknown> } = {
  async hangs() {
    way.freeze();
    return way.thaw;
  },
  async 'hangs, and this process stood still'() {
    way.freeze();
    const end = performance.now() + 700;
    while (performance.now() < end);
    return way.thaw;
  },
  async 'is gone'() {
    await way.cut();
    return way.restore;
  },
  async 'is slow'() {
    const other = await openClient(direct);
    const tables = await other.query(
      "select string_agg(quote_ident(tablename), ', ') as all from pg_tables where schemaname = 'public'",
    );
    await other.query(`begin; lock table ${tables.rows[0].all} in access exclusive mode`);
    return () => other.query('rollback');
  },
  async 'refuses connections'() {
    const name = new URL(direct).pathname.slice(1);
    await administer(`alter database ${name} with allow_connections false`);
    await administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    return () => administer(`alter database ${name} with allow_connections true`);
  },
  async 'has no connection left'() {
    const { pools, background } = app.running.database;
    const held: PoolClient[] = [];
    for (const pool of pools) for (let count = 0; count < pool.options.max; count++) held.push(await pool.connect());
    const { promise, resolve } = Promise.withResolvers<void>();
    const transactions = [1, 2, 3].map(() => background.transaction(() => promise));
    return async () => {
      for (const client of held) client.release();
      resolve();
      await Promise.all(transactions);
    };
  },
};

/** Here what needs the database does not wait. */
const failAtOnce = new Set(['is gone', 'refuses connections']);

it.each(
  Object.keys(faults),
)('while the database %s, what needs none is answered before what needs it, and APIs get the public keys', async (name) => {
  const end = await faults[name]!();
  const endFault = closeAtEnd(async () => end());
  const answered: number[] = [];
  const needing = consumer.exchange().then(({ status }) => answered.push(status));
  const statuses = await Promise.all(
    requests.map(async ([path, , init]) => (await fetch(app.url + path, { redirect: 'manual', ...init?.() })).status),
  );
  // two APIs that start now, with the defaults of their library
  for (let api = 0; api < 2; api++) {
    const keys = createRemoteJWKSet(new URL(`${app.url}/.well-known/jwks.json`));
    await jwtVerify(token, keys, { issuer: app.running.dependencies.issuerUrl, audience: 'GRID' });
  }
  expect(answered.filter((status) => status !== 503 || !failAtOnce.has(name))).toEqual([]);
  await endFault();
  await needing;
  expect(requests.map(([path], index) => `${path} ${statuses[index]}`)).toEqual(
    requests.map(([path, status]) => `${path} ${status}`),
  );
  await until(async () => (await consumer.exchange()).status === 200);
});

/** A database that hangs is noticed in the time that a connection may take, also where a connection to it is open. */
import { randomUUID } from 'node:crypto';
import { openHosts } from '../../src/database/connections/failover.js';
import { watchedClient } from '../../src/database/connections/watchedClient.js';
import { startTestApp } from '../support/app.js';
import { openCallers } from '../support/callers.js';
import { createDatabase, createMigratedDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';
import { elapse } from '../support/until.js';
import { startProxy } from './proxy.js';

it.each([
  ['with', 600_000],
  ['without', 0],
])('a statement %s a time limit ends when its server hangs, and goes on while its server is only slow', async (_with, answerTimeoutMs) => {
  const way = await startProxy((await createDatabase()).url);
  closeAtEnd(async () => way.thaw());
  const hangTimeoutMs = 4_000;
  const Watched = watchedClient(openHosts(way.url, 60_000), {
    answerTimeoutMs,
    hangTimeoutMs,
    observe: undefined,
  });
  const open = async () => {
    const client = new Watched({});
    await client.connect();
    closeAtEnd(() => client.end());
    return client;
  };
  const [one, other] = [await open(), await open()];
  expect((await one.query('select pg_sleep(4.5)')).rows).toHaveLength(1);
  const underWay = one.query('select pg_sleep(600)').catch(String);
  await elapse(500);
  way.freeze();
  expect(await Promise.all([underWay, other.query('select 1').catch(String)])).toEqual([
    'Error: Connection terminated unexpectedly',
    'Error: Connection terminated unexpectedly',
  ]);
});

it('a slow statement has all of its time, however early its server was asked whether it hangs', async () => {
  const { url } = await createDatabase();
  const Watched = watchedClient(openHosts(url, 60_000), {
    answerTimeoutMs: 6_100,
    hangTimeoutMs: 6_000,
    observe: undefined,
  });
  const client = new Watched({});
  await client.connect();
  closeAtEnd(() => client.end());
  expect((await client.query('select pg_sleep(3.5)')).rows).toHaveLength(1);
});

it('every path that needs the database is 503 while it hangs, long before a slow statement would be', async () => {
  const way = await startProxy((await createMigratedDatabase()).url);
  closeAtEnd(async () => way.thaw());
  const app = await startTestApp({
    DATABASE_URL: way.url,
    DATABASE_TIMEOUT_MS: '3000',
    DATABASE_STATEMENT_TIMEOUT_MS: '600000',
  });
  const { clientId, clientSecret } = await newClient(app.context);
  const { userGuid, profileId } = await newHolder(app.context);
  const ofClient = { client_id: clientId, client_secret: clientSecret };
  const form = (parameters: Record<string, string>) => ({
    method: 'POST',
    body: new URLSearchParams({ ...ofClient, ...parameters }),
  });
  const { json } = await app.post('/token', {
    ...exchangeBody(app.idToken({ sub: userGuid })),
    profileId,
    ...ofClient,
  });
  const caller = { userGuid: randomUUID(), profileId: 'p', roleId: 'r', scopes: ['admin:read', 'admin:write'] };
  const signedIn = { authorization: `Bearer ${(await openCallers(app.context))(caller)}`, 'api-version': '1.0' };
  const graph = (query: string) => ({
    method: 'POST',
    headers: { ...signedIn, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const asks: [string, RequestInit][] = [
    ['/api/applications', { headers: signedIn }],
    ['/api/applications?$count=true', { headers: signedIn }],
    [
      '/api/applications',
      { method: 'POST', headers: { ...signedIn, 'content-type': 'application/json' }, body: '{"name":"x"}' },
    ],
    ['/graphql', graph('{ applications(first: 1) { nodes { name } } }')],
    ['/graphql', graph('mutation { createRole(input: { roleId: "x", name: "x" }) { roleId } }')],
    ['/schema.graphql', { headers: signedIn }],
    [`/verify?application=${randomUUID()}`, { headers: signedIn }],
    ['/access/v1/evaluation', graph('')],
    ['/introspect', form({ token: json.access_token })],
    ['/profiles', form({ id_token: app.idToken({ sub: userGuid }) })],
    ['/token', form({ grant_type: 'refresh_token', refresh_token: json.refresh_token })],
    ['/revoke', form({ token: json.refresh_token })],
  ];
  const ask = ([path, init]: [string, RequestInit]) => fetch(app.url + path, init).then(({ status }) => status);
  const healthy = await Promise.all(asks.slice(0, -2).map(ask));
  expect(healthy.filter((status) => status >= 500)).toEqual([]);
  way.freeze();
  const statuses: [string, number][] = [];
  await Promise.all(asks.map(async (each) => statuses.push([each[0], await ask(each)])));
  expect(statuses.filter(([, status]) => status !== 503)).toEqual([]);
});

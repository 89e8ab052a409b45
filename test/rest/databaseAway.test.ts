/** A database that goes away in the middle of requests: 503 problem+json, and right again once it is back, without a restart. */
import { type DatabaseProxy, startProxy } from '../operations/proxy.js';
import { createMigratedDatabase } from '../support/cluster.js';
import { newApplicationBody, newScopes, type RestApp, startRestApp } from './restApp.js';

let app: RestApp;
let proxy: DatabaseProxy;
beforeAll(async () => {
  proxy = await startProxy((await createMigratedDatabase()).url);
  // fewer connections than are lost: one that isn't given back is missed
  app = await startRestApp({ DATABASE_URL: proxy.url, DATABASE_TIMEOUT_MS: '10000', DATABASE_POOL_MAX: '4' });
});

it('every request is 503 while the database is away, and right once it is back', async () => {
  const made = await app.call('POST', '/api/applications', { body: newApplicationBody() });
  const [scope] = await newScopes(app.sql, 1);
  const path = `/api/applications/${made.json.applicationGuid}`;
  const body = [{ accessScopeGuid: scope }];
  const ask = () =>
    Promise.all([
      app.call('GET', '/api/applications'),
      app.call('GET', path),
      app.call('GET', `${path}/accessScopes?$count=true`),
      app.call('POST', '/api/applications', { body: newApplicationBody() }),
      app.call('POST', `${path}/accessScopes`, { body }),
      app.call('PATCH', `${path}/accessScopes`, { body }),
      app.call('POST', `${path}/accessScopes:delete`, { body }),
      app.call('DELETE', `${path}/accessScopes/${scope}`),
    ]);
  for (let round = 0; round < 3; round++) {
    const cut = ask();
    await proxy.cut();
    for (const { status } of await cut) expect([200, 404, 409, 503]).toContain(status);
    for (const { status, headers, json } of await ask()) {
      expect([status, headers.get('content-type'), json?.status]).toEqual([503, 'application/problem+json', 503]);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect(headers.get('api-supported-versions')).toBe('1.0');
    }
    await proxy.restore();
    for (const { status } of await ask()) expect([200, 404, 409]).toContain(status);
    expect((await app.call('GET', path)).status).toBe(200);
  }
});

// A database that goes away in the middle of requests: 503 problem+json, and right again once it is back, without a restart.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createMigratedDatabase, type TestDatabase } from '../support/cluster.js';
import { newApplicationBody, newScopes, type RestApp, startRestApp } from './restApp.js';

/** Stands between the service and PostgreSQL, and can be taken away. */
async function startWire(url: string) {
  const to = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(Number(to.port || 5432), to.hostname);
    for (const [a, b] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(a);
      a.on('error', () => b.destroy()).on('close', () => b.destroy());
      a.pipe(b);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;
  return {
    url: through.href,
    cut: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    mend: () => once(server.listen(port, '127.0.0.1'), 'listening'),
  };
}

let app: RestApp;
let database: TestDatabase;
let wire: Awaited<ReturnType<typeof startWire>>;
beforeAll(async () => {
  database = await createMigratedDatabase();
  wire = await startWire(database.url);
  // fewer connections than are lost: one that isn't given back is missed
  app = await startRestApp({ DATABASE_URL: wire.url, DATABASE_TIMEOUT_MS: '2000', DATABASE_POOL_MAX: '4' });
});
afterAll(async () => {
  await app.close();
  wire.cut();
  await database.drop();
});

test('is 503 while it is away, whatever is asked, and right once it is back', async () => {
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
    wire.cut();
    for (const { status } of await cut) expect([200, 404, 409, 503]).toContain(status);
    for (const { status, headers, json } of await ask()) {
      expect([status, headers.get('content-type'), json?.status]).toEqual([503, 'application/problem+json', 503]);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect(headers.get('api-supported-versions')).toBe('1.0');
    }
    await wire.mend();
    for (const { status } of await ask()) expect([200, 404, 409]).toContain(status);
    expect((await app.call('GET', path)).status).toBe(200);
  }
});

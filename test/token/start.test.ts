/** The first moments of a service. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { openLog } from '../../src/observability/log.js';
import { createMigratedDatabase } from '../support/cluster.js';

const settings = (port: number, databaseUrl: string) =>
  loadConfig({
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ID_TOKEN_ISSUERS: JSON.stringify([{ issuer: 'https://idp.test', audience: 'a', idpname: 'i', subject: 'idpid' }]),
  });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('a request that comes while all is being opened waits for its answer', async () => {
  const database = await createMigratedDatabase();
  const port = await freePort();
  const starting = startApp({ config: settings(port, database.url), notice: () => undefined, log: openLog('silent') });
  let early: Response | undefined;
  while (!early) early = await fetch(`http://127.0.0.1:${port}/.well-known/jwks.json`).catch(() => undefined);
  const app = await starting;
  expect(early.status).toBe(200);
  await app.close();
  await database.drop();
});

it('a taken port is one clear sentence, and nothing stays open', async () => {
  const database = await createMigratedDatabase();
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const start = startApp({ config: settings(port, database.url), notice: () => undefined, log: openLog('silent') });
  await expect(start).rejects.toThrow(/^Port \d+ of 127\.0\.0\.1 is taken: .*Set PORT to another one\.$/);
  await new Promise((resolve) => other.close(resolve));
  await database.drop();
});

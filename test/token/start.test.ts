/** The first moments of a service. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { loadConfig } from '../../src/config/loadConfig.js';
import { openLog } from '../../src/observability/log.js';
import { type RunningApp, startApp } from '../../src/startApp.js';
import { createMigratedDatabase } from '../support/cluster.js';
import { freePort } from '../support/freePort.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { until } from '../support/until.js';

const settings = (port: number, databaseUrl: string) =>
  loadConfig({
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ID_TOKEN_ISSUERS: JSON.stringify([{ issuer: 'https://idp.test', audience: 'a', idpname: 'i', subject: 'idpid' }]),
  });

async function start(port: number): Promise<RunningApp> {
  const { url } = await createMigratedDatabase();
  const app = await startApp({ config: settings(port, url), notice: () => undefined, log: openLog('silent') });
  closeAtEnd(() => app.close());
  return app;
}

it('a request that comes while all is being opened waits for its answer', async () => {
  const port = await freePort();
  const starting = start(port);
  const early = await until(() => fetch(`http://127.0.0.1:${port}/.well-known/jwks.json`).catch(() => undefined));
  await starting;
  expect(early.status).toBe(200);
});

it('a taken port is one clear sentence, and nothing stays open', async () => {
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  closeAtEnd(async () => other.close());
  await once(other, 'listening');
  await expect(start(port)).rejects.toThrow(/^Port \d+ of 127\.0\.0\.1 is in use: .*Set PORT to another port\.$/);
});

/** What every benchmark measures on: a durable PostgreSQL of its own, and the service as production has it. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, openApp } from '../src/app.js';
import { loadConfig } from '../src/config.js';
import { openEmbeddedPostgres } from '../src/dev/embeddedPostgres.js';
import { removeEmbeddedPostgres } from '../src/dev/embeddedPostgresPlace.js';

export interface Bench {
  app: App;
  /** For the processes that are measured. */
  environment: NodeJS.ProcessEnv;
  databaseUrl: string;
  close(): Promise<void>;
}

export async function openBench(): Promise<Bench> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const embedded = await openEmbeddedPostgres({ dataDir, notice: () => undefined });
  const environment = {
    ...process.env,
    DATABASE_URL: embedded.url,
    KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ID_TOKEN_ISSUERS: '[{"issuer":"https://idp.invalid","audience":"x","idpname":"x","subject":"userGuid"}]',
    ISSUER_URL: 'http://127.0.0.1',
    PORT: '0',
    NODE_ENV: 'production',
  };
  const app = await openApp({ config: loadConfig(environment), notice: () => undefined });
  const close = async () => {
    await app.close();
    await embedded.close();
    await removeEmbeddedPostgres(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { app, environment, databaseUrl: embedded.url, close };
}

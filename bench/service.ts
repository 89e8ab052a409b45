/** What every benchmark measures on: a durable PostgreSQL of its own, and the service as production has it. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedPostgres } from '../dev/postgres/open.js';
import { removeEmbeddedPostgres } from '../dev/postgres/remove.js';
import { type App, openApp } from '../src/app.js';
import { loadConfig } from '../src/config/loadConfig.js';

export interface Bench {
  app: App;
  /** For the processes that are measured. */
  environment: NodeJS.ProcessEnv;
  databaseUrl: string;
  close(): Promise<void>;
}

/** A PostgreSQL, and databases in it. */
export interface Cluster {
  /** Of the database in which it is administered. */
  url: string;
  /** PostgreSQL's own folder. */
  directory: string;
  log: string;
  /** A new database with all migrations, dropped when it is closed. */
  openDatabase(name: string, further?: NodeJS.ProcessEnv): Promise<Bench>;
  close(): Promise<void>;
}

export const issuerUrl = 'https://auth.example.com';

export async function openCluster(): Promise<Cluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const embedded = await openEmbeddedPostgres({ dataDir, notice: () => undefined });
  const close = async () => {
    await embedded.close();
    await removeEmbeddedPostgres(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  };
  const openDatabase = async (name: string, further: NodeJS.ProcessEnv = {}): Promise<Bench> => {
    await administer(embedded.url, `create database "${name}"`);
    const url = new URL(embedded.url);
    url.pathname = `/${name}`;
    const environment = {
      ...process.env,
      DATABASE_URL: url.href,
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ID_TOKEN_ISSUERS: '[{"issuer":"https://idp.invalid","audience":"x","idpname":"x","subject":"userGuid"}]',
      ISSUER_URL: issuerUrl,
      PORT: '0',
      METRICS_PORT: '0',
      NODE_ENV: 'production',
      TOKEN_POLICY: 'documented',
      // rows measure the work; those of what is unchanged say otherwise
      ANSWERS_REMEMBERED_MB: '0',
      ...further,
    };
    const app = await openApp({ config: loadConfig(environment), notice: () => undefined });
    const closeDatabase = async () => {
      await app.close();
      await administer(embedded.url, `drop database "${name}" with (force)`);
    };
    return { app, environment, databaseUrl: url.href, close: closeDatabase };
  };
  return {
    url: embedded.url,
    directory: embedded.directory,
    log: join(dataDir, 'postgres.log'),
    openDatabase,
    close,
  };
}

/** Statements of the administrator, each in a transaction of its own. */
export async function administer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A process that is measured. */
export interface Side {
  name: string;
  port: number;
  process: ChildProcess;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
// also where the benchmark itself fails
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * @param command its program and arguments for Node; it says on which port it listens
 * @param log read: its end is told when the process ends too early; ignore: it goes where nobody reads it
 */
export function startSide(
  name: string,
  command: string[],
  environment: NodeJS.ProcessEnv,
  log: 'read' | 'ignore' = 'read',
): Promise<Side> {
  const stdio: StdioOptions = ['ignore', 'pipe', log === 'read' ? 'pipe' : 'ignore'];
  const child = spawn(process.execPath, command, { env: environment, stdio });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk).slice(-3_000);
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${name} ended: ${output}`)));
    let printed = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      printed = (printed + chunk).slice(-10_000);
      const port = /listens on (?:http:\/\/127\.0\.0\.1:)?(\d+)/.exec(printed)?.[1];
      if (port) resolve({ name, port: Number(port), process: child, stop });
    });
  });
}

export const startGatehouse = (environment: NodeJS.ProcessEnv, log?: 'read' | 'ignore'): Promise<Side> =>
  startSide('Gatehouse', ['dist/src/main.js'], environment, log);

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
import { childrenOf } from './cpu.js';

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

/** Starts a side that is stopped with its bench. */
export type Start = (side: Promise<Side>) => Promise<Side>;

export async function withSides<B extends Bench, T>(
  opening: Promise<B>,
  work: (bench: B, start: Start) => Promise<T>,
): Promise<T> {
  const bench = await opening;
  const sides: Side[] = [];
  try {
    return await work(bench, async (starting) => {
      sides.push(await starting);
      return sides.at(-1)!;
    });
  } finally {
    for (const side of sides) await side.stop();
    await bench.close();
  }
}

const running = new Set<ChildProcess>();
// also where the benchmark itself fails
process.once('exit', () => {
  for (const child of running) for (const pid of [...childrenOf(child.pid!), child.pid!]) process.kill(pid, 'SIGKILL');
});

/**
 * @param command its program and arguments
 * @param listening gives the port, once it listens there
 * @param log read: its end is told when the process ends too early; ignore: it goes where nobody reads it
 */
export async function startProcess(
  name: string,
  [program, ...command]: string[],
  environment: NodeJS.ProcessEnv,
  listening: (child: ChildProcess) => Promise<number>,
  log: 'read' | 'ignore' = 'read',
): Promise<Side> {
  const stdio: StdioOptions = ['ignore', 'pipe', log === 'read' ? 'pipe' : 'ignore'];
  const child = spawn(program!, command, { env: environment, stdio });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-3_000);
    });
  running.add(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve(void running.delete(child))));
  const early = ended.then(() => Promise.reject(new Error(`${name} ended: ${output}`)));
  const port = await Promise.race([listening(child), early]);
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { name, port, process: child, stop };
}

/** @param command for Node; it says on which port it listens */
export const startSide = (
  name: string,
  command: string[],
  environment: NodeJS.ProcessEnv,
  log?: 'read' | 'ignore',
): Promise<Side> => startProcess(name, [process.execPath, ...command], environment, printedPort, log);

const printedPort = ({ stdout }: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    let printed = '';
    stdout!.on('data', (chunk: Buffer) => {
      printed = (printed + chunk).slice(-10_000);
      const port = /listens on (?:http:\/\/127\.0\.0\.1:)?(\d+)/.exec(printed)?.[1];
      if (port) resolve(Number(port));
    });
  });

export const startGatehouse = (environment: NodeJS.ProcessEnv, log?: 'read' | 'ignore'): Promise<Side> =>
  startSide('Gatehouse', ['dist/src/main.js'], environment, log);

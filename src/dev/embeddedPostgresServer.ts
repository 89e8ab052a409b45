/** Runs the postgres process on a data directory that is ready for it: start, log, stop. */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, truncateSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { environmentOfPostgres, faultIn, tiedToKeeper } from './embeddedPostgresCluster.js';
import { EmbeddedPostgresError, explain } from './embeddedPostgresError.js';
import { giveToOwner } from './embeddedPostgresHandshake.js';
import type { Place } from './embeddedPostgresPlace.js';

const portsTried = 5;
const logBytesMax = 5_000_000;
const stopMilliseconds = 20_000;
const startMilliseconds = 120_000;

export interface Server {
  port: number;
  /** Resolves when the process is gone, with the last thing it said. */
  gone: Promise<string>;
  /** Fast shutdown; resolves when the data is safe and the process gone. */
  stop(): Promise<void>;
}

/** Starts on the port of last time where that is free, so that clients find a restarted server again. */
export async function startServer(place: Place, dataDir: string, fast: boolean): Promise<Server> {
  const portFile = join(dataDir, 'postgres.port');
  let wanted = Number(await readFile(portFile, 'utf8').catch(() => '0')) || 0;
  for (let tried = 1; ; tried++) {
    const port = (await freePort(wanted)) ?? (await freePort(0)) ?? 0;
    try {
      const server = await startOnPort(place, port, dataDir, fast);
      await writeFile(portFile, `${port}\n`, { mode: 0o600 });
      await giveToOwner(portFile, dataDir);
      return server;
    } catch (error) {
      const taken = /could not create any TCP\/IP sockets|Address already in use/.test((error as Error).message);
      if (!taken || tried === portsTried) throw explain(error, place.data);
      wanted = 0;
    }
  }
}

function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen({ port: wanted, host: '127.0.0.1', exclusive: true }, () => {
      const address = probe.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      probe.close(() => resolve(port));
    });
  });
}

async function startOnPort(place: Place, port: number, dataDir: string, fast: boolean): Promise<Server> {
  const [program, ...words] = await tiedToKeeper(postgresCommand(place, port, fast), 'SIGINT');
  const write = await openLog(dataDir);
  const postgres = spawn(program!, words, {
    cwd: '/',
    env: environmentOfPostgres(),
    stdio: ['ignore', 'ignore', 'pipe'],
    ...place.runner,
  });
  const log = follow(postgres, write);
  const gone = new Promise<string>((resolve) => {
    postgres.once('error', (error) => resolve(error.message));
    postgres.once('close', (code, signal) => resolve(faultIn(log.said()) ?? `${signal ?? `exit code ${code}`}`));
  });
  const ended = gone.then((said) => {
    throw new Error(said);
  });
  ended.catch(() => {});
  let patience: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    patience = setTimeout(() => reject(new EmbeddedPostgresError(tooSlow(place, dataDir))), startMilliseconds);
  });
  const stop = () => stopPostgres(postgres, gone);
  try {
    await Promise.race([log.ready, ended, tooLate]);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(patience);
  }
  return { port, gone, stop };
}

function tooSlow(place: Place, dataDir: string): string {
  return `PostgreSQL in ${place.data} isn't ready after ${startMilliseconds / 1000} seconds: see ${join(dataDir, 'postgres.log')}, then start again.`;
}

function postgresCommand(place: Place, port: number, fast: boolean): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 100,
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_destination: 'stderr',
    logging_collector: 'off',
    ...(fast && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return [join(place.binaries, 'postgres'), '-D', place.data, ...words];
}

interface Log {
  /** Resolves when the server takes connections. */
  ready: Promise<void>;
  /** The end of what was written. */
  said(): string;
}

function follow(postgres: ChildProcess, write: (text: string) => void): Log {
  let end = '';
  const ready = new Promise<void>((resolve) => {
    postgres.stderr?.setEncoding('utf8').on('data', (text: string) => {
      write(text);
      end = (end + text).slice(-4_000);
      if (end.includes('ready to accept connections')) resolve();
    });
  });
  return { ready, said: () => end };
}

/** Goes on with the log file of last time; one that has grown too long begins anew. */
async function openLog(dataDir: string): Promise<(text: string) => void> {
  const file = join(dataDir, 'postgres.log');
  await writeFile(file, '', { mode: 0o600, flag: 'a' });
  await giveToOwner(file, dataDir);
  let bytes = (await stat(file)).size;
  return (text) => {
    try {
      if (bytes > logBytesMax) truncateSync(file);
      appendFileSync(file, text);
      bytes = bytes > logBytesMax ? text.length : bytes + text.length;
    } catch {} // PostgreSQL runs on without its log, on a full disk for example
  };
}

async function stopPostgres(postgres: ChildProcess, gone: Promise<string>): Promise<void> {
  postgres.kill('SIGINT');
  const hurry = setTimeout(() => postgres.kill('SIGQUIT'), stopMilliseconds);
  const end = setTimeout(() => postgres.kill('SIGKILL'), stopMilliseconds * 1.5);
  await gone;
  clearTimeout(hurry);
  clearTimeout(end);
}

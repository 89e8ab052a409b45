/** Starts, connects to and stops the embedded PostgreSQL. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { openHosts } from '../../src/database/connections/failover.js';
import { giveToOwner, keepSecret, readIfThere } from '../keptFiles.js';
import { EmbeddedPostgresError, explain, faultIn } from './faults.js';
import { environmentOfPostgres, type Installation, readPidFile, tiedToKeeper, worksIn } from './initData.js';

const connectTimeoutMs = 5_000;
const keeperName = 'gatehouse keeper';
const inUse = `hashtext('gatehouse'), hashtext('in use')`;

/** The password of the superuser `gatehouse`; made at the first call. */
export function readPassword(dataDir: string): string {
  const file = join(dataDir, 'postgres.password');
  try {
    mkdirSync(dataDir, { recursive: true });
    const hasData = ['postgres', 'postgres.place'].some((name) => existsSync(join(dataDir, name)));
    const password = hasData ? readIfThere(file) : keepSecret(file, () => randomBytes(24).toString('base64url'));
    if (password) return password;
  } catch (error) {
    throw explain(error, dataDir);
  }
  throw new EmbeddedPostgresError(
    `${file}, the password of the database beside it, is missing or empty: bring it back from a backup, or remove every postgres* from that folder to begin with an empty database.`,
  );
}

export const urlOf = (port: number, password: string): string =>
  `postgres://gatehouse:${password}@127.0.0.1:${port}/gatehouse`;

/** What the types of pg lack: whether the connection keeps the process from ending. */
export type Connection = pg.Client & { ref(): void; unref(): void };

async function connect(port: number, password: string, name: string): Promise<Connection> {
  const { Client } = openHosts(urlOf(port, password), connectTimeoutMs);
  const client = new Client({ application_name: name });
  await client.connect();
  return client as Connection;
}

/** A connection that keeps the server running while it is open; undefined if the server is stopping or has no keeper. */
export async function joinServer(port: number, password: string): Promise<Connection | undefined> {
  const client = await connect(port, password, 'gatehouse');
  const { rows } = await client.query<{ joined: boolean }>(
    `select pg_try_advisory_lock_shared(${inUse}) and exists(select from pg_stat_activity where application_name = $1) as joined`,
    [keeperName],
  );
  if (rows[0]?.joined) return client;
  await client.end();
  return undefined;
}

export const watchServer = (port: number, password: string): Promise<pg.Client> => connect(port, password, keeperName);

/** Returns whether a client other than the keeper is connected, such as psql. */
export async function isInUse(keeper: pg.Client): Promise<boolean> {
  const { rowCount } = await keeper.query(
    `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
  );
  return rowCount !== 0;
}

/** True if nobody has connected; from then on nobody can. */
export async function refuseUsers(keeper: pg.Client): Promise<boolean> {
  const { rows } = await keeper.query<{ refused: boolean }>(`select pg_try_advisory_lock(${inUse}) as refused`);
  return rows[0]!.refused;
}

/** Below the ports that Linux assigns to outgoing connections, so that the port is free at the next start. */
const ports = [20_000, 32_768] as const;
const startsMax = 5;
const startTimeoutMs = 120_000;
const stopTimeoutMs = 20_000;
const pollMs = 10;
const logBytesMax = 5_000_000;

interface Server {
  port: number;
  /** Resolves when the process is gone. */
  ended: Promise<void>;
  /** Fast shutdown; resolves when the data is safe and the process gone. */
  stop(): Promise<void>;
}

/** The address of a server of this data. Its process is checked, so that the password is not sent to another program. */
export async function runningPort(data: string): Promise<number | undefined> {
  const { pid, port, isReady } = await readPidFile(data);
  return isReady && (await worksIn(pid, data)) ? port : undefined;
}

/** Starts on the previous port if it is free, so that clients find a restarted server again. */
export async function startServer(installation: Installation, dataDir: string, isFast: boolean): Promise<Server> {
  const portFile = join(dataDir, 'postgres.port');
  let port = Number(await readFile(portFile, 'utf8').catch(() => '')) || randomInt(...ports);
  for (let starts = 1; ; starts++) {
    try {
      const server = await startOnPort(installation, port, dataDir, isFast);
      writeFileSync(portFile, `${port}\n`, { mode: 0o600 });
      giveToOwner(portFile);
      return server;
    } catch (error) {
      const isTaken = /could not create any TCP\/IP sockets|Address already in use/.test((error as Error).message);
      if (!isTaken || starts === startsMax) throw explain(error, installation.data);
      port = randomInt(...ports);
    }
  }
}

async function startOnPort(
  installation: Installation,
  port: number,
  dataDir: string,
  isFast: boolean,
): Promise<Server> {
  const logFile = join(dataDir, 'postgres.log');
  const log = openLog(logFile);
  const before = statSync(logFile).size;
  const [program, ...words] = await tiedToKeeper(postgresCommand(installation, port, isFast), 'SIGINT');
  const postgres = spawn(program!, words, {
    cwd: '/',
    env: environmentOfPostgres(),
    stdio: ['ignore', log, log],
    ...installation.runner,
  });
  closeSync(log);
  let end: string | undefined;
  const ended = new Promise<void>((resolve) => {
    const finish = (how: string) => {
      end = how;
      resolve();
    };
    postgres.once('error', ({ message }) => finish(message));
    postgres.once('exit', (code, signal) => finish(`${signal ?? `exit code ${code}`}`));
  });
  const stop = () => stopPostgres(postgres, ended);
  for (
    const deadline = Date.now() + startTimeoutMs;
    (await runningPort(installation.data)) !== port;
    await pause(pollMs)
  ) {
    if (end !== undefined) throw new Error(faultIn(readFileSync(logFile).subarray(before).toString()) ?? end);
    if (Date.now() < deadline) continue;
    await stop();
    throw new EmbeddedPostgresError(
      `PostgreSQL in ${installation.data} isn't ready after ${startTimeoutMs / 1000} seconds: see ${logFile}, then start again.`,
    );
  }
  return { port, ended, stop };
}

/** Appends to the existing log; a log that is too long is started again. */
function openLog(file: string): number {
  writeFileSync(file, '', { mode: 0o600, flag: 'a' });
  giveToOwner(file);
  return openSync(file, statSync(file).size > logBytesMax ? 'w' : 'a');
}

function postgresCommand({ binaries, data }: Installation, port: number, isFast: boolean): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 100,
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // otherwise a commit that needs a new file of the log waits until its 16 MB are filled with zeros
    wal_init_zero: 'off',
    ...(isFast && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return [join(binaries, 'postgres'), '-D', data, ...words];
}

async function stopPostgres(postgres: ChildProcess, ended: Promise<void>): Promise<void> {
  postgres.kill('SIGINT');
  const forceStopTimer = setTimeout(() => postgres.kill('SIGQUIT'), stopTimeoutMs);
  await ended;
  clearTimeout(forceStopTimer);
}

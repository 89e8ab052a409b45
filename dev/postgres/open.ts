/**
 * The PostgreSQL that comes with Gatehouse, for development: it lies in the data directory, is shared by all who use that
 * directory at the same time (the service, each command), and stops a few seconds after the last of them, however that went.
 */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../src/places.js';
import { EmbeddedPostgresError, explain } from './faults.js';
import { environmentOfPostgres, findData } from './initData.js';
import { isLocked, lockName } from './lock.js';
import { type Connection, joinServer, readPassword, runningPort, urlOf } from './server.js';

const openTimeoutMs = 150_000;
const pollMs = 25;
/** PostgreSQL's error code. */
const tooManyConnections = '53300';
const restartPauseMs = 500;
const restartPauseMsMax = 10_000;

interface EmbeddedPostgresOptions {
  /** DATA_DIR, made if missing; the data goes to `postgres` in it. */
  dataDir: string;
  /** Called with each sentence for the operator. */
  notice(line: string): void;
  /** A throwaway cluster: its data is lost if the machine crashes. */
  fast?: boolean;
  /** How long the server runs without a connection before it stops; absent: 5 s, and 1 s for a throwaway cluster. */
  idleTimeoutMs?: number;
}

export interface EmbeddedPostgres {
  /** Address of the database `gatehouse`, with the password of its owner, the superuser `gatehouse`. */
  url: string;
  /** The data directory, with links resolved. */
  directory: string;
  /** Allows the server to stop when no other process uses it. */
  close(): Promise<void>;
}

/** The connection that keeps the server running for this process. */
interface Session {
  client: Connection;
  url: string;
  directory: string;
}

/** Starts the server, or connects to the running one. Throws EmbeddedPostgresError, which says what to do. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const { notice } = options;
  const first = await openSession(dataDir, options);
  let session = Promise.resolve(first);
  const closing = new AbortController();
  const keepRunning = async (): Promise<void> => {
    for (;;) {
      const { client } = await session;
      await new Promise((resolve) => client.once('end', resolve));
      if (closing.signal.aborted) return;
      notice(`PostgreSQL in ${first.directory} ended, see ${join(dataDir, 'postgres.log')}; starting it again.`);
      session = reopenSession(dataDir, options, closing.signal);
      notice((await session).url === first.url ? 'PostgreSQL runs again.' : movedElsewhere);
    }
  };
  keepRunning().catch(() => undefined); // closed while it could not be started
  const close = async () => {
    closing.abort();
    const last = await session.catch(() => undefined);
    last?.client.ref();
    await last?.client.end();
  };
  return { url: first.url, directory: first.directory, close };
}

/** Retries, because the cause of a failed start may disappear, such as a full disk. Rejects when it is closed. */
async function reopenSession(dataDir: string, options: EmbeddedPostgresOptions, signal: AbortSignal): Promise<Session> {
  let said = '';
  for (let pauseMs = restartPauseMs; ; pauseMs = Math.min(2 * pauseMs, restartPauseMsMax)) {
    await pause(pauseMs, undefined, { signal, ref: false });
    try {
      return await openSession(dataDir, options);
    } catch (error) {
      const { message } = error as Error;
      if (message !== said) options.notice(`${message} Gatehouse tries again until it can.`);
      said = message;
    }
  }
}

const movedElsewhere = 'PostgreSQL had to move to another port: start Gatehouse again, so that it connects there.';

/** Connects to the running server. Starts a keeper if there is none, and again if the keeper is stopping. */
async function openSession(dataDir: string, options: EmbeddedPostgresOptions): Promise<Session> {
  const password = readPassword(dataDir);
  const name = await lockName(dataDir, password);
  const deadline = Date.now() + openTimeoutMs;
  let refusal = '';
  for (let keeper: Keeper | undefined; Date.now() < deadline; await pause(pollMs)) {
    const session = await joinRunning(dataDir, password, ({ message }) => {
      refusal = ` (${message})`;
    });
    if (session) {
      keeper?.leave();
      return session;
    }
    if (keeper?.isRunning || (await isLocked(name))) continue;
    if (keeper?.failure) throw new EmbeddedPostgresError(keeper.failure);
    keeper = startKeeper(dataDir, options);
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${dataDir} doesn't answer${refusal}: end its keeper (${program} ${dataDir}), then start again.`,
  );
}

/** Errors that may disappear at the next attempt, such as those of a server that is stopping. */
async function joinRunning(
  dataDir: string,
  password: string,
  refused: (error: Error) => void,
): Promise<Session | undefined> {
  const directory = await findData(dataDir);
  const port = directory && (await runningPort(directory));
  if (!port) return undefined;
  const client = await joinServer(port, password).catch((error: Error & { code?: string }) => {
    if (error.code === tooManyConnections) throw explain(error, directory);
    refused(error);
    return undefined;
  });
  if (!client) return undefined;
  client.unref(); // an open server keeps no process from ending
  return { client, directory, url: urlOf(port, password) };
}

const program = fileURLToPath(programFile('dev/postgres/keeper'));

interface Keeper {
  isRunning: boolean;
  /** Why there is no server. */
  failure: string;
  /** The keeper continues by itself. */
  leave(): void;
}

/** In a session of its own, so that Ctrl-C in a terminal does not stop it, and without the settings and secrets of its users. */
function startKeeper(dataDir: string, { fast = false, idleTimeoutMs, notice }: EmbeddedPostgresOptions): Keeper {
  const idleMs = idleTimeoutMs ?? (fast ? 1_000 : 5_000);
  const child = spawn(process.execPath, [program, dataDir, fast ? 'fast' : 'durable', String(idleMs)], {
    detached: true,
    cwd: '/',
    env: environmentOfPostgres(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const leave = () => {
    child.stdout.destroy();
    child.stderr.destroy();
    child.unref();
  };
  const keeper: Keeper = { isRunning: true, failure: '', leave };
  createInterface(child.stdout).on('line', notice);
  createInterface(child.stderr).on('line', (line) => {
    keeper.failure += line;
  });
  child.once('error', ({ message }) =>
    Object.assign(keeper, { isRunning: false, failure: explain(message, dataDir).message }),
  );
  child.once('close', () => {
    keeper.isRunning = false;
  });
  return keeper;
}

/**
 * The PostgreSQL that comes with Gatehouse, for development: it lies in the data directory, is shared by all who use that
 * directory at the same time (the service, each command), and stops when the last of them has gone, however it went.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresError, explain } from './embeddedPostgresError.js';
import { type Conversation, converse, greetKeeper, keeperName, readPassword } from './embeddedPostgresHandshake.js';

const openMillisecondsMax = 150_000;
const rejoinMillisecondsMin = 10_000;

export interface EmbeddedPostgresOptions {
  /** DATA_DIR, made if missing; the data goes to `postgres` in it. */
  dataDir: string;
  /** Hears what the operator should know, a sentence at a time. */
  notice(line: string): void;
  /** A throwaway cluster: whatever it holds is lost in a crash of the machine. */
  fast?: boolean;
}

export interface EmbeddedPostgres {
  /** Of the database `gatehouse`, with the password of its owner, the superuser `gatehouse`. */
  url: string;
  /** Where the data really lies. */
  directory: string;
  /** Resolves at once while others use the server, and else when it is gone and its data safe. */
  close(): Promise<void>;
}

interface Seat {
  talk: Conversation;
  url: string;
  directory: string;
}

/** Starts the server, or joins those who use it already; fails with an EmbeddedPostgresError that tells the mend. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const first = await takeSeat(dataDir, options);
  let seat: Promise<Seat> = Promise.resolve(first);
  let rejoined = 0;
  let closing = false;
  const stayOn = async ({ talk }: Seat): Promise<void> => {
    const explained = await hearOn(talk, first.url, options.notice);
    if (explained || closing) return;
    options.notice(`The keeper of the embedded PostgreSQL in ${dataDir} was killed.`);
    if (Date.now() - rejoined < rejoinMillisecondsMin) return;
    rejoined = Date.now();
    seat = rejoin(dataDir, options, first);
    seat.then(stayOn, (error: Error) => options.notice(error.message));
  };
  void stayOn(first);
  return {
    url: first.url,
    directory: first.directory,
    close: async () => {
      closing = true;
      const last = await seat.catch(() => undefined);
      if (last) await leaveSeat(last.talk.socket);
    },
  };
}

/** Passes on what the keeper says from now on; true when it told the end itself. */
async function hearOn(talk: Conversation, url: string, notice: (line: string) => void): Promise<boolean> {
  for (let message = await talk.hear(); message; message = await talk.hear()) {
    if (message.notice) notice(message.notice);
    if (message.url && message.url !== url) notice(movedElsewhere);
    if (message.error) {
      notice(message.error);
      talk.socket.end();
      return true;
    }
  }
  return false;
}

const movedElsewhere = 'PostgreSQL had to move to another port: start Gatehouse again, so that it connects there.';

async function rejoin(dataDir: string, options: EmbeddedPostgresOptions, first: Seat): Promise<Seat> {
  const seat = await takeSeat(dataDir, options);
  options.notice(seat.url === first.url ? 'The embedded PostgreSQL runs again.' : movedElsewhere);
  return seat;
}

async function leaveSeat(socket: Socket): Promise<void> {
  if (socket.closed) return;
  socket.ref();
  const closed = once(socket, 'close');
  socket.end();
  await closed;
}

/** Connects to the keeper, starting one where there is none, as often as the one found is just going away. */
async function takeSeat(dataDir: string, { notice, fast = false }: EmbeddedPostgresOptions): Promise<Seat> {
  const password = await readPassword(dataDir);
  const name = await keeperName(dataDir, password);
  const deadline = Date.now() + openMillisecondsMax;
  while (Date.now() < deadline) {
    const socket = await reach(name);
    if (!socket) {
      await startKeeper(dataDir, fast);
      continue;
    }
    const patience = setTimeout(() => socket.destroy(), deadline - Date.now());
    const seat = await sit(converse(socket), password, notice).finally(() => clearTimeout(patience));
    if (seat) return seat;
  }
  throw new EmbeddedPostgresError(
    `The keeper of the embedded PostgreSQL in ${dataDir} doesn't answer: end its process (embeddedPostgresKeeper), then start again.`,
  );
}

function reach(name: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(name);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET') resolve(undefined);
      else reject(error);
    });
  });
}

async function sit(talk: Conversation, password: string, notice: (line: string) => void): Promise<Seat | undefined> {
  try {
    if (!(await greetKeeper(talk, password))) return undefined;
    for (let message = await talk.hear(); message; message = await talk.hear()) {
      const { url, directory, error } = message;
      if (message.notice) notice(message.notice);
      if (error) throw new EmbeddedPostgresError(error);
      if (url && directory) {
        talk.socket.unref(); // an open server keeps nobody from ending
        return { talk, url, directory };
      }
    }
    return undefined;
  } catch (error) {
    talk.socket.destroy();
    throw error;
  }
}

/** In a session of its own, so that a terminal's Ctrl-C reaches only the users; with none of their settings and secrets. */
async function startKeeper(dataDir: string, fast: boolean): Promise<void> {
  const program = fileURLToPath(new URL('./embeddedPostgresKeeper.js', import.meta.url));
  const { PATH, LD_LIBRARY_PATH } = process.env;
  const keeper = spawn(process.execPath, [program, dataDir, fast ? 'fast' : 'durable'], {
    detached: true,
    cwd: '/',
    env: { PATH, ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { word, complaint } = await firstWord(keeper);
  keeper.unref();
  if (word === 'taken') await pause(20);
  else if (word !== 'kept') throw explain(complaint, dataDir);
}

/** What the keeper says about its name, or, when it ends before, why. */
function firstWord(keeper: ChildProcess): Promise<{ word: string; complaint: string }> {
  return new Promise((resolve) => {
    let complaint = '';
    const answer = (word: string) => {
      keeper.stdout?.destroy();
      keeper.stderr?.destroy();
      resolve({ word, complaint: complaint.trim() || 'its keeper ended at once' });
    };
    keeper.stdout?.setEncoding('utf8').once('data', (text: string) => answer(text.trim()));
    keeper.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    keeper.once('error', (error) => {
      complaint = error.message;
      answer('');
    });
    keeper.once('close', () => answer(''));
  });
}

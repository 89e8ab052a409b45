/**
 * How a user of the embedded PostgreSQL and its keeper find and trust each other: an abstract Unix socket (Linux), named
 * after the data directory, which the kernel frees at any death of its holder, and the password file as shared secret.
 * Anybody on the machine can connect to such a socket or take its name, so each side proves that it knows the password.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chown, link, mkdir, open, readdir, readFile, stat, unlink } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { EmbeddedPostgresError, explain, ownDatabase } from './embeddedPostgresError.js';

/** One line of the conversation. */
export interface Message {
  nonce?: string;
  proof?: string;
  /** Something the user's log should show. */
  notice?: string;
  /** Why there is no server, or no longer one. */
  error?: string;
  /** Where the server is, once it is ready. */
  url?: string;
  /** Where the data really lies. */
  directory?: string;
}

const lineCharactersMax = 65_536;

export interface Conversation {
  socket: Socket;
  say(message: Message): void;
  /** The next message; nothing once the other side has left. */
  hear(): Promise<Message | undefined>;
}

export function converse(socket: Socket): Conversation {
  const heard: Message[] = [];
  let listener: ((message: Message | undefined) => void) | undefined;
  let rest = '';
  let over = false;
  const finish = () => {
    over = true;
    listener?.(undefined);
  };
  socket.setEncoding('utf8').on('end', finish).on('close', finish).on('error', finish);
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const messages = lines.map(parseMessage);
    if (rest.length > lineCharactersMax || messages.includes(undefined)) return void socket.destroy();
    heard.push(...(messages as Message[]));
    if (listener && heard.length > 0) listener(heard.shift());
  });
  return {
    socket,
    say: (message) => void (socket.writable && socket.write(`${JSON.stringify(message)}\n`)),
    hear: () =>
      new Promise((resolve) => {
        if (heard.length > 0 || over) return resolve(heard.shift());
        listener = (message) => {
          listener = undefined;
          resolve(message);
        };
      }),
  };
}

function parseMessage(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The user's side; false when the keeper left before it answered. */
export async function greetKeeper(talk: Conversation, password: string): Promise<boolean> {
  const nonce = randomBytes(16).toString('hex');
  talk.say({ nonce });
  const answer = await talk.hear();
  if (!answer) return false;
  if (!sameText(answer.proof, proofOf(password, 'keeper', nonce))) {
    throw new EmbeddedPostgresError(
      `Another program of this machine has taken the name by which the embedded PostgreSQL is found: stop that program, set another DATA_DIR, or ${ownDatabase}.`,
    );
  }
  talk.say({ proof: proofOf(password, 'user', answer.nonce ?? '') });
  return true;
}

/** The keeper's side; false for a caller who doesn't know the password. */
export async function admitUser(talk: Conversation, password: string): Promise<boolean> {
  const greeting = await talk.hear();
  if (typeof greeting?.nonce !== 'string') return false;
  const nonce = randomBytes(16).toString('hex');
  talk.say({ nonce, proof: proofOf(password, 'keeper', greeting.nonce) });
  return sameText((await talk.hear())?.proof, proofOf(password, 'user', nonce));
}

function proofOf(password: string, side: 'keeper' | 'user', nonce: string): string {
  return createHmac('sha256', password).update(`${side} ${nonce}`).digest('hex');
}

function sameText(given: unknown, expected: string): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

/** The same for every spelling of the directory's path; another one for a copy of it. */
export async function keeperName(dataDir: string, password: string): Promise<string> {
  return fullLength(`\0gatehouse-${await directoryHash(dataDir, password)}`);
}

/** The name whose holder alone may run a server on this data. */
export async function dataName(data: string): Promise<string> {
  return fullLength(`\0gatehouse-data-${await directoryHash(data, '')}`);
}

/** Shorter names are filled up with zeros by some versions of Node and not by others, which then wouldn't meet. */
function fullLength(name: string): string {
  return name.padEnd(108, '.');
}

async function directoryHash(directory: string, salt: string): Promise<string> {
  const { dev, ino } = await stat(directory);
  return createHash('sha256').update(`${dev} ${ino} ${salt}`).digest('hex').slice(0, 32);
}

/** Reads the password of the role gatehouse, made at the first call; of callers at the same moment all get the same one. */
export async function readPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'postgres.password');
  try {
    await mkdir(dataDir, { recursive: true });
    const hasData = (await readdir(dataDir)).some((name) => name === 'postgres' || name === 'postgres.place');
    const password = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    if (password) return password;
    if (hasData) throw new EmbeddedPostgresError(passwordLost(file));
    await makePassword(file, dataDir);
    return await readFile(file, 'utf8');
  } catch (error) {
    throw explain(error, dataDir);
  }
}

function passwordLost(file: string): string {
  return `${file}, the password of the database beside it, is missing or empty: bring it back from a backup, or remove every postgres* from that folder to begin with an empty database.`;
}

async function makePassword(file: string, dataDir: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(randomBytes(24).toString('base64url'));
    await handle.sync();
    await handle.close();
    await giveToOwner(draft, dataDir);
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await unlink(draft);
  }
}

/** What root makes in another user's data directory belongs to that user, who comes back without root. */
export async function giveToOwner(file: string, dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dataDir);
  if (uid !== 0) await chown(file, uid, gid);
}

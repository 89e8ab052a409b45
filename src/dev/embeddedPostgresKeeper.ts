/**
 * The keeper of the embedded PostgreSQL, a process of its own: it starts the server, hands its address to every user
 * (the service, each command) that connects, and stops it when the last connection is gone, also by a user's kill -9.
 * Arguments: the data directory, and "fast" for a throwaway cluster. First line on standard output: "kept" once its name
 * is taken, "taken" when another keeper has it.
 */
import { createServer, type Server as SocketServer } from 'node:net';
import { join } from 'node:path';
import { checkOwner, clearLeftBehind, makeData } from './embeddedPostgresCluster.js';
import { EmbeddedPostgresError, explain } from './embeddedPostgresError.js';
import {
  admitUser,
  type Conversation,
  converse,
  dataName,
  keeperName,
  type Message,
  readPassword,
} from './embeddedPostgresHandshake.js';
import { exists, findPlace, type Place } from './embeddedPostgresPlace.js';
import { type Server, startServer } from './embeddedPostgresServer.js';

const firstUserMilliseconds = 3_000;
const handshakeMilliseconds = 5_000;
const lastWordMilliseconds = 2_000;
const leaveMillisecondsMax = 60_000;
const restartsMax = 3;

const [dataDir = '', speed] = process.argv.slice(2);
const fast = speed === 'fast';
const users = new Set<Conversation>();
/** What every user gets to hear, also one that comes later. */
const said: Message[] = [];
let server: Server | undefined;
let kept: Promise<void> | undefined;
let leaving = false;

function tell(message: Message): void {
  said.push(message);
  for (const user of users) user.say(message);
}

const notice = (line: string) => tell({ notice: line });

/** True when the name was free; the kernel frees it again when this process ends, however it ends. */
function takeName(holder: SocketServer, name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    holder.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    holder.listen(name, () => resolve(true));
  });
}

async function prepare(password: string): Promise<Place> {
  const place = await findPlace(dataDir, password, notice);
  if (!(await exists(place.data))) {
    notice(`Making an empty database in ${place.data}.`);
    await makeData(place, password, fast);
  }
  await checkOwner(place);
  if (!(await takeName(createServer(), await dataName(place.data)))) {
    throw new EmbeddedPostgresError(
      `${place.data} is in use by another DATA_DIR, of which ${dataDir} is a copy: stop that Gatehouse, or remove ${dataDir} and start anew.`,
    );
  }
  return place;
}

/** Keeps the server running until the last user is gone. */
async function keep(password: string): Promise<void> {
  const place = await prepare(password);
  for (let starts = 0; !leaving; starts++) {
    await clearLeftBehind(place.data);
    server = await startServer(place, dataDir, fast);
    if (leaving) return await server.stop();
    if (starts > 0) notice(`PostgreSQL runs again, on port ${server.port}.`);
    const url = `postgres://gatehouse:${password}@127.0.0.1:${server.port}/gatehouse`;
    tell({ url, directory: place.data });
    said.splice(0, said.length - 1);
    const last = await server.gone;
    server = undefined;
    if (leaving) return;
    said.length = 0;
    const story = `PostgreSQL in ${place.data} ended by itself (${last}), see ${join(dataDir, 'postgres.log')}`;
    if (starts === restartsMax) throw new EmbeddedPostgresError(`${story}: start Gatehouse again.`);
    notice(`${story}; starting it again.`);
  }
}

async function receive(talk: Conversation, password: string): Promise<void> {
  const impatience = setTimeout(() => talk.socket.destroy(), handshakeMilliseconds);
  const admitted = await admitUser(talk, password);
  clearTimeout(impatience);
  if (!admitted) return void talk.socket.destroy();
  if (leaving) return; // the line is held until this process has ended: then the user starts a keeper of its own
  for (const message of said) talk.say(message);
  users.add(talk);
  while (await talk.hear());
  users.delete(talk);
  if (users.size > 0) talk.socket.end();
  else await leave();
}

/** The end of this process closes the last user's line, who thereby knows that the data is safe. */
async function leave(): Promise<void> {
  if (leaving) return;
  leaving = true;
  setTimeout(() => process.exit(1), leaveMillisecondsMax);
  await server?.stop();
  await kept?.catch(() => {});
  process.exit();
}

/** Users hang up once they have heard the error; one that has just come still has to hear it. */
function fail(error: unknown): void {
  tell({ error: explain(error, dataDir).message });
  setTimeout(leave, lastWordMilliseconds);
}

async function main(): Promise<void> {
  process.chdir('/');
  const password = await readPassword(dataDir);
  const holder = createServer({ allowHalfOpen: true }, (socket) => void receive(converse(socket), password));
  const free = await takeName(holder, await keeperName(dataDir, password));
  process.stdout.on('error', () => {}).write(free ? 'kept\n' : 'taken\n');
  if (!free) return;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void leave());
  process.on('uncaughtException', fail);
  setTimeout(() => users.size === 0 && leave(), firstUserMilliseconds);
  kept = keep(password);
  kept.catch(fail);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${explain(error, dataDir).message}\n`);
  process.exitCode = 1;
});

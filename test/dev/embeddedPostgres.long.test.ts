/** The embedded PostgreSQL: shared by its users, gone with the last one, and back after every kind of kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../dev/postgres/open.js';
import { removeEmbeddedPostgres, untilStopped } from '../../dev/postgres/remove.js';
import { joinServer, readPassword, refuseUsers, watchServer } from '../../dev/postgres/server.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { elapse, until } from '../support/until.js';

const program = new URL('../../dev/postgres/open.js', import.meta.url).href;
/** Shorter than by default: nearly every test waits for an end. */
const idleTimeoutMs = 500;
let folder: string;
let dataDir: string;
let notices: string[];
const started: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-embedded-'));
  await chmod(folder, 0o711);
  dataDir = join(folder, 'data');
  notices = [];
});

afterEach(async () => {
  for (const user of started.splice(0)) user.kill('SIGKILL');
  await untilStopped(dataDir);
  await until(async () => (await processesOf(dataDir)).length === 0);
  await removeEmbeddedPostgres(dataDir);
  await rm(folder, { recursive: true, force: true });
});

async function open(directory = dataDir, fast = true): Promise<EmbeddedPostgres> {
  const notice = (line: string) => notices.push(line);
  const opened = await openEmbeddedPostgres({ dataDir: directory, fast, idleTimeoutMs, notice });
  closeAtEnd(() => opened.close());
  return opened;
}
const openDurable = () => open(dataDir, false);

/** A user in a process of its own, as a command is. */
function spawnUser(afterwards: string): ChildProcess {
  const script = `const { openEmbeddedPostgres } = await import('${program}');
    const { url, close } = await openEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, idleTimeoutMs: ${idleTimeoutMs}, notice() {} });
    console.log(url);
    ${afterwards}`;
  const user = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(user);
  return user;
}

async function openElsewhere(): Promise<{ url: string; user: ChildProcess }> {
  const user = spawnUser('setInterval(() => {}, 1000);');
  const [line] = await once(user.stdout!.setEncoding('utf8'), 'data');
  return { url: line.trim(), user };
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Keeper and PostgreSQL of one data directory, by their command lines. */
async function processesOf(directory: string, kind = ''): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).map(Number).filter(Number.isInteger)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const ours = /postgres\/keeper\.js|\/bin\/(postgres|initdb)\0/.test(command);
    if (ours && command.includes(directory) && command.includes(kind)) found.push(pid);
  }
  return found;
}

it('a commit that the embedded PostgreSQL confirmed is on the disk, except in the clusters of tests', async () => {
  const settings = `select current_setting('fsync') || current_setting('synchronous_commit') || current_setting('full_page_writes') as kept`;
  const database = await openDurable();
  expect(await query(database.url, settings)).toEqual([{ kept: 'ononon' }]);
  await database.close();
});

it('the embedded PostgreSQL is version 18 in UTC, compares text by code point, and keeps its data over a restart', async () => {
  const first = await open();
  const settings = `SELECT current_user, current_database(), current_setting('server_version_num')::int / 10000 AS version,
    current_setting('TimeZone') AS zone, 'a' < 'B' AS dictionary, upper('é') AS upper, pg_encoding_to_char(encoding) AS encoding
    FROM pg_database WHERE datname = current_database()`;
  expect(await query(first.url, settings)).toEqual([
    {
      current_user: 'gatehouse',
      current_database: 'gatehouse',
      version: 18,
      zone: 'UTC',
      dictionary: false,
      upper: 'É',
      encoding: 'UTF8',
    },
  ]);
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.close();
  await untilStopped(dataDir);
  expect(await processesOf(dataDir)).toEqual([]);
  const second = await open();
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  await second.close();
  await second.close();
});

it('users who come at the same instant share one server, and the last one to leave stops it', async () => {
  const [first, second, third] = await Promise.all([open(), open(relative(process.cwd(), dataDir)), openElsewhere()]);
  expect(new Set([first.url, second.url, third.url]).size).toBe(1);
  expect(await processesOf(dataDir, 'keeper.js')).toHaveLength(1);
  await Promise.all([first.close(), second.close()]);
  expect(await query(third.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  third.user.kill('SIGKILL');
  await until(async () => (await processesOf(dataDir)).length === 0);
});

it('a command that closes it ends by itself', async () => {
  await open();
  expect(await once(spawnUser('await close();'), 'exit')).toEqual([0, null]);
});

it('whoever comes while it is stopping gets a server that stays', async () => {
  let last = await open();
  for (let round = 0; round < 8; round++) {
    await last.close();
    // about when it has been unused for long enough
    await elapse(idleTimeoutMs - 100 + round * 50);
    last = await open();
    for (let second = 0; second < 3; second++) {
      expect(await query(last.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await elapse(100);
    }
  }
  expect(notices.filter((line) => line.includes('ended'))).toEqual([]);
});

it('a process that joined the embedded PostgreSQL is not refused, and one that is refused did not join', async () => {
  const opened = await open();
  const [port, password] = [Number(new URL(opened.url).port), readPassword(dataDir)];
  const keeper = await watchServer(port, password);
  closeAtEnd(() => keeper.end());
  expect(await refuseUsers(keeper)).toBe(false);
  const other = await joinServer(port, password);
  await opened.close();
  expect(await refuseUsers(keeper)).toBe(false);
  await other!.end();
  await until(() => refuseUsers(keeper));
  expect(await joinServer(port, password)).toBeUndefined();
});

it('the embedded PostgreSQL is not stopped while anybody is connected', async () => {
  const opened = await open();
  const client = new pg.Client({ connectionString: opened.url });
  closeAtEnd(() => client.end());
  await client.connect();
  await opened.close();
  await elapse(4 * idleTimeoutMs);
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

it('another program that took its port since is not asked, so it is not told the password', async () => {
  const first = await open();
  await first.close();
  await untilStopped(dataDir);
  let connections = 0;
  const other = createServer(() => connections++).listen(Number(new URL(first.url).port), '127.0.0.1');
  closeAtEnd(async () => other.close());
  await once(other, 'listening');
  const second = await open();
  expect(second.url).not.toBe(first.url);
  expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(connections).toBe(0);
});

it('after kill -9 of everything the next start works', async () => {
  const { url, user } = await openElsewhere();
  await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  for (const pid of [user.pid!, ...(await processesOf(dataDir))]) process.kill(pid, 'SIGKILL');
  const next = await openDurable();
  expect(await query(next.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  await next.close();
});

it('a server that ended and could not be started is started when that is possible again, and meanwhile its users can leave', async () => {
  const [first, other] = [await open(), await open()];
  const [control, away] = ['global/pg_control', 'away'].map((name) => join(first.directory, name)) as [string, string];
  const [keeper] = await processesOf(dataDir, 'keeper.js');
  await rename(control, away);
  for (const pid of await processesOf(dataDir, '/postgres')) if (pid !== keeper) process.kill(pid, 'SIGKILL');
  await until(() => /can't run .*tries again/.test(notices.join('\n')));
  await other.close();
  expect(notices.join('\n')).not.toContain('runs again');
  await rename(away, control);
  await until(() => notices.includes('PostgreSQL runs again.'));
  expect(await query(first.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await first.close();
});

it('a postmaster.pid whose number is another process by now is no obstacle', async () => {
  const first = await open();
  await first.close();
  await untilStopped(dataDir);
  const owner = await stat(first.directory);
  const asOwner = process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {};
  const stranger = spawn('sleep', ['60'], { ...asOwner, cwd: '/' });
  started.push(stranger);
  await writeFile(join(first.directory, 'postmaster.pid'), `${stranger.pid}\n${first.directory}\n1\n5432\n\n\n`);
  const next = await open();
  expect(stranger.exitCode).toBeNull();
  await next.close();
});

it('a kill while the database is made leaves nothing half made', async () => {
  const opening = open().catch(() => undefined);
  await until(async () => (await processesOf(dataDir, 'initdb')).length > 0);
  for (const pid of await processesOf(dataDir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {} // gone with its keeper
  }
  const survivor = await opening;
  await survivor?.close();
  const next = await open();
  expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await next.close();
  expect((await readdir(dataDir)).filter((name) => name.includes('.new'))).toEqual([]);
});

it.each([
  ['the server', 'bin/postgres'],
  ['the keeper', 'keeper.js'],
])('after kill -9 of %s its users find a server at the same address again', async (_, kind) => {
  const seat = await openDurable();
  await query(seat.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  for (const pid of await processesOf(dataDir, kind)) process.kill(pid, 'SIGKILL');
  await until(() => notices.join('\n').includes('runs again'));
  expect(await query(seat.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  await seat.close();
  await untilStopped(dataDir);
  expect(await processesOf(dataDir)).toEqual([]);
});

it('a path of 150 characters and more, and a symbolic link, lead to the same server', async () => {
  const deep = join(folder, 'a'.repeat(80), 'b'.repeat(80));
  await mkdir(deep, { recursive: true });
  await symlink(deep, dataDir);
  const [long, short] = await Promise.all([open(deep), open(dataDir)]);
  expect(long.url).toBe(short.url);
  await Promise.all([long.close(), short.close()]);
  await until(async () => (await processesOf(deep)).length === 0);
  await removeEmbeddedPostgres(deep);
});

it('neither the password nor the data is readable by others', async () => {
  const seat = await open();
  expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, 'postgres.log'))).mode & 0o777).toBe(0o600);
  expect((await stat(seat.directory)).mode & 0o777).toBe(0o700);
  const wrong = new URL(seat.url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  await seat.close();
});

it('one sentence says what keeps the embedded PostgreSQL from running, and what to do', async () => {
  await writeFile(dataDir, 'a file');
  await expect(open()).rejects.toThrow(/because it or a folder above it is a file: set DATA_DIR to a folder\.$/);
  await rm(dataDir);
  const seat = await open();
  await seat.close();
  await untilStopped(dataDir);
  await rm(join(seat.directory, 'global', 'pg_control'));
  await expect(open()).rejects.toThrow(/could not open file.*pg_control.*set DATABASE_URL/);
  await rm(join(dataDir, 'postgres.password'));
  await expect(open()).rejects.toThrow(/postgres\.password.*missing.*bring it back/);
});

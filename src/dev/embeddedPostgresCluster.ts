/** Makes the embedded PostgreSQL's data directory, and clears away what a killed server left in it. */
import { type ExecFileOptions, execFile } from 'node:child_process';
import {
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, explain } from './embeddedPostgresError.js';
import { exists, type Place } from './embeddedPostgresPlace.js';

const run = promisify(execFile);
const leftBehindMillisecondsMax = 15_000;

/** Nothing of Gatehouse's own environment, which holds secrets, goes to PostgreSQL; and no PG… variable confuses it. */
export function environmentOfPostgres(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return { PATH, ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }), LC_ALL: 'C', TZ: 'UTC' };
}

/** Makes the data beside its place and moves it there when it is whole: a kill meanwhile leaves no half of it. */
export async function makeData(place: Place, password: string, fast: boolean): Promise<void> {
  const parent = dirname(place.data);
  try {
    await clearDrafts(place.data);
    const draft = await mkdtemp(`${place.data}.new-`);
    try {
      await fillDraft(draft, place, password, fast);
      await rename(join(draft, 'data'), place.data);
      if (!fast) await syncDirectory(parent);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  } catch (error) {
    throw explain(error, place.data);
  }
}

async function clearDrafts(data: string): Promise<void> {
  for (const entry of await readdir(dirname(data))) {
    if (entry.startsWith(`${basename(data)}.new-`))
      await rm(join(dirname(data), entry), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function fillDraft(draft: string, place: Place, password: string, fast: boolean): Promise<void> {
  const data = join(draft, 'data');
  const passwordFile = join(draft, 'password');
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (place.runner) {
    for (const path of [draft, data, passwordFile]) await chown(path, place.runner.uid, place.runner.gid);
  }
  const options = { env: environmentOfPostgres(), cwd: '/', ...place.runner };
  const words = ['--pgdata', data, '--username', 'gatehouse', '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
  words.push('--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8');
  if (fast) words.push('--no-sync');
  await runToEnd([join(place.binaries, 'initdb'), ...words], options);
  await rm(passwordFile);
  const single = ['--single', '-D', data, ...(fast ? ['-F'] : []), 'postgres'];
  await runToEnd([join(place.binaries, 'postgres'), ...single], options, 'CREATE DATABASE gatehouse;\n');
}

/** Fails with the line that tells why. */
async function runToEnd(command: string[], options: ExecFileOptions, input = ''): Promise<void> {
  const [program, ...words] = await tiedToKeeper(command, 'SIGKILL');
  const running = run(program!, words, options);
  running.child.stdin?.on('error', () => {}).end(input);
  const { stderr } = await running.catch((error: Error & { stderr?: string }) => {
    throw new Error(faultIn(error.stderr ?? '') ?? error.stderr?.trim().split('\n').at(-1) ?? error.message);
  });
  if (/(?:ERROR|FATAL|PANIC): /.test(String(stderr))) throw new Error(faultIn(String(stderr)));
}

/** Of what PostgreSQL wrote, the line that names the fault, without its time stamp. */
export function faultIn(text: string): string | undefined {
  const faults = text.split('\n').filter((line) => /FATAL|PANIC|ERROR|error|could not/.test(line));
  const fault = faults.find((line) => /No space left|quota exceeded|Read-only/.test(line)) ?? faults.at(-1);
  return fault?.replace(/^.*?(?=FATAL|PANIC|ERROR|could not)/, '').trim();
}

/** The command through setpriv, where there is one, so that a kill -9 of the keeper ends it as well. */
export async function tiedToKeeper(command: string[], signal: 'SIGINT' | 'SIGKILL'): Promise<string[]> {
  const tie = ['--pdeathsig', signal];
  return await run('setpriv', [...tie, 'true'], { cwd: '/' }).then(
    () => ['setpriv', ...tie, ...command],
    () => command,
  );
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/**
 * After a kill -9, waits until no process of the former server is left (and asks it to stop), then takes its
 * postmaster.pid away: the number in it may meanwhile be another process's, at which PostgreSQL would refuse to start.
 * Only the holder of the data's name may call this.
 */
export async function clearLeftBehind(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  const deadline = Date.now() + leftBehindMillisecondsMax;
  while (await exists(pidFile)) {
    const left = await processesIn(data);
    if (left.length === 0) return await rm(pidFile, { force: true });
    const postmaster = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `A PostgreSQL (process ${left.join(', ')}) already uses ${data} and doesn't stop: stop it, then start again.`,
      );
    }
    if (left.includes(postmaster)) process.kill(postmaster, 'SIGINT');
    await pause(50);
  }
}

/** The server and each of its backends work in the data directory; other programs don't. */
async function processesIn(data: string): Promise<number[]> {
  const directory = await realpath(data);
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).map(Number).filter(Number.isInteger)) {
    const [workingDirectory, program] = await Promise.all(
      ['cwd', 'exe'].map((link) => readlink(`/proc/${pid}/${link}`).catch(() => '')),
    );
    if (workingDirectory === directory && /\/postgres( \(deleted\))?$/.test(program ?? '')) found.push(pid);
  }
  return found;
}

/** PostgreSQL wants its data to belong to whoever runs it. */
export async function checkOwner(place: Place): Promise<void> {
  const owner = (await stat(place.data)).uid;
  const runner = place.runner?.uid ?? process.getuid?.();
  if (owner === runner) return;
  throw new EmbeddedPostgresError(
    `${place.data} belongs to the user with id ${owner}: start Gatehouse as that user or as root, or set DATA_DIR to another folder.`,
  );
}

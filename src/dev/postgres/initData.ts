/** Makes the embedded PostgreSQL's data directory, and clears away what a killed server left in it. */
import { type ExecFileOptions, execFile } from 'node:child_process';
import { chown, mkdir, open, readdir, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, explain } from './error.js';
import { exists, type Installation } from './locate.js';

const run = promisify(execFile);
const leftBehindMsMax = 15_000;
const pollMs = 100;

/** Nothing of Gatehouse's own environment, which holds secrets, goes to PostgreSQL; and no PG… variable confuses it. */
export function environmentOfPostgres(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return { PATH, ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }), LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * Makes the data beside its place and moves it there when it is whole: a kill meanwhile leaves no half of it. Only who holds
 * the lock may call this.
 */
export async function makeData({ data, binaries, runner }: Installation, password: string, isFast: boolean) {
  const draft = `${data}.new`;
  try {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 });
    await mkdir(draft, { mode: 0o700 });
    if (runner) await chown(draft, runner.uid, runner.gid);
    const options = { env: environmentOfPostgres(), cwd: '/', ...runner };
    const words = ['--pgdata', draft, '--username', 'gatehouse', '--auth-host', 'scram-sha-256'];
    // nobody connects that way: the server listens on no socket in the file system
    words.push('--auth-local', 'reject', ...(isFast ? ['--no-sync'] : []));
    words.push('--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8');
    await runToEnd([join(binaries, 'initdb'), ...words], options);
    const first = `alter role gatehouse password '${password}';\ncreate database gatehouse;\n`;
    const single = ['--single', '-D', draft, ...(isFast ? ['-F'] : []), 'postgres'];
    await runToEnd([join(binaries, 'postgres'), ...single], options, first);
    await rename(draft, data);
    const folder = await open(dirname(data));
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw explain(error, data);
  }
}

/** Fails with the line that tells why. */
async function runToEnd(command: string[], options: ExecFileOptions, input = ''): Promise<void> {
  const [program, ...words] = await tiedToKeeper(command, 'SIGKILL');
  const running = run(program!, words, options);
  running.child.stdin?.on('error', () => {}).end(input);
  const { stderr } = await running.catch((error: Error & { stderr?: string }) => {
    throw new Error(causeIn(error.stderr ?? '') ?? error.message);
  });
  if (/(?:ERROR|FATAL|PANIC): /.test(String(stderr))) throw new Error(faultIn(String(stderr)));
}

/** What initdb says after every failure. */
const consequence = /^(child process |initdb: (removing|.* not removed)|$)/;

/** In what a command wrote that failed, the line that tells why. */
export const causeIn = (text: string): string | undefined =>
  faultIn(text) ?? text.split('\n').findLast((line) => !consequence.test(line.trim()));

/** Of what PostgreSQL wrote, the line that names the fault, without its time stamp. */
export function faultIn(text: string): string | undefined {
  const faults = text.split('\n').filter((line) => /FATAL|PANIC|ERROR|error|could not/.test(line));
  const fault = faults.find((line) => /No space left|wrote only|quota exceeded|Read-only/.test(line)) ?? faults.at(-1);
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

/**
 * After a kill -9, waits until no process of the former server is left (and asks it to stop), then takes its
 * postmaster.pid away: the number in it may meanwhile be another process's, at which PostgreSQL would refuse to start.
 * Only who holds the data's lock may call this.
 */
export async function clearLeftBehind(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  for (const deadline = Date.now() + leftBehindMsMax; await exists(pidFile); await pause(pollMs)) {
    const left: number[] = [];
    for (const pid of (await readdir('/proc')).map(Number)) if (await worksIn(pid, data)) left.push(pid);
    if (left.length === 0) return await rm(pidFile, { force: true });
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `A PostgreSQL (process ${left.join(', ')}) already uses ${data} and doesn't stop: stop it, then start again.`,
      );
    }
    const { pid } = await readPidFile(data);
    if (left.includes(pid)) process.kill(pid, 'SIGINT');
  }
}

/** What the server says of itself: https://www.postgresql.org/docs/18/storage-file-layout.html, postmaster.pid. */
export async function readPidFile(data: string): Promise<{ pid: number; port: number; isReady: boolean }> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, , , port, , , , status] = text.split('\n');
  return { pid: Number(pid), port: Number(port), isReady: status?.trim() === 'ready' };
}

/** The server and each of its backends work in the data directory; other programs don't. */
export async function worksIn(pid: number, data: string): Promise<boolean> {
  if (!pid) return false;
  const [folder, program] = await Promise.all(
    ['cwd', 'exe'].map((link) => readlink(`/proc/${pid}/${link}`).catch(() => '')),
  );
  return /\/postgres( \(deleted\))?$/.test(program ?? '') && folder === (await realpath(data));
}

/** PostgreSQL wants its data to belong to whoever runs it. */
export async function checkOwner({ data, runner }: Installation): Promise<void> {
  const owner = (await stat(data)).uid;
  if (owner === (runner?.uid ?? process.getuid?.())) return;
  throw new EmbeddedPostgresError(
    `${data} belongs to the user with id ${owner}: start Gatehouse as that user or as root, or set DATA_DIR to another folder.`,
  );
}

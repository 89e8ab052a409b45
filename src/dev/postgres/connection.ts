/** Connections to the embedded PostgreSQL, and the lock in it by which its users and its keeper agree on its end. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { openHosts } from '../../database/connections/failover.js';
import { keepSecret, readIfThere } from '../keptSecret.js';
import { EmbeddedPostgresError, explain } from './error.js';

const connectTimeoutMs = 5_000;
const keeperName = 'gatehouse keeper';
const inUse = `hashtext('gatehouse'), hashtext('in use')`;

/** The password of the superuser `gatehouse`; made at the first call. */
export function readPassword(dataDir: string): string {
  const file = join(dataDir, 'postgres.password');
  try {
    mkdirSync(dataDir, { recursive: true });
    const hasData = ['postgres', 'postgres.place'].some((name) => existsSync(join(dataDir, name)));
    const password = hasData ? readIfThere(file) : keepSecret(file, () => randomBytes(24).toString('base64url'));
    if (password) return password;
  } catch (error) {
    throw explain(error, dataDir);
  }
  throw new EmbeddedPostgresError(
    `${file}, the password of the database beside it, is missing or empty: bring it back from a backup, or remove every postgres* from that folder to begin with an empty database.`,
  );
}

export const urlOf = (port: number, password: string): string =>
  `postgres://gatehouse:${password}@127.0.0.1:${port}/gatehouse`;

/** What the types of pg lack: whether the connection keeps the process from ending. */
export type Connection = pg.Client & { ref(): void; unref(): void };

async function connect(port: number, password: string, name: string): Promise<Connection> {
  const { Client } = openHosts(urlOf(port, password), connectTimeoutMs);
  const client = new Client({ application_name: name });
  await client.connect();
  return client as Connection;
}

/** A connection that keeps the server running while it is open; nothing when the server is stopping, or nobody keeps it. */
export async function joinServer(port: number, password: string): Promise<Connection | undefined> {
  const client = await connect(port, password, 'gatehouse');
  const { rows } = await client.query<{ joined: boolean }>(
    `select pg_try_advisory_lock_shared(${inUse}) and exists(select from pg_stat_activity where application_name = $1) as joined`,
    [keeperName],
  );
  if (rows[0]?.joined) return client;
  await client.end();
  return undefined;
}

export const watchServer = (port: number, password: string): Promise<pg.Client> => connect(port, password, keeperName);

/** Whether anybody but the keeper is connected, be it with psql. */
export async function isInUse(keeper: pg.Client): Promise<boolean> {
  const { rowCount } = await keeper.query(
    `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
  );
  return rowCount !== 0;
}

/** True when nobody has joined; from then on nobody can. */
export async function refuseUsers(keeper: pg.Client): Promise<boolean> {
  const { rows } = await keeper.query<{ refused: boolean }>(`select pg_try_advisory_lock(${inUse}) as refused`);
  return rows[0]!.refused;
}

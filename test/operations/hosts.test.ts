/** A database of several hosts, of which one takes writes: what DATABASE_URL's list does for service and commands. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../dev/postgres/open.js';
import { removeEmbeddedPostgres } from '../../dev/postgres/remove.js';
import { examine } from '../../src/cli/doctor.js';
import { type ConnectOptions, connect, type Database } from '../../src/database/connect.js';
import { migrate } from '../../src/database/migrate.js';
import { startTestApp } from '../support/app.js';
import { openClient } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { until } from '../support/until.js';
import { newConsumer } from './consumer.js';
import { startProxy } from './proxy.js';

interface Host {
  /** host:port */
  name: string;
  /** What a standby that is promoted and a primary that is demoted do, told to sessions that exist too. */
  takeWrites(takes: boolean): Promise<void>;
}

const login = 'writer:p%40ss%2Fw%25rd';
let hosts: [Host, Host];

/** A PostgreSQL of its own; all have the same log-in and the same name of the database. */
async function startHost(): Promise<Host> {
  const dataDir = await mkdtemp(join(tmpdir(), `gatehouse-test-${process.pid}-`));
  await chmod(dataDir, 0o711);
  const cluster = await openEmbeddedPostgres({ dataDir, fast: true, notice: () => undefined });
  closeAtEnd(async () => {
    await cluster.close();
    await removeEmbeddedPostgres(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  });
  const owner = await openClient(cluster.url);
  await owner.query(`create role writer superuser login password 'p@ss/w%rd'`);
  const { host } = new URL(cluster.url);
  return {
    name: host,
    async takeWrites(takes) {
      await owner.query(`alter system set default_transaction_read_only = ${takes ? 'off' : 'on'}`);
      await owner.query('select pg_reload_conf()');
      await until(async () => {
        const { rows } = await owner.query('show default_transaction_read_only');
        return rows[0].default_transaction_read_only === (takes ? 'off' : 'on');
      });
    },
  };
}

beforeAll(async () => {
  hosts = await Promise.all([startHost(), startHost()]);
  for (const { name } of hosts) await migrate(`postgresql://${login}@${name}/gatehouse`, 60_000);
});
beforeEach(async () => {
  await hosts[0].takeWrites(false);
  await hosts[1].takeWrites(true);
});

const refusing = '127.0.0.1:1';
const urlOf = (names: string[], attributes = 'read-write'): string =>
  `postgresql://${login}@${names.join(',')}/gatehouse?target_session_attrs=${attributes}`;
const bothNames = (): string[] => hosts.map(({ name }) => name);

async function open(url: string, options: Partial<ConnectOptions> = {}): Promise<Database> {
  const database = await connect({ url, poolMax: 3, timeoutMs: 20_000, ...options });
  closeAtEnd(() => database.close());
  return database;
}

const nameOf = async ({ sql }: Pick<Database, 'sql'>): Promise<string> => {
  const [row] = await sql.rows<{ name: string }>(
    `select host(inet_server_addr()) || ':' || inet_server_port() as name, pg_sleep(0.01)`,
  );
  return row!.name;
};
const write = `update catalogue_version set version = version + 1`;

it('a server that takes no writes is passed over, for the ORM and for health as well', async () => {
  const { sql, background, orm } = await open(urlOf(bothNames()));
  expect(await nameOf({ sql })).toBe(hosts[1].name);
  expect(await nameOf({ sql: background })).toBe(hosts[1].name);
  expect(await orm.em.getConnection().execute('select inet_server_port() as port')).toEqual([
    { port: Number(hosts[1].name.split(':')[1]) },
  ]);
});

it('the first host that answers is used without target_session_attrs', async () => {
  expect(await nameOf(await open(urlOf([refusing, ...bothNames()], 'any')))).toBe(hosts[0].name);
});

it('connections made at the same moment all find the right host', async () => {
  const both = await open(urlOf([refusing, ...bothNames()]));
  const names = await Promise.all(Array.from({ length: 20 }, () => nameOf(both)));
  expect(new Set(names)).toEqual(new Set([hosts[1].name]));
});

it('the host that worked is asked first from then on', async () => {
  const first = await startProxy(`postgresql://${hosts[0].name}`);
  const both = await open(urlOf([new URL(first.url).host, hosts[1].name]));
  await nameOf(both);
  // whoever asked there now would wait for ever
  first.freeze();
  await Promise.all(Array.from({ length: 3 }, () => nameOf(both)));
  expect(both.pools[0]!.totalCount).toBe(3);
});

it('a host that is gone without a word costs its part of the time alone', async () => {
  const gone = await startProxy(`postgresql://${hosts[0].name}`);
  gone.freeze();
  const both = await open(urlOf([new URL(gone.url).host, hosts[1].name]), { timeoutMs: 4_000 });
  expect(await nameOf(both)).toBe(hosts[1].name);
});

it('connections to a server that was demoted are all thrown away at its first refusal', async () => {
  const both = await open(urlOf(bothNames()));
  await Promise.all(Array.from({ length: 3 }, () => nameOf(both)));
  await hosts[1].takeWrites(false);
  await hosts[0].takeWrites(true);
  await expect(both.sql.rows(write)).rejects.toMatchObject({ code: '25006' });
  await both.sql.rows(write);
  const names = await Promise.all(Array.from({ length: 3 }, () => nameOf(both)));
  expect(new Set(names)).toEqual(new Set([hosts[0].name]));
});

it('a refused write of the ORM does the same', async () => {
  const both = await open(urlOf(bothNames()));
  const change = () =>
    both.orm.em.fork().transactional((em) => em.getConnection().execute(write, [], 'run', em.getTransactionContext()));
  await change();
  await hosts[1].takeWrites(false);
  await hosts[0].takeWrites(true);
  await expect(change()).rejects.toMatchObject({ code: '25006' });
  await change();
  expect(await nameOf(both)).toBe(hosts[0].name);
});

it('each host is named with its reason, and never the password, when none can be used', async () => {
  const error = await open(urlOf([refusing, hosts[0].name])).catch((failure: Error) => failure);
  expect((error as Error).message).toMatch(
    new RegExp(`no host .*: ${refusing}: .*ECONNREFUSED.*; ${hosts[0].name}: takes no writes`),
  );
  expect(JSON.stringify(error) + String((error as Error).stack)).not.toMatch(/p@ss|p%40ss/);
});

it('a wrong password is told as it is: it is wrong at every host', async () => {
  await expect(open(urlOf(bothNames()).replace(login, 'writer:wrong'))).rejects.toMatchObject({ code: '28P01' });
});

it('a request is answered 503 while no host takes writes, and 200 as soon as one does', async () => {
  const app = await startTestApp({ DATABASE_URL: urlOf(bothNames()), DATABASE_POOL_MAX: '3' });
  const consumer = await newConsumer(app);
  const { json } = await consumer.exchange();
  await hosts[1].takeWrites(false);
  expect((await consumer.renew(json.refresh_token)).status).toBe(503);
  expect((await consumer.exchange()).status).toBe(503);
  await hosts[1].takeWrites(true);
  expect((await consumer.renew(json.refresh_token)).status).toBe(200);
  expect(app.logged()).not.toMatch(/p@ss|p%40ss/);
});

it('commands know the list too', async () => {
  const url = urlOf([refusing, ...bothNames()]);
  expect(await migrate(url, 3_000)).toEqual([]);
  const findings = await examine({ DATABASE_URL: url, PORT: '0' }, async () => undefined);
  expect(findings.find(({ what }) => what === 'migrations')).toMatchObject({ ok: true });
});

it('the TLS mode of the address holds for every connection', async () => {
  await expect(open(`${urlOf([hosts[1].name])}&sslmode=verify-full`)).rejects.toThrow(/does not support SSL/);
});

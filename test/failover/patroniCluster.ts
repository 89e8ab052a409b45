/** Three PostgreSQL nodes under Patroni, with etcd, as ops/patroni has them. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { operatorFile, programs, readEnvironment } from './operatorFiles.js';
import { type Trial, tell, until } from './trial.js';

export interface Node {
  name: string;
  port: number;
  restPort: number;
}

export interface PatroniCluster {
  nodes: Node[];
  /** DATABASE_URL of a database of Gatehouse's own. */
  url: string;
  /** Undefined: nobody is it. */
  primary(): Promise<Node | undefined>;
  /** Patroni, PostgreSQL and all, at once. */
  kill(node: Node): Promise<void>;
  start(node: Node): Promise<void>;
  /** Its machine is gone without a word. */
  freeze(node: Node): Promise<void>;
  /** It is back as it was, and doesn't know yet that it is no longer the primary. */
  thaw(node: Node): Promise<void>;
  /** It is back: as it was, or restarted where Patroni needs a watchdog for that. */
  wake(node: Node): Promise<void>;
  /** A frozen one loses what is on its way to it. */
  cutReplication(node: Node): Promise<void>;
  /** All run, have caught up, and one is the synchronous standby. */
  untilWhole(): Promise<void>;
}

interface Member {
  role: string;
  state: string;
  lag?: number | string;
  timeline?: number;
}

const password = (): string => randomBytes(12).toString('hex');

export async function startCluster(trial: Trial): Promise<PatroniCluster> {
  const [clientPort, peerPort, ...ports] = (await trial.ports(8)) as [number, number, ...number[]];
  const nodes = [1, 2, 3].map((n) => ({ name: `db${n}`, port: ports[n - 1]!, restPort: ports[n + 2]! }));
  await startEtcd(trial, clientPort, peerPort);
  const passwords = {
    PATRONI_RESTAPI_PASSWORD: password(),
    PATRONI_SUPERUSER_PASSWORD: password(),
    PATRONI_REPLICATION_PASSWORD: password(),
    PATRONI_REWIND_PASSWORD: password(),
  };
  // where the user postgres can read it
  const settings = join(trial.folder, 'patroni.yml');
  await copyFile(operatorFile('patroni/patroni.yml'), settings);
  const start = async ({ name, port, restPort }: Node): Promise<void> => {
    const env = await readEnvironment('patroni/node.env', {
      ...passwords,
      PATRONI_NAME: name,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: `${trial.folder}/${name}/data`,
      PATRONI_POSTGRESQL_PGPASS: `${trial.folder}/${name}/pgpass`,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
      PATRONI_ETCD3_HOSTS: `'127.0.0.1:${clientPort}'`,
    });
    // Patroni stops its PostgreSQL when it is told to end
    await trial.start(name, { command: programs.patroni, words: [settings], env, asPostgres: true }, 'SIGTERM');
  };
  for (const node of nodes) await start(node);
  const kill = ({ name }: Node) => trial.kill(name);
  const thaw = ({ name }: Node) => trial.signal(name, 'SIGCONT');
  const restart = async (node: Node): Promise<void> => {
    await kill(node);
    await start(node);
  };
  const untilWhole = () => until('three nodes that have caught up', 180, () => isWhole(nodes));
  await untilWhole();
  const cluster = {
    nodes,
    primary: () => findPrimary(nodes),
    start,
    untilWhole,
    kill,
    freeze: ({ name }: Node) => trial.signal(name, 'SIGSTOP'),
    thaw,
    wake: (await takesLeadBack()) ? restart : thaw,
    cutReplication: ({ name }: Node) => trial.signal(name, 'SIGKILL', 'walreceiver'),
  };
  return {
    ...cluster,
    url: await makeDatabase(nodes, (await cluster.primary())!, passwords.PATRONI_SUPERUSER_PASSWORD),
  };
}

/** Before 3.0.3 a primary that stood still takes the lead back as it wakes; docs/run/install.md asks for a watchdog then. */
async function takesLeadBack(): Promise<boolean> {
  const { stdout } = await promisify(execFile)(programs.patroni, ['--version']);
  const [major, minor, patch] = /(\d+)\.(\d+)\.(\d+)/.exec(stdout)!.slice(1).map(Number) as [number, number, number];
  const isOld = major < 3 || (major === 3 && minor === 0 && patch < 3);
  if (isOld)
    tell(`${stdout.trim()} is older than 3.0.3: a primary that was frozen is restarted, as its watchdog does.`);
  return isOld;
}

async function startEtcd(trial: Trial, clientPort: number, peerPort: number): Promise<void> {
  const [client, peer] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`];
  const env = await readEnvironment('patroni/etcd.env', {
    ETCD_DATA_DIR: `${trial.folder}/etcd/data`,
    ETCD_LISTEN_PEER_URLS: peer,
    ETCD_LISTEN_CLIENT_URLS: client,
    ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
    ETCD_ADVERTISE_CLIENT_URLS: client,
    ETCD_INITIAL_CLUSTER: `db1=${peer}`,
  });
  await trial.start('etcd', { command: programs.etcd, words: [], env });
  await until('etcd', 30, async () => (await fetch(`${client}/health`)).ok);
}

async function findPrimary(nodes: Node[]): Promise<Node | undefined> {
  const answers = nodes.map(async (node) => {
    const { ok } = await fetch(`http://127.0.0.1:${node.restPort}/primary`, { signal: AbortSignal.timeout(1_000) });
    return ok ? node : Promise.reject(new Error('a standby'));
  });
  return Promise.any(answers).catch(() => undefined);
}

async function isWhole(nodes: Node[]): Promise<boolean> {
  const primary = await findPrimary(nodes);
  if (!primary) return false;
  const answer = await fetch(`http://127.0.0.1:${primary.restPort}/cluster`);
  const { members } = (await answer.json()) as { members: Member[] };
  const standbys = members.filter(({ role }) => role !== 'leader');
  return (
    members.length === nodes.length &&
    members.every(({ state }) => state === 'running' || state === 'streaming') &&
    new Set(members.map(({ timeline }) => timeline)).size === 1 &&
    standbys.every(({ lag }) => lag === 0) &&
    standbys.some(({ role }) => role === 'sync_standby')
  );
}

/** As docs/run/install.md makes it. */
async function makeDatabase(nodes: Node[], primary: Node, superuserPassword: string): Promise<string> {
  const own = password();
  const url = `postgresql://postgres:${superuserPassword}@127.0.0.1:${primary.port}/postgres`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create role gatehouse login password '${own}'`);
  await client.query(`create database gatehouse owner gatehouse encoding 'UTF8' template template0`);
  await client.end();
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return `postgresql://gatehouse:${own}@${hosts}/gatehouse?target_session_attrs=read-write`;
}

/** When somebody else than the one that was killed is the primary. */
export async function untilPromoted(cluster: PatroniCluster, killed: Node, seconds: number): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  while (Date.now() < deadline) {
    const primary = await cluster.primary();
    if (primary && primary !== killed) return;
    await pause(100);
  }
  throw new Error(`nobody was promoted within ${seconds} s`);
}

/** Three Gatehouse processes, as in production, behind HAProxy with the file of ops/haproxy; with users, clients and an issuer. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LocalProvider, makeKey, makeToken, type ProviderKey, startProvider } from '../auth/localProvider.js';
import { operatorFile, programs, readEnvironment } from './operatorFiles.js';
import type { Node } from './patroniCluster.js';
import { type Trial, until } from './trial.js';

export interface Gatehouses {
  /** HAProxy's. */
  url: string;
  names: string[];
  /** An ID token of the user with that number. */
  idToken(user: number): string;
  adminToken: string;
  /** Where HAProxy leads to the PostgreSQL primary. */
  postgresPort: number;
  /** kill -9. */
  kill(name: string): Promise<void>;
  /** SIGTERM; gives the exit code. */
  stop(name: string): Promise<number | null>;
  /** Resolves when it is ready. */
  start(name: string): Promise<void>;
  /** One more, with settings of its own, that HAProxy doesn't know; gives its address. */
  startAlone(settings: Record<string, string>): Promise<string>;
}

export const client = { clientId: 'portal', clientSecret: 'a secret of the trial', name: 'Portal' };
export const profileId = 'profile';
export const usersCount = 50;
export const accessScopeGuid = '00000000-0000-4000-8000-0000000000aa';
const typeGuid = '00000000-0000-4000-8000-0000000000bb';
const audience = 'gatehouse';
export const userGuid = (user: number): string => `00000000-0000-4000-9000-${String(user).padStart(12, '0')}`;
const program = (name: string): string => fileURLToPath(new URL(`../../src/${name}.js`, import.meta.url));

export async function startGatehouses(trial: Trial, databaseUrl: string, nodes: Node[]): Promise<Gatehouses> {
  const [front, postgresPort, ...ports] = (await trial.ports(5)) as [number, number, ...number[]];
  const key = makeKey('provider');
  const provider = await startProvider([key]);
  trial.closers.push(() => provider.close());
  const url = `http://127.0.0.1:${front}`;
  const proxied = await readEnvironment('haproxy/behind.env', { TRUST_PROXY: 'loopback' });
  const environment = { ...productionSettings(databaseUrl, url, provider), ...proxied };
  const names = ['app1', 'app2', 'app3'];
  const running = new Map<string, ChildProcess>();
  const run = async (name: string, port: number, settings: Record<string, string> = {}): Promise<string> => {
    const env = { ...environment, PORT: String(port), ...settings };
    running.set(name, await trial.start(name, { command: process.execPath, words: [program('main')], env }));
    await until(`${name} is ready`, 30, async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
    return `http://127.0.0.1:${port}`;
  };
  const start = async (name: string): Promise<void> => {
    await run(name, ports[names.indexOf(name)]!);
  };
  const command: Command = (name, words) =>
    trial.start(name, { command: process.execPath, words: [program('cli'), ...words], env: environment });
  await prepare(trial, command);
  const adminToken = await outputOf(trial, 'admin-token', command);
  for (const name of names) await start(name);
  await startHaproxy(trial, front, postgresPort, ports, nodes);
  await until('HAProxy', 30, async () => (await fetch(`${url}/livez`)).ok);
  return {
    url,
    names,
    idToken: (user) => makeIdToken(key, provider, user),
    adminToken,
    postgresPort,
    kill: (name) => trial.kill(name),
    async stop(name) {
      const child = running.get(name)!;
      const ended = once(child, 'exit') as Promise<[number | null]>;
      child.kill('SIGTERM');
      return (await ended)[0];
    },
    start,
    startAlone: async (settings) => run('alone', (await trial.ports(1))[0]!, settings),
  };
}

/** An ID token of the user with that number, each with a `jti` of its own: a hardened client's works once. */
export function makeIdToken(key: ProviderKey, { issuer }: LocalProvider, user: number): string {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { iss: issuer, aud: audience, sub: userGuid(user), jti: randomUUID(), iat, exp: iat + 900 };
  return makeToken(key, claims);
}

/** A command of bin/gatehouse. */
type Command = (name: string, words: string[]) => Promise<ChildProcess>;

/** The settings of docs/run/install.md, each process with an address of its own. */
export const productionSettings = (
  databaseUrl: string,
  url: string,
  { issuer }: LocalProvider,
): Record<string, string> => ({
  NODE_ENV: 'production',
  DATABASE_URL: databaseUrl,
  ISSUER_URL: url,
  ID_TOKEN_ISSUERS: JSON.stringify([{ issuer, audience, idpname: 'trial', subject: 'userGuid' }]),
  KEY_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64'),
  TOKEN_POLICY: 'documented',
  AUTO_MIGRATE: 'no',
  SHUTDOWN_DELAY_MS: '5000',
  TRUST_PROXY: 'loopback',
});

export async function succeed(what: string, child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${what} ended with ${code}`);
}

/** Migrates the database, and fills it. */
export async function prepare(trial: Trial, command: Command): Promise<void> {
  const file = join(trial.folder, 'import.json');
  const users = Array.from({ length: usersCount }, (_, user) => ({
    userGuid: userGuid(user),
    firstName: 'U',
    lastName: `${user}`,
    idpname: 'trial',
    idpid: `${user}`,
  }));
  const content = {
    roles: [{ roleId: 'role', name: 'Role' }],
    users,
    accessScopeTypes: [{ accessScopeTypeGuid: typeGuid, name: 'trial' }],
    accessScopes: [{ accessScopeGuid, accessScopeTypeGuid: typeGuid, name: 'Scope', accessScopeKey: 'key' }],
    profiles: [{ profileId, name: 'Profile', accessScopeGuids: [accessScopeGuid] }],
    userProfiles: users.map((user) => ({ userGuid: user.userGuid, profileId, roleId: 'role' })),
    clients: [client],
  };
  await writeFile(file, JSON.stringify(content));
  await succeed('migrate', await command('migrate', ['migrate']));
  await succeed('import', await command('import', ['import', file]));
}

/** A token of an administrator. */
export async function outputOf(trial: Trial, name: string, command: Command): Promise<string> {
  await succeed(name, await command(name, ['admin-token', '--minutes', '480']));
  const lines = (await readFile(join(trial.folder, name, 'log'), 'utf8')).trim().split('\n');
  return lines.find((line) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(line))!;
}

async function startHaproxy(
  trial: Trial,
  front: number,
  postgresPort: number,
  ports: number[],
  nodes: Node[],
): Promise<void> {
  const local = (port: number): string => `127.0.0.1:${port}`;
  const own: Record<string, string> = { GATEHOUSE_BIND: local(front), POSTGRES_BIND: local(postgresPort) };
  for (const [index, port] of ports.entries()) own[`GATEHOUSE_${index + 1}`] = local(port);
  for (const index of [1, 2, 3]) {
    own[`POSTGRES_${index}`] = local(nodes[index - 1]?.port ?? 1);
    own[`PATRONI_${index}_PORT`] = String(nodes[index - 1]?.restPort ?? 1);
  }
  const env = await readEnvironment('haproxy/haproxy.env', own);
  await trial.start('haproxy', {
    command: programs.haproxy,
    words: ['-db', '-f', operatorFile('haproxy/haproxy.cfg')],
    env,
  });
}

/**
 * Rows `servers` and `servers-alone`: renewals beside Ory Hydra and Keycloak, each on a database of its own. The clients of
 * their registries fetch them into the user's cache; one that cannot be fetched is left out by name.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../test/support/freePort.js';
import { compare, speedRatio } from './compare.js';
import { figuresTable } from './figuresTable.js';
import { postForm } from './load.js';
import { formRenewing, renewalTarget } from './renewal.js';
import type { Contender, Ratio, Row } from './row.js';
import { administer, type Side, type Start, startGatehouse, startProcess, withSides } from './service.js';
import { wholeAnswer } from './stillTarget.js';
import { basic, clientId, clientSecret, openTokenBench } from './tokenData.js';

/** Java's compiler is done later than V8's. */
const warmUpSeconds = 12;
const poolMax = 20;

interface Server {
  name: string;
  /** Gives its program; throws where it cannot be had. @param folder for its files, kept from run to run */
  fetch(folder: string): string;
  /** As shipped, and otherwise. @param open makes a database, and gives its URL */
  start(program: string, open: (name: string) => Promise<URL>, start: Start, users: string[]): Promise<Contender[]>;
}

/** @param logIn gives a refresh token */
function contender(side: Side, path: string, users: string[], logIn: (user: string) => Promise<string>): Contender {
  const target = async () => {
    const tokens: string[] = [];
    for (const user of users) tokens.push(await logIn(user));
    return formRenewing(side, tokens, path);
  };
  return { side, target };
}

export const hydra: Server = {
  name: 'Hydra v2.3.0',
  fetch(folder) {
    const program = join(folder, 'hydra');
    copyFileSync('bench/peers/hydra/go.mod', join(folder, 'go.mod'));
    if (!existsSync(program)) run('go', ['build', '-mod=mod', '-o', program, 'github.com/ory/hydra/v2'], folder);
    return program;
  },
  async start(program, open, start, users) {
    const contenders: Contender[] = [];
    for (const [how, iterations] of Object.entries({ 'as shipped': 25_000, '1 iteration': 1 })) {
      const [url, port, adminPort] = [await open(`hydra-${iterations}`), await freePort(), await freePort()];
      const settings = {
        ...process.env,
        DSN: `${url}?max_conns=${poolMax}`,
        SECRETS_SYSTEM: clientSecret,
        URLS_SELF_ISSUER: `http://127.0.0.1:${port}`,
        SERVE_PUBLIC_PORT: `${port}`,
        SERVE_ADMIN_PORT: `${adminPort}`,
        OAUTH2_HASHERS_PBKDF2_ITERATIONS: `${iterations}`,
        LOG_LEVEL: 'warn',
      };
      run(program, ['migrate', 'sql', 'up', '-e', '--yes'], '.', settings);
      const command = [program, 'serve', 'all', '--dev', '--sqa-opt-out'];
      const side = await start(
        startProcess(`${hydra.name}, ${how}`, command, settings, answering(port, '/health/ready')),
      );
      const admin = `http://127.0.0.1:${adminPort}/admin`;
      const grants = { grant_types: ['authorization_code', 'refresh_token'], redirect_uris: [callback] };
      await send('POST', `${admin}/clients`, { client_id: clientId, client_secret: clientSecret, ...grants });
      contenders.push(contender(side, '/oauth2/token', users, (user) => logInToHydra(side, admin, user)));
    }
    return contenders;
  },
};
const callback = 'http://127.0.0.1/callback';

/** By an authorization code; the pages for log-in and consent are these calls. */
async function logInToHydra({ port }: Side, admin: string, subject: string): Promise<string> {
  const cookies = new Map<string, string>();
  const follow = async (url: string): Promise<URLSearchParams> => {
    const cookie = [...cookies].map((each) => each.join('=')).join('; ');
    const { headers } = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of headers.getSetCookie()) cookies.set(...(set.split(';')[0]!.split(/=(.*)/s) as [string, string]));
    return new URL(headers.get('location')!).searchParams;
  };
  const accept = async (page: string, asked: URLSearchParams, body: object): Promise<URLSearchParams> =>
    follow(await send('PUT', `${admin}/oauth2/auth/requests/${page}/accept?${asked}`, body, 'redirect_to'));
  const query = `response_type=code&client_id=${clientId}&scope=offline&state=12345678&redirect_uri=${callback}`;
  const login = await follow(`http://127.0.0.1:${port}/oauth2/auth?${query}`);
  const consent = await accept('login', login, { subject });
  const answer = await accept('consent', consent, { grant_scope: ['offline'] });
  const form = `grant_type=authorization_code&code=${answer.get('code')}&redirect_uri=${callback}`;
  return field(await wholeAnswer(port, postForm('/oauth2/token', form, basic)), 'refresh_token');
}

export const keycloak: Server = {
  name: 'Keycloak 26.7.3',
  fetch(folder) {
    const program = join(folder, 'keycloak-26.7.3/bin/kc.sh');
    if (existsSync(join(folder, 'built'))) return program;
    const artifact = '-Dartifact=org.keycloak:keycloak-quarkus-dist:26.7.3:zip';
    run('mvn', ['-q', '-B', 'dependency:unpack', artifact, `-DoutputDirectory=${folder}`], folder);
    run(program, ['build', '--db=postgres', '--cache=local'], folder);
    writeFileSync(join(folder, 'built'), '');
    return program;
  },
  async start(program, open, start, users) {
    const [{ host, pathname, username, password }, port] = [await open('keycloak'), await freePort()];
    const database = `--db-url=jdbc:postgresql://${host}${pathname} --db-username=${username} --db-password=${password} --db-pool-max-size=${poolMax}`;
    const settings = `--http-enabled=true --http-port=${port} --hostname=http://127.0.0.1:${port} --log-level=warn --bootstrap-admin-username=admin --bootstrap-admin-password=${clientSecret}`;
    const command = [program, 'start', '--optimized', ...database.split(' '), ...settings.split(' ')];
    const side = await start(startProcess(keycloak.name, command, process.env, answering(port, '/realms/master')));
    const pathOf = (realm: string) => `/realms/${realm}/protocol/openid-connect/token`;
    const logIn = async (realm: string, user: string, headers: string, kind: string, further = '') => {
      const form = `grant_type=password&username=${user}&password=${clientSecret}${further}`;
      return field(await wholeAnswer(port, postForm(pathOf(realm), form, headers)), kind);
    };
    const authorization = `Bearer ${await logIn('master', 'admin', '', 'access_token', '&client_id=admin-cli')}`;
    const credentials = [{ type: 'password', value: clientSecret }];
    const person = { enabled: true, firstName: 'A', lastName: 'User', credentials };
    const common = {
      enabled: true,
      users: users.map((username) => ({ ...person, username, email: `${username}@example.com` })),
      clients: [{ clientId, secret: clientSecret, directAccessGrantsEnabled: true }],
      // log-ins are not measured
      passwordPolicy: 'hashAlgorithm(pbkdf2-sha256) and hashIterations(1)',
    };
    const rotating = { revokeRefreshToken: true, defaultSignatureAlgorithm: 'ES256' };
    const realms = { shipped: common, rotating: { ...common, ...rotating } };
    for (const [realm, settings] of Object.entries(realms))
      await send('POST', `http://127.0.0.1:${port}/admin/realms`, { realm, ...settings }, '', { authorization });
    return Object.keys(realms).map((realm) => {
      const named = { ...side, name: `${keycloak.name}, ${realm === 'shipped' ? 'as shipped' : 'rotating, ES256'}` };
      return contender(named, pathOf(realm), users, (user) => logIn(realm, user, basic, 'refresh_token'));
    });
  },
};

const description = `Each connection renews a token of its own, of another user; pools of ${poolMax}, logs at warnings, no TLS. Hydra: \`--dev\`, for plain HTTP. Keycloak: one process for both lines, production mode, \`cache=local\`. PostgreSQL waits for the disk, except where Keycloak tells it not to (\`SET LOCAL synchronous_commit TO OFF\`). The client's secret: Gatehouse verifies it with bcrypt once and remembers that; Hydra hashes it at each request (PBKDF2, 25,000 iterations as shipped); Keycloak compares it in clear. Access tokens: Gatehouse ES256; Hydra opaque, as rows; Keycloak RS256 as shipped, where used refresh tokens stay good. What each writes for a renewal: \`docs/compare.md\`.`;

const servers = (name: string, connections: number, work: string): Row => ({
  name,
  run: (stage) =>
    withSides(openTokenBench(stage.cluster, name), async (bench, start) => {
      const own = await start(startGatehouse(bench.environment));
      const contenders: Contender[] = [{ side: own, target: () => renewalTarget(bench, own, connections) }];
      const users = bench.users.slice(0, connections);
      const open = async (server: string): Promise<URL> => {
        await administer(stage.cluster.url, `create database "${name}-${server}"`);
        return Object.assign(new URL(stage.cluster.url), { pathname: `/${name}-${server}` });
      };
      for (const server of [hydra, keycloak]) {
        const { program, reason } = obtain(server);
        if (reason) process.stdout.write(`${reason}\n`);
        else contenders.push(...(await server.start(program!, open, start, users)));
      }
      if (contenders.length === 1) return undefined;
      const figures = await compare(contenders, { ...stage, warmUpSeconds });
      const ratios = figures.slice(1).map((other): Ratio => {
        const value = speedRatio(figures[0]!, other);
        return { work, against: other.name, value, kind: 'least', bar: 1, aim: 1.2 };
      });
      return { ratios, figures, details: `${description}\n\n${figuresTable(figures)}` };
    }),
});

export const rows: Row[] = [
  servers('servers', 32, 'renewal, 32 connections'),
  servers('servers-alone', 1, 'renewal, one connection'),
];

/** The program of a server, or a sentence that says why it is left out. */
export function obtain({ name, fetch }: Server): { program?: string; reason?: string } {
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(caches, 'gatehouse-bench', name.replaceAll(' ', '-'));
  mkdirSync(folder, { recursive: true });
  try {
    return { program: fetch(folder) };
  } catch (error) {
    return { reason: `${name} is left out: ${(error as Error).message}.` };
  }
}

function run(program: string, args: string[], cwd: string, env = process.env): void {
  const { error, status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (error) throw new Error(`${program} is not on this machine`);
  if (status !== 0) throw new Error(`${program} ${args[0]} failed (${`${stdout}${stderr}`.trim().slice(-300)})`);
}

/** Gives the port once this is answered. */
const answering =
  (port: number, path: string): Parameters<typeof startProcess>[3] =>
  async (child) => {
    const url = `http://127.0.0.1:${port}${path}`;
    const isReady = async () => (await fetch(url).catch(() => undefined))?.ok;
    while (child.exitCode === null && !(await isReady())) await pause(100);
    return port;
  };

/** Gives a field of the answer. */
async function send(method: string, url: string, body: object, name = '', headers: object = {}): Promise<string> {
  const json = { ...headers, 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers: json, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${text}`);
  return name && field(text, name);
}

const field = (json: Buffer | string, name: string): string => JSON.parse(String(json))[name];

/**
 * The configurations of ops/door in the proxies that they are for, before a real API and a real Gatehouse. A proxy that is not
 * installed is named; npm run test:door wants those that Debian has.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { signAccessToken } from '../../../src/auth/tokenFormat.js';
import { claimsOf } from '../../../src/services/tokens/claims.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { own, proofFor } from '../../support/dpopProofs.js';
import { freePort } from '../../support/freePort.js';
import { closeAtEnd } from '../../support/lifetimes.js';
import { newClient, newHolder, newScope, newScopeType } from '../../support/records.js';
import { exchangeBody, renewalBody } from '../../support/tokens.js';
import { until } from '../../support/until.js';

const configurations = fileURLToPath(new URL('../../../../ops/door/', import.meta.url));
const isWanted = process.env.DOOR_WANTED === 'yes';

interface Proxy {
  name: string;
  program: string;
  files: string[];
  /** Where the configuration listens; followed by the port. */
  listens: string;
  start: string[];
}
const proxies: Proxy[] = [
  {
    name: 'nginx',
    program: '/usr/sbin/nginx',
    files: ['nginx.conf'],
    listens: 'listen 8080',
    start: ['-p', '.', '-c', 'nginx.conf', '-e', 'error.log', '-g', 'daemon off; pid nginx.pid;'],
  },
  {
    name: 'haproxy',
    program: '/usr/sbin/haproxy',
    files: ['haproxy.cfg', 'verify.lua'],
    listens: 'bind :8080',
    start: ['-db', '-f', 'haproxy.cfg'],
  },
  {
    name: 'caddy',
    program: '/usr/bin/caddy',
    files: ['Caddyfile'],
    listens: '\n:8080',
    start: ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'],
  },
];

let app: TestApp;
let apiPort: number;
let tokens: Record<'north' | 'anywhere' | 'south' | 'expired' | 'revoked' | 'bound', string>;
let userGuid: string;

/** Answers what it was sent; an upgrade is answered too. */
async function startApi(): Promise<number> {
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    response.end(JSON.stringify({ method: incoming.method, url: incoming.url, headers: incoming.headers, body }));
  });
  server.on('upgrade', (incoming, socket) => {
    const user = incoming.headers['x-gatehouse-user'];
    // RFC 6455 §4.2.2
    const accept = hash(
      'sha1',
      `${incoming.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
      'base64',
    );
    const headers = `connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ${accept}\r\nx-user: ${user}`;
    socket.end(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n\r\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAtEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  app = await startTestApp({ TOKEN_POLICY: 'hardened', TRUST_PROXY: 'loopback', DPOP_NONCE: 'yes' });
  apiPort = await startApi();
  const { context } = app;
  const client = await newClient(context);
  const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
  const type = await newScopeType(context, 'site');
  const issue = async (scope: object) => {
    const holder = await newHolder(context);
    await newScope(context, type, holder.profileId, scope);
    const { json } = await app.post('/token', {
      ...exchangeBody(app.idToken({ sub: holder.userGuid })),
      profileId: holder.profileId,
      ...credentials,
    });
    return { ...holder, access: json.access_token as string, refresh: json.refresh_token as string };
  };
  const [north, anywhere, south, ended] = await Promise.all([
    issue({ access_scope_key: 'north' }),
    issue({ is_wildcard: true }),
    issue({ access_scope_key: 'south' }),
    issue({ access_scope_key: 'north' }),
  ]);
  userGuid = north.userGuid;
  expect((await app.post('/revoke', { token: ended.refresh, ...credentials })).status).toBe(200);
  expect((await app.post('/token', { ...renewalBody(ended.refresh), profileId: 'any', ...credentials })).status).toBe(
    401,
  );
  const holding = { userGuid, profileId: 'p', roleId: 'r', scopes: ['site:north'] };
  const jkt = await calculateJwkThumbprint(own.publicKey.export({ format: 'jwk' }) as JWK);
  const expired = { ...claimsOf(context, holding, new Date()), iat: 1, exp: 2 };
  tokens = {
    north: north.access,
    anywhere: anywhere.access,
    south: south.access,
    expired: signAccessToken(context.keys.ring(), expired, 'auto'),
    revoked: ended.access,
    bound: signAccessToken(context.keys.ring(), claimsOf(context, { ...holding, jkt }, new Date()), 'auto'),
  };
});

/** The configuration as it stands, with the addresses of the test. */
async function startProxy({ program, files, listens, start }: Proxy): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-door-'));
  const port = await freePort();
  for (const file of files) {
    const text = readFileSync(join(configurations, file), 'utf8');
    const ours = text
      .replaceAll('127.0.0.1:4000', new URL(app.url).host)
      .replaceAll('127.0.0.1:8000', `127.0.0.1:${apiPort}`)
      .replace(listens, listens.replace('8080', String(port)));
    writeFileSync(join(folder, file), ours);
  }
  const environment = { PATH: process.env.PATH, HOME: folder };
  const child: ChildProcess = spawn(program, start, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'exit');
  closeAtEnd(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await until(() => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${output}`);
    return fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  });
  return port;
}

describe.each(proxies)('$name', (proxy) => {
  const isHere = existsSync(proxy.program);
  if (!isHere && !isWanted) {
    it.skip(`is not installed (apt-get install ${proxy.name}): its configuration did not run`, () => undefined);
    return;
  }
  let port: number;
  beforeAll(async () => {
    if (!isHere) throw new Error(`Missing: apt-get install ${proxy.name}`);
    port = await startProxy(proxy);
  });
  const ask = (
    token: string | undefined,
    init: RequestInit & { headers?: Record<string, string> } = {},
    path = '/orders?page=2',
  ) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...init.headers },
    });

  it('passes a good token on with who sent it, and the request as it was', async () => {
    const response = await ask(tokens.north, { method: 'POST', body: 'hello' });
    const seen = (await response.json()) as { method: string; url: string; body: string; headers: IncomingHttpHeaders };
    expect([response.status, seen.method, seen.url, seen.body]).toEqual([200, 'POST', '/orders?page=2', 'hello']);
    expect(seen.headers).toMatchObject({
      'x-gatehouse-user': userGuid,
      'x-gatehouse-role': 'member',
      'x-gatehouse-scopes': 'site:north',
      'x-gatehouse-profile': expect.stringMatching(/^profile-/),
      'x-gatehouse-client': expect.stringMatching(/^client-/),
    });
  });

  it('passes the wildcard of the type on', async () => {
    expect((await ask(tokens.anywhere)).status).toBe(200);
  });

  it.each([
    ['no token', undefined, 401, 'Bearer resource_metadata='],
    ['an expired token', 'expired', 401, 'Bearer error="invalid_token"'],
    ['a token of an ended session', 'revoked', 401, 'Bearer error="invalid_token"'],
    ['another scope', 'south', 403, 'Bearer error="insufficient_scope", scope="site:north"'],
  ] as const)('refuses %s, once, with its challenge and a trace id', async (_what, name, status, challenge) => {
    const response = await ask(name && tokens[name]);
    const given = response.headers.get('www-authenticate')!;
    expect([response.status, given.slice(0, challenge.length)]).toEqual([status, challenge]);
    expect(given.split('resource_metadata').length).toBe(2);
    expect(response.headers.get('trace-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(await response.text()).not.toContain('"method"');
  });

  it('lets a bound token in by the nonce of its refusal, and never by a proof of another request', async () => {
    const url = `http://127.0.0.1:${port}/orders`;
    const prove = async (claims: object = {}, address = url) =>
      ask(undefined, {
        headers: {
          authorization: `DPoP ${tokens.bound}`,
          dpop: await proofFor(address, 'GET', { accessToken: tokens.bound, claims }),
        },
      });
    const refused = await prove();
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('error="use_dpop_nonce"'),
    ]);
    const nonce = refused.headers.get('dpop-nonce');
    expect((await prove({ nonce })).status).toBe(200);
    expect((await prove({ nonce }, `${url}/others`)).status).toBe(401);
    expect((await ask(tokens.bound)).status).toBe(401);
    expect((await ask(undefined)).headers.has('dpop-nonce')).toBe(false);
  });

  it('passes nothing on that a client says of who it is', async () => {
    const names = ['User', 'Profile', 'Role', 'Scopes', 'Client', 'Scopes-Omitted'].flatMap((name) => [
      `X-Gatehouse-${name}`,
      `X_Gatehouse_${name.replace('-', '_')}`,
    ]);
    const spoofed = Object.fromEntries(names.map((name) => [name, 'evil']));
    const { headers } = (await (await ask(tokens.north, { headers: spoofed })).json()) as {
      headers: IncomingHttpHeaders;
    };
    expect(JSON.stringify(headers)).not.toContain('evil');
    expect(headers['x-gatehouse-user']).toBe(userGuid);
    expect((await ask(undefined, { headers: spoofed })).status).toBe(401);
  });

  it('judges an upgrade to WebSocket before it opens', async () => {
    const upgrade = (token?: string) =>
      new Promise<[number | undefined, unknown]>((resolve, reject) => {
        const headers = {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          ...(token && { authorization: `Bearer ${token}` }),
        };
        request({ port, host: '127.0.0.1', path: '/socket', headers })
          .on('upgrade', (response, socket) => {
            socket.destroy();
            resolve([response.statusCode, response.headers['x-user']]);
          })
          .on('response', (response) => resolve([response.resume().statusCode, undefined]))
          .on('error', reject)
          .end();
      });
    expect(await upgrade(tokens.north)).toEqual([101, userGuid]);
    expect(await upgrade(tokens.south)).toEqual([403, undefined]);
    expect(await upgrade()).toEqual([401, undefined]);
  });
});

it.each([
  'traefik.yml',
  'envoy.yaml',
])('%s asks for what the others ask; Debian has no package of its proxy, so it did not run', (file) => {
  const text = readFileSync(join(configurations, file), 'utf8');
  expect(text).toContain('/verify?scope=site:north');
  // Traefik passes a refusal on whole
  if (file === 'envoy.yaml') expect(text).toContain('{ exact: dpop-nonce }');
});

describe('without Gatehouse', () => {
  // where none is installed, the trials of each say so above
  const installed = proxies.filter(({ program }) => existsSync(program));
  if (installed.length === 0) return;
  it.each(installed)('$name answers 503, and the API is not asked', async (proxy) => {
    const away = app;
    const gone = await freePort();
    app = { ...away, url: `http://127.0.0.1:${gone}` };
    try {
      const port = await startProxy(proxy);
      const response = await fetch(`http://127.0.0.1:${port}/`, {
        headers: { authorization: `Bearer ${tokens.north}` },
      });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    } finally {
      app = away;
    }
  });
});

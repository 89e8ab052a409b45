/** The development identity provider: what it publishes, and the ID tokens it hands out. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createDevelopmentProvider, type DevelopmentProvider } from '../../dev/identityProvider.js';
import { isOwnHost } from '../../dev/ownHost.js';
import { closeAtEnd } from '../support/lifetimes.js';

const users = [
  { sub: '6f1f4c5e-0000-4000-8000-000000000001', email: 'alice@example.com', name: 'Alice <Adams>' },
  { sub: '6f1f4c5e-0000-4000-8000-000000000002', email: 'bob@example.com', name: 'Bob Brown' },
];
const client = { clientId: 'console', redirectUri: 'http://localhost:4000/console/callback' };
let folder: string;
let provider: DevelopmentProvider;
let server: Server;
let address: string;

const make = (keyFile = join(folder, 'deep', 'idp.pem')) =>
  createDevelopmentProvider({
    issuer: 'http://localhost:4000/dev-idp',
    audience: 'gatehouse',
    keyFile,
    users,
    clients: [client, { clientId: 'own' }],
    isOwnHost: (host) => isOwnHost(host, ['box.example.com']),
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-idp-'));
  provider = make();
  server = createServer((request, response) => void provider.handle(request, response));
  closeAtEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => rm(folder, { recursive: true }));

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
const headerOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString());

it('discovery names the issuer and where its keys are', async () => {
  const answer = await fetch(`${address}/.well-known/openid-configuration`);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(await answer.json()).toMatchObject({
    issuer: 'http://localhost:4000/dev-idp',
    jwks_uri: 'http://localhost:4000/dev-idp/jwks',
    authorization_endpoint: expect.any(String),
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  });
});

it('an ID token is signed by the published key and good for 15 minutes', async () => {
  const answer = await fetch(`${address}/id-token?user=${users[0]!.sub}`);
  const token = await answer.text();
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const { keys } = (await (await fetch(`${address}/jwks`)).json()) as { keys: Record<string, string>[] };
  const jwk = keys[0]!;
  expect(keys).toHaveLength(1);
  expect(Object.keys(jwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  expect(headerOf(token)).toEqual({ alg: 'RS256', typ: 'JWT', kid: jwk.kid });
  const [header, claims, signature] = token.split('.');
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature!, 'base64url'))).toBe(true);
  const { iat, exp, ...others } = claimsOf(token);
  expect(others).toEqual({ iss: provider.issuer, aud: 'gatehouse', ...users[0] });
  expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(5);
  expect(exp - iat).toBe(900);
});

it('the key id is the thumbprint of RFC 7638', async () => {
  const { keys } = (await (await fetch(`${address}/jwks`)).json()) as { keys: Record<string, string>[] };
  const { e, kid, kty, n } = keys[0]!;
  expect(kid).toBe(createHash('sha256').update(`{"e":"${e}","kty":"${kty}","n":"${n}"}`).digest('base64url'));
});

it.each(['6F1F4C5E-0000-4000-8000-000000000002', 'bob@example.com', 'Bob', 'bob'])('%s is found', async (user) => {
  const token = await (await fetch(`${address}/id-token?user=${user}`)).text();
  expect(claimsOf(token).sub).toBe(users[1]!.sub);
});

it.each(['/id-token?user=eve', '/id-token?user=', '/id-token'])('%s is told who there is', async (path) => {
  const answer = await fetch(address + path);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toMatch(/alice@example\.com.*bob@example\.com/);
});

it('the page lists the users, their names escaped', async () => {
  const answer = await fetch(`${address}/`);
  const html = await answer.text();
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(html).toContain('Alice &#60;Adams&#62;');
  expect(html).toContain(`href="http://localhost:4000/dev-idp/id-token?user=${users[1]!.sub}"`);
});

describe('the authorization code flow', () => {
  const verifier = 'v'.repeat(43);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const right = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'the state',
    nonce: 'the nonce',
  };
  const authorize = (more: object = {}) =>
    fetch(`${address}/authorize?${new URLSearchParams({ ...right, ...more })}`, { redirect: 'manual' });
  const codeFor = async (more: object = {}) => {
    const answer = await authorize({ user: users[0]!.sub, ...more });
    return new URL(answer.headers.get('location')!).searchParams.get('code')!;
  };
  const redeem = async (more: object = {}, at = address) => {
    const { redirect_uri, client_id } = right;
    const form = { grant_type: 'authorization_code', code_verifier: verifier, redirect_uri, client_id, ...more };
    const answer = await fetch(`${at}/token`, { method: 'POST', body: new URLSearchParams(form) });
    return { status: answer.status, json: (await answer.json()) as Record<string, string> };
  };

  it('shows its users, names escaped, and sends back with a code of the one who is chosen', async () => {
    const page = await authorize();
    expect([page.status, (await page.text()).includes('Alice &#60;Adams&#62;')]).toEqual([200, true]);
    const back = new URL((await authorize({ user: users[0]!.sub })).headers.get('location')!);
    expect(back.href.startsWith(`${client.redirectUri}?`)).toBe(true);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.any(String),
      state: 'the state',
      iss: 'http://localhost:4000/dev-idp',
    });
  });

  it('the code gives an ID token for that client, with nonce and the time of the choice; at any process with the key', async () => {
    const second = make();
    const other = createServer((request, response) => void second.handle(request, response));
    closeAtEnd(async () => other.close());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { status, json } = await redeem({ code: await codeFor() }, at);
    expect(status).toBe(200);
    const { iat, exp, auth_time, ...others } = claimsOf(json.id_token!);
    expect(others).toEqual({ iss: provider.issuer, aud: 'console', nonce: 'the nonce', ...users[0] });
    expect([exp - iat, Math.abs(auth_time - iat) < 5]).toEqual([900, true]);
  });

  it.each([
    ['another place to go back to', { redirect_uri: 'https://evil.example/console/callback' }],
    ['a place below the right one', { redirect_uri: `${client.redirectUri}/../../elsewhere` }],
    ['another client', { client_id: 'gatehouse' }],
    ['another response', { response_type: 'id_token' }],
    ['no PKCE', { code_challenge_method: '' }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['a challenge of another length', { code_challenge: 'x' }],
  ])('%s is answered with words alone, and leads nowhere', async (_case, more) => {
    const answer = await authorize({ user: users[0]!.sub, ...more });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  it.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another place', { redirect_uri: 'https://evil.example/' }],
    ['another client', { client_id: 'gatehouse' }],
    ['another grant', { grant_type: 'refresh_token' }],
    ['no code', { code: '' }],
    ['a code of nobody', { code: 'a.b.c' }],
  ])('with %s the code gives nothing', async (_case, more) => {
    const { status, json } = await redeem({ code: await codeFor(), ...more });
    expect([status, json]).toEqual([400, { error: 'invalid_grant' }]);
  });

  it('an ID token is no code, and a code is none after a minute', async () => {
    expect((await redeem({ code: provider.issueIdToken(users[0]!.sub) })).status).toBe(400);
    const code = await codeFor();
    const { now } = Date;
    Date.now = () => now() + 62_000;
    try {
      expect((await redeem({ code })).status).toBe(400);
    } finally {
      Date.now = now;
    }
  });

  it.each([
    'http://127.0.0.1:8080/callback',
    'http://localhost/back',
    'http://[::1]:9/',
  ])('a client of this machine is sent back to %s, with an ID token of its own', async (redirect_uri) => {
    const own = { client_id: 'own', redirect_uri };
    const code = await codeFor(own);
    expect((await redeem({ code, redirect_uri })).status).toBe(400);
    const { json } = await redeem({ code, ...own });
    expect(claimsOf(json.id_token!)).toMatchObject({ aud: 'own', sub: users[0]!.sub });
  });

  it.each([
    'https://evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://localhost@evil.example/',
    'javascript:0',
    '',
  ])('and not to %s', async (redirect_uri) => {
    const answer = await authorize({ user: users[0]!.sub, client_id: 'own', redirect_uri });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  it('where nobody may send people here, nobody is signed in', async () => {
    const closed = createDevelopmentProvider({
      issuer: 'http://localhost:4000/dev-idp',
      audience: 'gatehouse',
      keyFile: join(folder, 'deep', 'idp.pem'),
      users,
      clients: [],
      isOwnHost: () => true,
    });
    const other = createServer((request, response) => void closed.handle(request, response));
    closeAtEnd(async () => other.close());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const query = new URLSearchParams({ ...right, user: users[0]!.sub });
    expect((await fetch(`${at}/authorize?${query}`, { redirect: 'manual' })).status).toBe(400);
    expect((await redeem({ code: await codeFor() }, at)).status).toBe(400);
  });

  it('a form without end costs little', async () => {
    expect((await redeem({ code: 'x'.repeat(1_000_000) })).status).toBe(400);
  });
});

it('only GET and HEAD are answered', async () => {
  const refused = await fetch(`${address}/jwks`, { method: 'POST' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const head = await fetch(`${address}/jwks`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await fetch(`${address}/other`)).status).toBe(404);
});

it('whoever shares the key file signs with the same key, which only its owner can read', async () => {
  const token = make().issueIdToken(users[0]!.sub);
  expect(headerOf(token).kid).toBe(headerOf(provider.issueIdToken(users[1]!.sub)).kid);
  expect((await stat(join(folder, 'deep', 'idp.pem'))).mode & 0o777).toBe(0o600);
  expect(() => provider.issueIdToken('eve')).toThrow('has no user eve');
});

describe('a page of another site, whose name its owner has led here (DNS rebinding)', () => {
  const ask = (host: string) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const sent = request(`${address}/id-token?user=alice`, { headers: { host } }, async (response) => {
        resolve({ status: response.statusCode!, body: await text(response) });
      });
      sent.on('error', reject).end();
    });

  it.each([
    'localhost',
    'localhost:4000',
    'gate.localhost',
    '127.0.0.1:4000',
    '[::1]:4000',
    '192.168.1.5',
    'box.example.com:4000',
    'BOX.example.com',
  ])('is none: %s is answered', async (host) => {
    expect((await ask(host)).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:4000',
    'localhost.evil.example',
    'box.example.com.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    'xlocalhost',
  ])('gets no token: %j is refused', async (host) => {
    const { status, body } = await ask(host);
    expect([status, body]).toEqual([421, expect.not.stringMatching(/eyJ/)]);
  });
});

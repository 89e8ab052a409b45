/** The development identity provider: what it publishes, and the ID tokens it hands out. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createDevelopmentProvider, type DevelopmentProvider } from '../../src/dev/identityProvider.js';
import { isOwnHost } from '../../src/dev/ownHost.js';
import { closeAtEnd } from '../support/lifetimes.js';

const users = [
  { sub: '6f1f4c5e-0000-4000-8000-000000000001', email: 'alice@example.com', name: 'Alice <Adams>' },
  { sub: '6f1f4c5e-0000-4000-8000-000000000002', email: 'bob@example.com', name: 'Bob Brown' },
];
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

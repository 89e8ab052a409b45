/** /verify: a reverse proxy asks whether a token opens a request, and who sent it. */
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { signAccessToken } from '../../../src/auth/tokenFormat.js';
import { requireAccess } from '../../../src/modules/door/requireAccess.js';
import { findRefusals } from '../../../src/modules/insight/findRefusals.js';
import { claimsOf, type Holding } from '../../../src/services/tokens/claims.js';
import { type Answer, readAnswer, startTestApp, type TestApp } from '../../support/app.js';
import { own, proofFor } from '../../support/dpopProofs.js';
import {
  insert,
  newApplication,
  newClient,
  newHolder,
  newScope,
  newScopeType,
  systemUser,
} from '../../support/records.js';
import { exchangeBody } from '../../support/tokens.js';
import { until } from '../../support/until.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    VERIFY_COOKIE: 'session',
    AUDIENCES: 'GRID,IOT',
    ADMIN_AUDIENCE: 'administration',
    TRUST_PROXY: 'loopback',
    REFUSAL_RETENTION_DAYS: '1',
  });
});
afterAll(() => app.close());

const holding = { userGuid: randomUUID(), profileId: 'p-1', roleId: 'operator', scopes: ['site:north', 'tool:*'] };
/** Signed by the service's own key. */
function tokenOf(more: Partial<Holding> = {}, further: object = {}, at = app): string {
  const { context } = at;
  const claims = claimsOf(context, { ...holding, ...more }, new Date(), undefined);
  return signAccessToken(context.keys.ring(), { ...claims, ...further }, 'auto');
}
const verify = async (query: string, token?: string, init: RequestInit = {}, at = app): Promise<Answer> =>
  readAnswer(
    await fetch(`${at.url}/verify${query}`, {
      ...init,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...init.headers },
    }),
  );
const statusOf = async (query: string, token?: string, init?: RequestInit) => (await verify(query, token, init)).status;
/** 40 questions in one turn of the event loop. */
const together = ({ context }: TestApp, token: string, more: { application?: string } = {}) =>
  Promise.allSettled(
    Array.from({ length: 40 }, () =>
      requireAccess(context, { scheme: 'Bearer', token }, { scopes: [], ...more }, () => undefined),
    ),
  );
const challengeOf = ({ status, headers }: Answer) => [status, headers.get('www-authenticate')];

it('a good token is answered with 204, without a body, and with its user, profile, role, scopes and client', async () => {
  const { status, headers, text } = await verify('', tokenOf({}, { client_id: 'shop' }));
  expect([status, text, headers.get('content-length'), headers.get('cache-control')]).toEqual([
    204,
    '',
    null,
    'no-store',
  ]);
  const names = ['user', 'profile', 'role', 'scopes', 'client'];
  expect(names.map((name) => headers.get(`x-gatehouse-${name}`))).toEqual([
    holding.userGuid,
    'p-1',
    'operator',
    'site:north tool:*',
    'shop',
  ]);
});

it('a token without a client is answered with an empty X-Gatehouse-Client, which overwrites what a client sent', async () => {
  expect((await verify('', tokenOf())).headers.get('x-gatehouse-client')).toBe('');
});

it('every method is answered alike, HEAD without a body; a preflight without a token is refused, whatever CORS_ORIGINS says', async () => {
  const open = await startTestApp({ CORS_ORIGINS: '*' });
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
    expect([method, (await verify('', tokenOf({}, {}, open), { method }, open)).status]).toEqual([method, 204]);
  const refused = await verify('', undefined, { method: 'HEAD' }, open);
  expect([refused.status, refused.text]).toEqual([401, '']);
  const origin = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
  const preflight = await verify('', undefined, { method: 'OPTIONS', headers: origin }, open);
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([401, null]);
});

it('every scope that is asked for must be held, itself or by the wildcard of its type', async () => {
  const token = tokenOf();
  const cases: [string, number][] = [
    ['?scope=site:north', 204],
    ['?scope=tool:crane', 204],
    ['?scope=tool:*', 204],
    ['?scope=site:north&scope=tool:crane', 204],
    ['?scope=site:north&scope=site:south', 403],
    ['?scope=site:nort', 403],
    ['?scope=site:*', 403],
    ['?scope=tools:crane', 403],
  ];
  for (const [query, status] of cases) expect([query, await statusOf(query, token)]).toEqual([query, status]);
  expect(challengeOf(await verify('?scope=site:south&scope=tool:crane', token))).toEqual([
    403,
    `Bearer error="insufficient_scope", scope="site:south tool:crane", resource_metadata="${app.url}/.well-known/oauth-protected-resource/verify"`,
  ]);
});

it('admin:* covers no scope of the administration', async () => {
  expect(await statusOf('?scope=admin:security', tokenOf({ scopes: ['admin:*'] }))).toBe(403);
});

it('the role and the audience that are asked for must be those of the token', async () => {
  expect(await statusOf('?role=operator', tokenOf())).toBe(204);
  expect(await statusOf('?role=member', tokenOf())).toBe(403);
  const ofGrid = tokenOf({ audiences: ['GRID'] });
  expect(await statusOf('?audience=GRID', ofGrid)).toBe(204);
  expect(await statusOf('?audience=IOT', ofGrid)).toBe(401);
});

it('a token for the administration alone opens no API, unless its audience is asked for', async () => {
  const token = tokenOf({ audiences: ['administration'] });
  expect([await statusOf('', token), await statusOf('?audience=administration', token)]).toEqual([401, 204]);
});

it('no token, a bad one, an expired one and several of them are told as RFC 6750 says, with the address of the metadata', async () => {
  const metadata = `resource_metadata="${app.url}/.well-known/oauth-protected-resource/verify"`;
  expect(challengeOf(await verify(''))).toEqual([401, `Bearer ${metadata}`]);
  const invalid = [401, `Bearer error="invalid_token", ${metadata}`];
  const expired = tokenOf({}, { exp: 1, iat: 0 });
  for (const token of ['x', 'a.b.c', expired, `${tokenOf()}x`])
    expect(challengeOf(await verify('', token))).toEqual(invalid);
  expect(challengeOf(await verify('', undefined, { headers: { authorization: 'Basic eDp5' } }))).toEqual(invalid);
  const document = await fetch(`${app.url}/.well-known/oauth-protected-resource/verify`);
  expect(await document.json()).toMatchObject({ resource: `${app.url}/verify`, authorization_servers: [app.url] });
});

it('two Authorization headers are refused, since a proxy and its API could read different ones', async () => {
  const status = await new Promise((resolve) => {
    const headers = ['Host', 'x', 'Authorization', `Bearer ${tokenOf()}`, 'Authorization', `Bearer ${tokenOf()}`];
    httpRequest(`${app.url}/verify`, { headers }, (response) => resolve(response.resume().statusCode)).end();
  });
  expect(status).toBe(401);
});

it('the cookie of VERIFY_COOKIE brings the token where no Authorization header came, and only once', async () => {
  const token = tokenOf();
  const withCookie = (cookie: string, authorization?: string) => statusOf('', authorization, { headers: { cookie } });
  expect(await withCookie(`theme=dark; session=${token}`)).toBe(204);
  expect(await withCookie(`other=${token}`)).toBe(401);
  expect(await withCookie(`session=${token}; session=${token}`)).toBe(401);
  expect(await withCookie(`session=${token}`, 'x')).toBe(401);
  const without = await startTestApp();
  const cookie = { cookie: `session=${tokenOf({}, {}, without)}` };
  expect((await verify('', undefined, { headers: cookie }, without)).status).toBe(401);
});

it.each([
  ['?scopes=site:north', 'scopes'],
  ['?scope=north', 'scope'],
  ['?scope=', 'scope'],
  ['?application=x', 'application'],
  [`?application=${randomUUID()}&application=${randomUUID()}`, 'application'],
  ['?audience=OTHER', 'audience'],
  ['?role=', 'role'],
  [`?scope=site:${'x'.repeat(3_000)}`, 'query'],
])('%s is a 400 that names the parameter, with a good token too', async (query, name) => {
  for (const token of [undefined, tokenOf()]) {
    const { status, json, headers } = await verify(query, token);
    expect([status, Object.keys(json.errors), headers.get('cache-control')]).toEqual([400, [name], 'no-store']);
  }
});

describe('application', () => {
  async function newGoal(more: object = {}) {
    const { application_guid, application_id } = await newApplication(app.context, more);
    return { guid: application_guid, id: application_id };
  }
  const map = (application: number, by: object, state = 'active') =>
    insert(
      app.context.sql,
      'access_scope_id' in by ? 'access_scope_applications_mappers' : 'access_scope_type_applications_mappers',
      { application_id: application, state, created_by: systemUser, ...by },
    );

  it('is open where the profile has an access scope, or one of a type, with an active mapping to an active application', async () => {
    const { profileId } = await newHolder(app.context);
    const typeId = await newScopeType(app.context, `area-${randomUUID().slice(0, 8)}`);
    const scope = await newScope(app.context, typeId, profileId, { access_scope_key: 'a' });
    const token = tokenOf({ profileId });
    const [byScope, byType, inactive, paused, none] = await Promise.all([
      newGoal(),
      newGoal(),
      newGoal({ is_active: false }),
      newGoal(),
      newGoal(),
    ]);
    await map(byScope.id, { access_scope_id: scope.access_scope_id });
    await map(byType.id, { access_scope_type_id: typeId });
    await map(inactive.id, { access_scope_id: scope.access_scope_id });
    await map(paused.id, { access_scope_id: scope.access_scope_id }, 'paused');
    const statuses = [byScope, byType, inactive, paused, none].map(({ guid }) =>
      statusOf(`?application=${guid}`, token),
    );
    expect(await Promise.all(statuses)).toEqual([204, 204, 403, 403, 403]);
    expect(await statusOf(`?application=${byScope.guid.toUpperCase()}`, token)).toBe(204);
    expect(await statusOf(`?application=${byScope.guid}`, tokenOf({ profileId: 'other' }))).toBe(403);
    const narrow = tokenOf({ profileId, scopes: ['site:north'], scope: 'site:north' });
    expect(await statusOf(`?application=${byScope.guid}`, narrow)).toBe(403);
    await app.context.sql.rows('update access_scopes set is_active = false where access_scope_id = $1', [
      scope.access_scope_id,
    ]);
    expect(await statusOf(`?application=${byScope.guid}`, token)).toBe(403);
  });

  it('is asked of the database once for all who ask at the same moment', async () => {
    const token = tokenOf();
    await verify('', token);
    app.takeStatements();
    await together(app, token, { application: randomUUID() });
    expect(app.takeStatements().filter((text) => text.includes('is_open')).length).toBeLessThan(40);
  });
});

describe('header values', () => {
  it('are percent-encoded where they are not visible ASCII: none can end a line, or a list of scopes', async () => {
    const profileId = 'Süd 1%\r\nX-Admin: yes';
    const { headers } = await verify('', tokenOf({ profileId, scopes: ['site:a b', 'site:日本'] }));
    expect(headers.get('x-admin')).toBeNull();
    expect(headers.get('x-gatehouse-profile')).toMatch(/^[!-~]+$/);
    expect(decodeURIComponent(headers.get('x-gatehouse-profile')!)).toBe(profileId);
    expect(headers.get('x-gatehouse-scopes')!.split(' ').map(decodeURIComponent)).toEqual(['site:a b', 'site:日本']);
  });

  it('of many scopes list those that were asked for, within what a proxy can hold, and say so', async () => {
    const scopes = Array.from({ length: 400 }, (_, index) => `site:s-${index}`);
    const { status, headers } = await verify('?scope=site:s-7&scope=site:s-8', tokenOf({ scopes }));
    expect([status, headers.get('x-gatehouse-scopes'), headers.get('x-gatehouse-scopes-omitted')]).toEqual([
      204,
      'site:s-7 site:s-8',
      'yes',
    ]);
    expect((await verify('', tokenOf({ scopes }))).headers.get('x-gatehouse-scopes')).toBe('');
    expect((await verify('', tokenOf())).headers.get('x-gatehouse-scopes-omitted')).toBe('no');
  });
});

describe('a token that is bound to a key', () => {
  const address = 'https://api.example/orders';
  const forwarded = {
    'x-forwarded-method': 'POST',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'api.example',
    'x-forwarded-uri': '/orders?page=2',
  };
  let bound: string;
  beforeAll(async () => {
    const jkt = await calculateJwkThumbprint(own.publicKey.export({ format: 'jwk' }) as JWK);
    bound = tokenOf({ jkt });
  });
  const ask = async (
    headers: Record<string, string>,
    { url = address, method = 'POST', query = '' } = {},
    init = {},
  ) => {
    const dpop = await proofFor(url, method, { accessToken: bound });
    return verify(query, undefined, { ...init, headers: { authorization: `DPoP ${bound}`, dpop, ...headers } });
  };

  it('opens with a proof of the request that the proxy names, as Traefik and Caddy, nginx or Envoy name it', async () => {
    expect((await ask(forwarded)).status).toBe(204);
    const { 'x-forwarded-proto': _, ...original } = forwarded;
    const ingress = { 'x-original-method': 'POST', 'x-original-url': `${address}?page=2` };
    expect((await ask(ingress)).status).toBe(204);
    const nginx = {
      'x-original-method': 'POST',
      'x-original-uri': '/orders',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.example',
    };
    expect((await ask(nginx)).status).toBe(204);
    const envoy = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example' };
    const query = '?scope=site:north&uri=/orders?page=2&scope=ignored';
    expect((await ask(envoy, { query }, { method: 'POST' })).status).toBe(204);
    expect((await ask(original)).status).toBe(401);
    // the handshake of a WebSocket
    for (const proto of ['wss', 'WSS'])
      expect((await ask({ ...forwarded, 'x-forwarded-proto': proto })).status).toBe(204);
    const plain = { url: 'http://api.example/orders' };
    expect((await ask({ ...forwarded, 'x-forwarded-proto': 'ws' }, plain)).status).toBe(204);
    expect((await ask({ ...forwarded, 'x-forwarded-proto': 'ws' })).status).toBe(401);
    expect((await ask({ ...forwarded, 'x-forwarded-proto': 'wssx' })).status).toBe(401);
  });

  it('does not open with a proof of another request, a used one, none, or as a Bearer token', async () => {
    const [status, challenge] = challengeOf(await ask(forwarded, { url: 'https://api.example/other' }));
    expect([status, challenge]).toEqual([401, expect.stringMatching(/^DPoP error="invalid_dpop_proof", algs="/)]);
    expect((await ask(forwarded, { method: 'GET' })).status).toBe(401);
    const dpop = await proofFor(address, 'POST', { accessToken: bound });
    const once = () => verify('', undefined, { headers: { authorization: `DPoP ${bound}`, dpop, ...forwarded } });
    expect([(await once()).status, (await once()).status]).toEqual([204, 401]);
    expect(await statusOf('', bound, { headers: forwarded })).toBe(401);
    expect(await statusOf('', undefined, { headers: { cookie: `session=${bound}`, ...forwarded } })).toBe(401);
  });

  it('opens no address whose host the path of the request would complete: a proof for another host stays one for that', async () => {
    for (const [path, url] of [
      ['@evil.example/orders', 'https://evil.example/orders'],
      ['.evil.example/orders', 'https://api.example.evil.example/orders'],
      [':444/orders', 'https://api.example:444/orders'],
    ] as const) {
      expect((await ask({ ...forwarded, 'x-forwarded-uri': path }, { url })).status).toBe(401);
      const envoy = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example' };
      expect((await ask(envoy, { url, query: `?uri=${path}` }, { method: 'POST' })).status).toBe(401);
    }
  });

  it('does not open where two requests are named: the client may have sent the second one', async () => {
    expect((await ask({ ...forwarded, 'x-original-url': 'https://api.example/other' })).status).toBe(401);
    expect((await ask({ ...forwarded, 'x-original-method': 'GET' })).status).toBe(401);
  });
});

describe('a session that was ended', () => {
  it.each(['documented', 'hardened'])('opens as /introspect says under the %s policy', async (policy) => {
    const strict = await startTestApp({ TOKEN_POLICY: policy });
    const client = await newClient(strict.context);
    const holder = await newHolder(strict.context);
    const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
    const { json } = await strict.post('/token', {
      ...exchangeBody(strict.idToken({ sub: holder.userGuid })),
      profileId: holder.profileId,
      ...credentials,
    });
    expect((await verify('', json.access_token, {}, strict)).status).toBe(204);
    await strict.post('/revoke', { token: json.refresh_token, ...credentials });
    const form = new URLSearchParams({ token: json.access_token, ...credentials });
    const introspected = await readAnswer(await fetch(`${strict.url}/introspect`, { method: 'POST', body: form }));
    const { status } = await verify('', json.access_token, {}, strict);
    expect([introspected.json.active, status]).toEqual(policy === 'hardened' ? [false, 401] : [true, 204]);
  });

  it('costs one statement for many requests of the same moment, and none for a token without a session', async () => {
    const strict = await startTestApp({ TOKEN_POLICY: 'hardened' });
    const token = tokenOf({}, { sid: randomUUID() }, strict);
    await verify('', token, {}, strict);
    strict.takeStatements();
    await together(strict, token);
    expect(strict.takeStatements().length).toBeLessThan(40);
    await verify('', tokenOf({}, {}, strict), {}, strict);
    strict.takeStatements();
    await verify('?scope=site:north', tokenOf({}, {}, strict), {}, strict);
    expect(strict.takeStatements()).toEqual([]);
  });
});

it('the trace id of a refusal explains it', async () => {
  const explained = async (query: string, token?: string) => {
    const { headers } = await verify(query, token);
    const traceId = headers.get('trace-id')!;
    const refusal = await until(async () => (await findRefusals(app.context, traceId))[0]);
    return [refusal.check, refusal.endpoint, refusal.text];
  };
  expect(await explained('')).toEqual(['ACCESS_TOKEN', '/verify', 'The request had no access token.']);
  expect(await explained('?scope=site:south', tokenOf())).toEqual([
    'SCOPE',
    '/verify',
    expect.stringContaining('lacks a scope'),
  ]);
  expect(await explained('?role=x', tokenOf())).toEqual(['SCOPE', '/verify', expect.stringContaining('another role')]);
  expect((await explained('?scop=x'))[0]).toBe('REQUEST');
});

it('a database that is away is a 503 that says when to ask again, and a token that needs no look-up still opens', async () => {
  const away = await startTestApp();
  const token = tokenOf({}, {}, away);
  expect((await verify('', token, {}, away)).status).toBe(204);
  await away.context.sql.rows('alter table applications rename column application_guid to gone');
  const failed = await verify(`?application=${randomUUID()}`, token, {}, away);
  expect(failed.status).toBe(500);
  await away.context.sql.rows('alter table applications rename column gone to application_guid');
  await away.database.drop();
  const { status, headers } = await verify(`?application=${randomUUID()}`, token, {}, away);
  expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([503, '5', 'no-store']);
  expect((await verify('', token, {}, away)).status).toBe(204);
});

it('refused requests of an address are counted with TOKEN_RATE_LIMIT, and those that pass are not', async () => {
  const limited = await startTestApp({ TOKEN_RATE_LIMIT: '3', TRUST_PROXY: 'loopback' });
  const token = tokenOf({}, {}, limited);
  for (let count = 0; count < 6; count++) expect((await verify('', token, {}, limited)).status).toBe(204);
  const statuses = [];
  for (let count = 0; count < 5; count++) statuses.push((await verify('', 'x', {}, limited)).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  expect(limited.logged().split('"token refused"').length - 1).toBe(3);
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  expect((await verify('', 'x', from('192.0.2.1'), limited)).status).toBe(401);
});

it('a body that is announced is not read, and never taken for the next request of the connection', async () => {
  const { port } = new URL(app.url);
  const socket = connect(Number(port), '127.0.0.1');
  const smuggled = `GET /verify HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tokenOf()}\r\n\r\n`;
  socket.write(`POST /verify HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n`);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
    if (text.includes('\r\n\r\n')) socket.write(smuggled);
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  expect(text.toLowerCase()).toContain('connection: close');
});

it('VERIFY=no serves no such path', async () => {
  const closed = await startTestApp({ VERIFY: 'no' });
  expect((await verify('', tokenOf({}, {}, closed), {}, closed)).status).toBe(404);
  expect((await fetch(`${closed.url}/.well-known/oauth-protected-resource/verify`)).status).toBe(404);
});

it('BASE_PATH stands before the path, and a request for an upgrade is answered like any other', async () => {
  const below = await startTestApp({ BASE_PATH: '/auth' });
  const token = tokenOf({}, {}, below);
  const response = await fetch(`${below.url}/auth/verify`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(204);
  const status = await new Promise((resolve, reject) => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', authorization: `Bearer ${token}` };
    httpRequest(`${below.url}/auth/verify`, { headers }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(204);
});

/** What a token consumer sees of a database or an identity provider that is away, and of keys that change. */
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { openSigningKeys, rotateSigningKey } from '../../src/services/keys/keyStore.js';
import { makeKey, makeToken } from '../auth/localProvider.js';
import { audience, nowSeconds, startTestApp, type TestApp } from '../support/app.js';
import { administer } from '../support/cluster.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';
import { startGuardedApi } from './guardedApi.js';

let app: TestApp;
let body: (idToken: string) => Record<string, unknown>;
let userGuid: string;
beforeEach(async () => {
  app = await startTestApp();
  const client = await newClient(app.context);
  const holder = await newHolder(app.context);
  userGuid = holder.userGuid;
  body = (idToken) => ({
    ...exchangeBody(idToken),
    profileId: holder.profileId,
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
});
afterEach(() => app.close());
const exchange = () => app.post('/token', body(app.idToken({ sub: userGuid })));

it('an identity provider that is away and no key cached: 503 with Retry-After; a cached key serves on', async () => {
  app.provider.answer = (_path, response) => response.writeHead(500).end();
  const away = await exchange();
  expect([away.status, Number(away.headers.get('retry-after')) > 0]).toEqual([503, true]);
  expect(away.headers.get('content-type')).toMatch(/problem\+json/);
  const other = await app.post('/token', body(app.idToken({ sub: userGuid, iss: app.otherProvider.issuer })));
  expect(other.text).toBe('Invalid profile');
  app.otherProvider.answer = (_path, response) => response.writeHead(500).end();
  expect((await app.post('/token', body(app.idToken({ sub: userGuid, iss: app.otherProvider.issuer })))).text).toBe(
    'Invalid profile',
  );
});

it("a provider's key rotation is picked up without a restart", async () => {
  expect((await exchange()).status).toBe(200);
  const next = makeKey('next-key');
  app.provider.keys = [next.jwk];
  const claims = { iss: app.provider.issuer, aud: audience, sub: userGuid, iat: nowSeconds(), exp: nowSeconds() + 900 };
  expect((await app.post('/token', body(makeToken(next, claims)))).status).toBe(200);
});

it('connections that the database ends cost no answer but a 503, and the next request is right again', async () => {
  expect((await exchange()).status).toBe(200);
  await app.context.sql.rows(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const statuses = [(await exchange()).status, (await exchange()).status, (await exchange()).status];
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
  expect((await exchange()).status).toBe(200);
});

it('a database that refuses connections: 503 problem on /token and /revoke, never a judgement', async () => {
  const { json } = await exchange();
  const name = new URL(app.database.url).pathname.slice(1);
  await administer(`alter database ${name} with allow_connections false`);
  await administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  for (const answer of [await exchange(), await app.post('/revoke', { token: json.refresh_token })]) {
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'application/problem+json']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  // what only reads has changed nothing
  const read = await app.post('/profiles', body(app.idToken({ sub: userGuid })));
  expect([read.status, read.text]).toEqual([503, expect.stringContaining('nothing was changed')]);
  expect((await app.post('/validate-token', { token: json.access_token })).status).toBe(200);
  expect((await fetch(`${app.url}/.well-known/jwks.json`)).status).toBe(200);
  await administer(`alter database ${name} with allow_connections true`);
  expect((await exchange()).status).toBe(200);
});

it('a rotated key signs at once in a running service, and tokens of the one before still verify', async () => {
  const before = (await exchange()).json.access_token;
  const { sql, config, encryptionKeys } = app.context;
  const published = (await (await fetch(`${app.url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
  const kid = await rotateSigningKey({ sql, encryptionKeys, signingAlg: config.signingAlg });
  expect(published.keys.map((key) => key.kid)).toContain(kid);
  const after = (await exchange()).json.access_token;
  expect(decodeProtectedHeader(after).kid).toBe(kid);
  const jwks = createRemoteJWKSet(new URL(`${app.url}/.well-known/jwks.json`));
  for (const token of [before, after]) {
    await jwtVerify(token, jwks, { issuer: app.running.dependencies.issuerUrl, audience: 'GRID' });
    expect((await app.post('/validate-token', { token })).status).toBe(200);
  }
});

it('the metadata names the service as issuer, and only what works', async () => {
  for (const path of ['oauth-authorization-server', 'openid-configuration']) {
    const response = await fetch(`${app.url}/.well-known/${path}`);
    const document = (await response.json()) as Record<string, string>;
    expect(document).toMatchObject({
      issuer: app.url,
      token_endpoint: `${app.url}/token`,
      jwks_uri: `${app.url}/.well-known/jwks.json`,
    });
    expect((await fetch(document.jwks_uri!)).status).toBe(200);
  }
  const put = await fetch(`${app.url}/.well-known/jwks.json`, { method: 'PUT' });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('at the path of OpenID the metadata also has what parsers of OpenID require, and at the path of RFC 8414 only that of OAuth', async () => {
  const [oauth, openid] = await Promise.all(
    ['oauth-authorization-server', 'openid-configuration'].map(
      async (name) => (await (await fetch(`${app.url}/.well-known/${name}`)).json()) as Record<string, unknown>,
    ),
  );
  const published = (await (await fetch(`${app.url}/.well-known/jwks.json`)).json()) as { keys: { alg: string }[] };
  expect(openid).toEqual({
    ...oauth,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [published.keys[0]!.alg],
  });
  // OpenID Connect Discovery 1.0 §3, REQUIRED, but for the authorization endpoint, which there is not
  for (const name of ['issuer', 'jwks_uri', 'response_types_supported']) expect(openid).toHaveProperty(name);
  expect(oauth).not.toHaveProperty('subject_types_supported');
});

it('after a change of SIGNING_ALG the metadata names the algorithms of all tokens that are valid, so that an API that reads it accepts them', async () => {
  const before = (await exchange()).json.access_token;
  const { sql, encryptionKeys } = app.context;
  await openSigningKeys({ sql, encryptionKeys, signingAlg: 'PS256' });
  const after = (await exchange()).json.access_token;
  expect([before, after].map((token) => decodeProtectedHeader(token).alg)).toEqual(['ES256', 'PS256']);
  const call = await startGuardedApi({ issuerBaseURL: app.running.dependencies.issuerUrl, audience: 'GRID' });
  for (const token of [before, after]) expect((await call(token)).status).toBe(200);
});

it('the published keys have no private member', async () => {
  const { keys } = (await (await fetch(`${app.url}/.well-known/jwks.json`)).json()) as { keys: object[] };
  expect(keys.length).toBe(2);
  for (const key of keys)
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(member);
});

/** Access tokens that an attacker would make, at every place that reads one: never valid, never an error of the service. */
import { createHmac, createPublicKey, sign as cryptoSign, generateKeyPairSync } from 'node:crypto';
import { request } from 'node:http';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { rotateSigningKey } from '../../src/services/keys/keyStore.js';
import { issueAdminToken } from '../../src/services/tokens/operatorTokens.js';
import { readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

let app: TestApp;
let client: { clientId: string; clientSecret: string };
let good: string;
let renewal: string;
beforeAll(async () => {
  app = await startTestApp();
  client = await newClient(app.context);
  const { userGuid, profileId } = await newHolder(app.context);
  const { json } = await app.post('/token', {
    ...exchangeBody(app.idToken({ sub: userGuid })),
    profileId,
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  good = json.access_token;
  renewal = json.refresh_token;
});
afterAll(() => app.close());

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** The good token's claims under another header. */
const input = (header: object, more: object = {}): string =>
  `${encode({ typ: 'at+jwt', ...header })}.${encode({ ...decodeJwt(good), ...more })}`;
const hmac = (text: string, secret: string | Buffer): string =>
  `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
const publishedKeys = async (): Promise<({ kid: string } & Record<string, string>)[]> => {
  const response = await fetch(`${app.url}/.well-known/jwks.json`);
  return ((await response.json()) as { keys: ({ kid: string } & Record<string, string>)[] }).keys;
};

/** At /validate-token, at /introspect and as an administrator's bearer token. */
async function refused(token: string): Promise<void> {
  const validated = await app.post('/validate-token', { token });
  expect([validated.status, validated.json]).toEqual([400, { is_valid: false, error: 'Token is invalid or expired' }]);
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
  const introspected = await readAnswer(
    await fetch(`${app.url}/introspect`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${basic}` },
      body: new URLSearchParams({ token }).toString(),
    }),
  );
  expect([introspected.status, introspected.json]).toEqual([200, { active: false }]);
  const bearer = /^[\x21-\x7e]+$/.test(token) ? token : encodeURIComponent(token);
  const administered = await fetch(`${app.url}/api/applications`, {
    headers: { 'api-version': '1.0', authorization: `Bearer ${bearer}` },
  }).catch(() => undefined);
  // a header over the server's limit is refused before anybody reads it
  expect([401, 431, undefined]).toContain(administered?.status);
}

it('the good one is valid, and is no administrator', async () => {
  expect((await app.post('/validate-token', { token: good })).status).toBe(200);
});

it('HS256 under each published key as secret, in every spelling', async () => {
  for (const jwk of await publishedKeys()) {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const text = input({ alg: 'HS256', kid: jwk.kid });
    const pem = String(key.export({ type: 'spki', format: 'pem' }));
    const spellings = [
      pem,
      pem.trim(),
      key.export({ type: 'spki', format: 'der' }),
      JSON.stringify(jwk),
      jwk.x!,
      jwk.kid,
    ];
    for (const secret of [...spellings, Buffer.from(jwk.x!, 'base64url'), '', '\0']) await refused(hmac(text, secret));
  }
});

it('the renewal key’s id in an access token, and an access key’s id in a renewal token', async () => {
  const { kid } = decodeProtectedHeader(renewal);
  const access = decodeProtectedHeader(good);
  await refused(hmac(input({ alg: 'HS256', kid }), 'x'));
  await refused(`${input({ alg: 'ES256', kid })}.${good.split('.')[2]}`);
  expect((await app.post('/validate-token', { token: renewal })).status).toBe(400);
  const text = `${encode({ alg: 'HS256', typ: 'rt+jwt', kid: access.kid })}.${renewal.split('.')[1]}`;
  const forged = hmac(text, JSON.stringify((await publishedKeys())[0]));
  const answer = await app.post('/token', {
    ...renewalBody(forged),
    profileId: 'any',
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  expect([answer.status, answer.text]).toEqual([401, '']);
});

it.each([
  '../../../../dev/null',
  '/dev/null',
  "' or '1'='1",
  "x'; drop table signing_keys; --",
  '__proto__',
  'constructor',
  'toString',
  '%00',
  '\0',
  '\ud800',
  'k'.repeat(10_000),
  '',
  null,
  7,
  {},
  ['x'],
  true,
])('kid %j', async (kid) => {
  await refused(hmac(input({ alg: 'HS256', kid }), ''));
  await refused(`${input({ alg: 'ES256', kid })}.${good.split('.')[2]}`);
  expect(await publishedKeys()).toHaveLength(2);
});

it.each(['none', 'None', '', 'ES256 ', 'es256', 'ES384', 'RS256', 'PS256', 'EdDSA', null, 5])('alg %j', async (alg) => {
  const { kid } = decodeProtectedHeader(good);
  await refused(`${input({ alg, kid })}.`);
  await refused(`${input({ alg, kid })}.${good.split('.')[2]}`);
});

it('an attacker’s own key, whatever the header says of it', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kid } = decodeProtectedHeader(good);
  const jwk = publicKey.export({ format: 'jwk' });
  const jku = `${app.provider.issuer}/jwks`;
  const asked = app.provider.asked.length;
  for (const header of [
    { kid },
    { kid, jwk },
    { jwk },
    { kid, jku },
    { kid: jku, jku },
    { x5u: jku, kid },
    { crit: ['x'] },
  ]) {
    const text = input({ alg: 'ES256', ...header }, { scopes: ['admin:security'] });
    const signature = cryptoSign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    await refused(`${text}.${signature.toString('base64url')}`);
  }
  expect(app.provider.asked).toHaveLength(asked);
});

it('signatures of nothing: zeros, the curve’s order, none, too long (CVE-2022-21449)', async () => {
  const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';
  const [header, payload] = good.split('.');
  for (const hex of ['00'.repeat(64), order + order, '', '00', 'ff'.repeat(64), 'ff'.repeat(5_000)])
    await refused(`${header}.${payload}.${Buffer.from(hex, 'hex').toString('base64url')}`);
});

it('the next key’s id on a token of the present key, and the other way round after a rotation', async () => {
  const keys = await publishedKeys();
  const { kid } = decodeProtectedHeader(good);
  const next = keys.find((key) => key.kid !== kid)!;
  const swapped = `${input({ alg: 'ES256', kid: next.kid })}.${good.split('.')[2]}`;
  await refused(swapped);
  const { sql, config, encryptionKeys } = app.context;
  await rotateSigningKey({ sql, encryptionKeys, signingAlg: config.signingAlg });
  await refused(swapped);
  expect((await app.post('/validate-token', { token: good })).status).toBe(200);
});

it('500 unknown kids cost the database a handful of statements', async () => {
  app.takeStatements();
  const tokens = Array.from({ length: 500 }, (_, number) =>
    hmac(input({ alg: 'ES256', kid: `unknown-${number}` }), 'x'),
  );
  const started = Date.now();
  for (let first = 0; first < tokens.length; first += 50)
    await Promise.all(
      tokens.slice(first, first + 50).map(async (token) => {
        expect((await app.post('/validate-token', { token })).status).toBe(400);
      }),
    );
  const seconds = Math.ceil((Date.now() - started) / 1_000);
  expect(app.takeStatements().length).toBeLessThanOrEqual(seconds + 1);
});

it('two Authorization headers are no caller, whichever comes first: a proxy may have judged the other', async () => {
  const admin = await issueAdminToken(app.context, {
    scopes: ['admin:read', 'admin:write', 'admin:security'],
    minutes: 5,
    userGuid: app.context.config.systemUserGuid,
  });
  const statusOf = (path: string, authorization: string[]): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers: Record<string, string | string[]> = {
        authorization,
        'api-version': '1.0',
        'content-type': 'application/json',
      };
      const method = path === '/graphql' ? 'POST' : 'GET';
      const sent = request(app.url + path, { method, agent: false, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode!));
      });
      sent.once('error', reject).end(path === '/graphql' ? '{"query":"{ applications { totalCount } }"}' : undefined);
    });
  const [good, bad] = [`Bearer ${admin}`, 'Bearer x'];
  for (const path of ['/graphql', '/api/applications']) {
    expect([path, await statusOf(path, [good])]).toEqual([path, 200]);
    for (const given of [
      [good, bad],
      [bad, good],
      [good, good],
    ])
      expect([path, await statusOf(path, given)]).toEqual([path, 401]);
  }
});

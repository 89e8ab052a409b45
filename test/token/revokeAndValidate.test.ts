/** POST /revoke and POST /validate-token, sentence by sentence. */
import { decodeJwt } from 'jose';
import { renewalTokenHash, signAccessToken } from '../../src/auth/tokenFormat.js';
import { type Answer, nowSeconds, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';

let app: TestApp;
let tokens: () => Promise<{ access_token: string; refresh_token: string }>;
beforeAll(async () => {
  app = await startTestApp();
  const client = await newClient(app.context);
  const holder = await newHolder(app.context);
  tokens = async () => {
    const { json } = await app.post('/token', {
      ...exchangeBody(app.idToken({ sub: holder.userGuid })),
      profileId: holder.profileId,
      client_id: client.clientId,
      client_secret: client.clientSecret,
    });
    return json;
  };
});
afterAll(() => app.close());

describe('/revoke', () => {
  const revoke = (token: unknown, more: object = {}): Promise<Answer> => app.post('/revoke', { token, ...more });
  const notFound = { status: 'token_not_found_or_already_revoked' };

  it('marks an active record revoked, with the moment and the address of the caller, and answers success', async () => {
    const { refresh_token } = await tokens();
    const answer = await revoke(refresh_token, { ignored: true });
    expect([answer.status, answer.json]).toEqual([200, { status: 'success' }]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [record] = await app.context.sql.rows<Record<string, string>>('select * from tokens where token = $1', [
      renewalTokenHash(refresh_token),
    ]);
    expect(record).toMatchObject({ is_revoked: true, revoked_by_ip: '127.0.0.1' });
    expect(Math.abs(Date.parse(record!.revoked_at!) - Date.now())).toBeLessThan(10_000);
  });

  it('answers 404 to a token that is revoked, expired or unknown', async () => {
    const { refresh_token } = await tokens();
    await revoke(refresh_token);
    const expired = (await tokens()).refresh_token;
    await app.context.sql.rows('update tokens set expires_at = now() where token = $1', [renewalTokenHash(expired)]);
    for (const token of [refresh_token, expired, 'unknown', 'x\0', '\ud800', (await tokens()).access_token]) {
      const answer = await revoke(token);
      expect([answer.status, answer.json]).toEqual([404, notFound]);
    }
  });

  it.each([undefined, null, '', 7, [], {}, true])('answers a 400 problem to the token %j', async (token) => {
    const answer = await revoke(token);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.json).toMatchObject({
      title: 'One or more validation errors occurred.',
      status: 400,
      errors: { token: [expect.any(String)] },
    });
  });
});

describe('/validate-token', () => {
  const validate = (token: unknown): Promise<Answer> => app.post('/validate-token', { token });
  const invalid = { is_valid: false, error: 'Token is invalid or expired' };
  it('knows a token of ours however many scopes its profile has', async () => {
    const { claims } = (await validate((await tokens()).access_token)).json;
    const scopes = Array.from({ length: 900 }, (_, index) => `area:${'k'.repeat(40)}${String(index).padStart(4, '0')}`);
    const long = resigned({ ...claims, scopes });
    expect(long.length).toBeGreaterThan(40_000);
    expect((await validate(long)).json).toMatchObject({ is_valid: true, claims: { scopes } });
  });

  const resigned = (change: object): string => {
    const { keys, issuerUrl } = app.running.dependencies;
    const claims = {
      iss: issuerUrl,
      sub: 's',
      aud: ['GRID'],
      profileId: 'p',
      roleId: 'r',
      scopes: [],
      iat: nowSeconds(),
      exp: nowSeconds() + 60,
    };
    return signAccessToken(keys.ring(), { ...claims, ...change }, 'at+jwt');
  };

  it('answers is_valid and every claim of a token with its value', async () => {
    const { access_token } = await tokens();
    const answer = await validate(access_token);
    expect([answer.status, answer.json]).toEqual([200, { is_valid: true, claims: decodeJwt(access_token) }]);
  });

  it('accepts either audience, in an array or alone', async () => {
    for (const aud of ['GRID', 'IOT', ['other', 'IOT']]) expect((await validate(resigned({ aud }))).status).toBe(200);
  });

  it('refuses another audience, another issuer, an expired token', async () => {
    for (const change of [
      { aud: ['other'] },
      { aud: [] },
      { iss: 'https://other.test' },
      { exp: nowSeconds() },
      { exp: nowSeconds() - 1 },
    ]) {
      const answer = await validate(resigned(change));
      expect([answer.status, answer.json]).toEqual([400, invalid]);
    }
  });

  it('refuses every single-character change of a valid token', async () => {
    const { access_token } = await tokens();
    const alphabet = 'Ab9_';
    const positions = Array.from({ length: access_token.length }, (_, index) => index).filter(
      (index) => index % 7 === 0 || index > access_token.length - 4,
    );
    for (const position of positions) {
      const replacement = [...alphabet].find((character) => character !== access_token[position])!;
      const changed = access_token.slice(0, position) + replacement + access_token.slice(position + 1);
      expect([position, (await validate(changed)).status]).toEqual([position, 400]);
    }
  });

  it('refuses an ID token and a renewal token', async () => {
    const { refresh_token } = await tokens();
    for (const token of [app.idToken({}), refresh_token]) expect((await validate(token)).json).toEqual(invalid);
  });

  it.each([
    undefined,
    null,
    '',
    7,
    [],
    {},
    'a.b.c',
    'x'.repeat(60_000),
  ])('answers the same 400 to the token %j', async (token) => {
    const answer = await validate(token);
    expect([answer.status, answer.json]).toEqual([400, invalid]);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"token"',
    Buffer.from([0x7b, 0xff, 0x7d]),
  ])('answers the same 400 to the body %j', async (body) => {
    const answer = await app.post('/validate-token', body);
    expect([answer.status, answer.json]).toEqual([400, invalid]);
  });
});

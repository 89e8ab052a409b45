/** TOKEN_POLICY=hardened, and a service whose clients are hardened one by one, in the documented dialect: bound to the client, reuse seen, revocation seen at once. */
import { createHmac } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { type Answer, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { importedToken, insert, newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

let app: TestApp;
type Client = { clientId: string; clientSecret: string };
let client: Client;
let stranger: Client;

describe.each([
  ['the service', { TOKEN_POLICY: 'hardened' }, null],
  ['its clients', { TOKEN_POLICY: 'documented' }, 'hardened'],
])('hardened: %s', (_which, settings, policy) => {
  beforeAll(async () => {
    app = await startTestApp({ ...settings, SESSION_MAX_DAYS: '40' });
    client = await newClient(app.context, 'secret', { policy });
    stranger = await newClient(app.context, 'other secret', { policy });
  });
  afterAll(() => app.close());

  const as = (who: Client) => ({ client_id: who.clientId, client_secret: who.clientSecret });
  async function issued(): Promise<{
    access_token: string;
    refresh_token: string;
    profileId: string;
    userGuid: string;
  }> {
    const { userGuid, profileId } = await newHolder(app.context);
    const body = {
      ...exchangeBody(app.idToken({ sub: userGuid })),
      profileId,
      ...as(client),
    };
    return { ...(await app.post('/token', body)).json, profileId, userGuid };
  }
  const renew = (refresh_token: string, profileId: string, who = client): Promise<Answer> =>
    app.post('/token', { ...renewalBody(refresh_token), profileId, ...as(who) });
  const recordOf = async (userGuid: string) =>
    (await app.context.sql.rows<Record<string, unknown>>('select * from tokens where user_id = $1', [userGuid]))[0]!;
  const refused = (answer: Answer) => expect([answer.status, answer.text]).toEqual([401, '']);

  it('sets ClientId and CreatedByIp of the record, and client_id, jti and sid of the access token', async () => {
    const { access_token, userGuid } = await issued();
    const record = await recordOf(userGuid);
    expect(record).toMatchObject({ client_id: client.clientId, created_by_ip: '127.0.0.1' });
    expect(decodeJwt(access_token)).toMatchObject({
      client_id: client.clientId,
      jti: expect.any(String),
      sid: record.token_guid,
    });
  });

  it('renews for its client and profile alone, and what was refused is not used up', async () => {
    const { refresh_token, profileId } = await issued();
    refused(await renew(refresh_token, profileId, stranger));
    refused(await renew(refresh_token, 'another'));
    expect((await renew(refresh_token, profileId)).status).toBe(200);
  });

  it('revokes the record when a used token comes again', async () => {
    const { refresh_token, profileId, userGuid } = await issued();
    const { json } = await renew(refresh_token, profileId);
    refused(await renew(refresh_token, profileId));
    expect(await recordOf(userGuid)).toMatchObject({ is_revoked: true, revoked_by_ip: '127.0.0.1' });
    refused(await renew(json.refresh_token, profileId));
  });

  it('revokes nothing for a token that nobody of ours signed', async () => {
    const { refresh_token, profileId, userGuid } = await issued();
    const { json } = await renew(refresh_token, profileId);
    refused(await renew(`${refresh_token.slice(0, -4)}AAAA`, profileId));
    expect((await recordOf(userGuid)).is_revoked).toBe(false);
    expect((await renew(json.refresh_token, profileId)).status).toBe(200);
  });

  it('revokes nothing for a forged token of an older generation, whatever key or algorithm it names', async () => {
    const { refresh_token, profileId, userGuid } = await issued();
    const { json } = await renew(refresh_token, profileId);
    const { keys } = (await (await fetch(`${app.url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
    const [, payload] = refresh_token.split('.');
    const { kid } = decodeProtectedHeader(refresh_token);
    const header = (more: object) => Buffer.from(JSON.stringify({ typ: 'rt+jwt', ...more })).toString('base64url');
    const hmac = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url');
    const forged = [
      ...['none', 'None', 'HS256', 'HS512', 'ES256', ''].map((alg) => `${header({ alg, kid })}.${payload}.`),
      ...[kid, keys[0]!.kid, '', '__proto__', '../../dev/null', null, ['x']].flatMap((named) => {
        const text = `${header({ alg: 'HS256', kid: named })}.${payload}`;
        return ['', '\0', JSON.stringify(keys[0]), keys[0]!.kid].map((secret) => `${text}.${hmac(text, secret)}`);
      }),
      `${header({ alg: 'HS256', kid, jwk: { kty: 'oct', k: 'eA' } })}.${payload}.${hmac('x', 'x')}`,
    ];
    for (const token of forged) refused(await renew(token, profileId));
    expect((await recordOf(userGuid)).is_revoked).toBe(false);
    expect((await renew(json.refresh_token, profileId)).status).toBe(200);
  });

  it('sees a used token that comes again from another client, or for another profile, and revokes too', async () => {
    for (const again of [
      (token: string, profileId: string) => renew(token, profileId, stranger),
      (token: string) => renew(token, 'another'),
    ]) {
      const { refresh_token, profileId, userGuid } = await issued();
      const { json } = await renew(refresh_token, profileId);
      refused(await again(refresh_token, profileId));
      expect((await recordOf(userGuid)).is_revoked).toBe(true);
      refused(await renew(json.refresh_token, profileId));
    }
  });

  it('a wrong secret revokes nothing, whatever token comes with it', async () => {
    const { refresh_token, profileId, userGuid } = await issued();
    const { json } = await renew(refresh_token, profileId);
    const answer = await renew(refresh_token, profileId, { ...client, clientSecret: 'wrong' });
    expect([answer.status, answer.json]).toEqual([401, { error: 'Invalid client credentials' }]);
    expect((await recordOf(userGuid)).is_revoked).toBe(false);
    expect((await renew(json.refresh_token, profileId)).status).toBe(200);
  });

  it('binds a record of the time before to the client that renews it first', async () => {
    const { userGuid, profileId } = await newHolder(app.context);
    const token = 'issued before the policy was hardened';
    await insert(app.context.sql, 'tokens', {
      user_id: userGuid,
      profile_id: profileId,
      ...importedToken(token),
      created_at: new Date(),
      expires_at: new Date(Date.now() + 60_000),
    });
    const { json } = await renew(token, profileId);
    expect(await recordOf(userGuid)).toMatchObject({ client_id: client.clientId });
    refused(await renew(json.refresh_token, profileId, stranger));
  });

  it.each([
    '/revoke',
    '/validate-token',
  ])('%s needs a client, told like at /token; the token comes first', async (path) => {
    const { refresh_token, access_token } = await issued();
    const token = path === '/revoke' ? refresh_token : access_token;
    for (const who of [
      {},
      { client_id: client.clientId },
      { client_id: 5, client_secret: [] },
      { ...as(client), client_secret: 'wrong' },
    ]) {
      const answer = await app.post(path, { token, ...who });
      expect([answer.status, answer.json]).toEqual([401, { error: 'Invalid client credentials' }]);
    }
    expect((await app.post(path, { ...as(client) })).status).toBe(400);
    expect((await app.post(path, { token, ...as(client) })).status).toBe(200);
  });

  it("answers 404 to another client's token, which lives on", async () => {
    const { refresh_token, profileId } = await issued();
    const answer = await app.post('/revoke', { token: refresh_token, ...as(stranger) });
    expect([answer.status, answer.json]).toEqual([404, { status: 'token_not_found_or_already_revoked' }]);
    expect((await renew(refresh_token, profileId)).status).toBe(200);
  });

  it.each([
    ['documented', (body: Record<string, string>) => app.post('/revoke', body), 404],
    [
      'forms',
      async (body: Record<string, string>) =>
        readAnswer(await fetch(`${app.url}/revoke`, { method: 'POST', body: new URLSearchParams(body) })),
      200,
    ],
  ] as const)('a sign-out with a token that somebody else has used ends that person’s session too: %s', async (_dialect, revoke, status) => {
    const { refresh_token, profileId } = await issued();
    const { json } = await renew(refresh_token, profileId);
    expect((await revoke({ token: refresh_token, ...as(stranger) })).status).toBe(status);
    expect((await app.post('/validate-token', { token: json.access_token, ...as(client) })).status).toBe(200);
    expect((await revoke({ token: refresh_token, ...as(client) })).status).toBe(status);
    expect((await app.post('/validate-token', { token: json.access_token, ...as(client) })).status).toBe(400);
    refused(await renew(json.refresh_token, profileId));
  });

  it("tells nothing of another client's renewal token at /introspect, and answers 200 at /revoke without doing it", async () => {
    const { refresh_token, profileId } = await issued();
    const ask = async (path: string, who: Client) =>
      readAnswer(
        await fetch(app.url + path, {
          method: 'POST',
          body: new URLSearchParams({ token: refresh_token, ...as(who) }),
        }),
      );
    expect((await ask('/introspect', stranger)).json).toEqual({ active: false });
    const { status, text } = await ask('/revoke', stranger);
    expect([status, text]).toEqual([200, '']);
    expect((await ask('/introspect', client)).json).toMatchObject({ active: true, client_id: client.clientId });
    expect((await renew(refresh_token, profileId)).status).toBe(200);
  });

  it('fails the access tokens of a revoked record at once', async () => {
    const { access_token, refresh_token } = await issued();
    const validate = () => app.post('/validate-token', { token: access_token, ...as(stranger) });
    expect((await validate()).status).toBe(200);
    await app.post('/revoke', { token: refresh_token, ...as(client) });
    expect((await validate()).json).toEqual({ is_valid: false, error: 'Token is invalid or expired' });
  });

  it('shows a revocation at once at /introspect and to the administration, and a reuse too', async () => {
    for (const end of [
      (refresh_token: string) => app.post('/revoke', { token: refresh_token, ...as(client) }),
      async (refresh_token: string, profileId: string) => {
        await renew(refresh_token, profileId);
        await renew(refresh_token, profileId);
      },
    ]) {
      const { access_token, refresh_token, profileId } = await issued();
      const introspect = async () => {
        const body = new URLSearchParams({ token: access_token, ...as(client) });
        return (await readAnswer(await fetch(`${app.url}/introspect`, { method: 'POST', body }))).json.active;
      };
      const administer = async () => {
        const headers = { authorization: `Bearer ${access_token}`, 'api-version': '1.0' };
        return (await fetch(`${app.url}/api/applications`, { headers })).status;
      };
      // known, but no administrator
      expect([await introspect(), await administer()]).toEqual([true, 403]);
      await end(refresh_token, profileId);
      expect([await introspect(), await administer()]).toEqual([false, 401]);
    }
  });

  it('reads client and session in one statement when the client was here before, and judges both by what is so now', async () => {
    const { access_token, refresh_token } = await issued();
    const ask = async (who = client): Promise<[status: number, isActive: unknown]> => {
      const body = new URLSearchParams({ token: access_token, ...as(who) });
      const { status, json } = await readAnswer(await fetch(`${app.url}/introspect`, { method: 'POST', body }));
      return [status, json.active];
    };
    const setActive = (isActive: boolean) =>
      app.context.sql.rows('update clients set is_active = $2 where client_id = $1', [client.clientId, isActive]);
    expect(await ask()).toEqual([200, true]);
    app.takeStatements();
    expect(await ask()).toEqual([200, true]);
    expect(app.takeStatements().filter((text) => /clients client|tokens t/.test(text))).toHaveLength(1);
    expect(await ask({ ...client, clientSecret: 'wrong' })).toEqual([401, undefined]);
    await setActive(false);
    expect(await ask()).toEqual([401, undefined]);
    await setActive(true);
    await app.post('/revoke', { token: refresh_token, ...as(client) });
    expect(await ask()).toEqual([200, false]);
    await setActive(false);
    expect(await ask()).toEqual([401, undefined]);
    await setActive(true);
  });

  it('ends a session SESSION_MAX_DAYS after its exchange, however often it was renewed', async () => {
    const { refresh_token, profileId, userGuid } = await issued();
    const day = 86_400_000;
    await app.context.sql.rows("update tokens set started_at = now() - interval '39 days' where user_id = $1", [
      userGuid,
    ]);
    const { json } = await renew(refresh_token, profileId);
    const { created_at, expires_at } = decodeJwt(json.refresh_token) as Record<string, string>;
    expect(Math.round((Date.parse(expires_at!) - Date.parse(created_at!)) / day)).toBe(1);
    await app.context.sql.rows("update tokens set started_at = now() - interval '41 days' where user_id = $1", [
      userGuid,
    ]);
    refused(await renew(json.refresh_token, profileId));
  });
});

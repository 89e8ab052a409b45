/** The exchange grant of POST /token, sentence by sentence of the specification, then of the design. */
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { exchange as exchangeBy } from '../../src/services/tokens/exchange.js';
import { makeKey, makeToken } from '../auth/localProvider.js';
import { audience, nowSeconds } from '../support/app.js';
import { linkProfile, newClient, newHolder, newProfile, newScope, newScopeType, newUser } from '../support/records.js';
import { app, exchange, exchangeOf, issued, recordOf, startTokenApp } from '../support/tokenApp.js';

beforeAll(startTokenApp);
afterAll(() => app.close());

describe('the exchange grant', () => {
  it('answers 200 with exactly the four documented fields, never to be stored', async () => {
    const { answer } = await issued();
    expect(Object.keys(answer.json).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type']);
    expect(answer.json).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('issues an access token with the eight documented claims, exactly, for one hour', async () => {
    const { answer, userGuid, profileId } = await issued();
    const claims = decodeJwt(answer.json.access_token);
    expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'profileId', 'roleId', 'scopes', 'sub']);
    expect(claims).toMatchObject({
      iss: app.running.dependencies.issuerUrl,
      sub: userGuid,
      aud: ['GRID', 'IOT'],
      profileId,
      roleId: 'member',
      scopes: [],
    });
    expect(claims.exp! - claims.iat!).toBe(3600);
    expect(Math.abs(claims.iat! - nowSeconds())).toBeLessThanOrEqual(2);
    expect(decodeProtectedHeader(answer.json.access_token)).toMatchObject({ alg: 'ES256', typ: 'JWT' });
  });

  it('issues a renewal token of iss, sub, created_at, expires_at 30 days later, and jti, within 512 characters', async () => {
    const { answer, userGuid } = await issued();
    const claims = decodeJwt(answer.json.refresh_token) as Record<string, string>;
    expect(Object.keys(claims).sort()).toEqual(['created_at', 'expires_at', 'iss', 'jti', 'sub']);
    expect(claims.sub).toBe(userGuid);
    expect(Date.parse(claims.expires_at!) - Date.parse(claims.created_at!)).toBe(30 * 86_400_000);
    expect(answer.json.refresh_token.length).toBeLessThanOrEqual(512);
  });

  it('stores an active record with the same times, the hash alone, and neither client nor address', async () => {
    const { answer, userGuid, profileId } = await issued();
    const claims = decodeJwt(answer.json.refresh_token) as Record<string, string>;
    expect(await recordOf(answer.json.refresh_token)).toMatchObject({
      user_id: userGuid,
      profile_id: profileId,
      token_type: 'refresh',
      created_at: claims.created_at,
      expires_at: claims.expires_at,
      revoked_at: null,
      is_revoked: false,
      client_id: null,
      created_by_ip: null,
      revoked_by_ip: null,
    });
    const dump = JSON.stringify(await app.context.sql.rows('select * from tokens'));
    expect(dump).not.toContain(answer.json.refresh_token);
  });

  it('gives the active scopes of the profile as <type>:<key>, :* and :<concreteId>, sorted by code unit, none twice', async () => {
    const holder = await newHolder(app.context);
    const typeName = `z-${holder.profileId}`;
    const type = await newScopeType(app.context, typeName);
    const other = await newScopeType(app.context, `A-${holder.profileId}`);
    for (const scope of [
      { access_scope_key: 'b' },
      { access_scope_key: 'B' },
      { access_scope_key: 'b' },
      { access_scope_key: null, concrete_id: 42 },
      { access_scope_key: 'ignored', is_wildcard: true },
      { access_scope_key: 'asleep', is_active: false },
      { access_scope_key: 'é' },
    ])
      await newScope(app.context, type, holder.profileId, scope);
    await newScope(app.context, other, holder.profileId, { access_scope_key: 'x' });
    await newScope(app.context, other, undefined, { access_scope_key: 'not-held' });
    const { json } = await exchange(holder.profileId, app.idToken({ sub: holder.userGuid }));
    expect(decodeJwt(json.access_token).scopes).toEqual([
      `A-${holder.profileId}:x`,
      `${typeName}:*`,
      `${typeName}:42`,
      `${typeName}:B`,
      `${typeName}:b`,
      `${typeName}:é`,
    ]);
  });

  it('takes the role of the lowest link when a user holds a profile more than once', async () => {
    const holder = await newHolder(app.context);
    await linkProfile(app.context, holder.userId, holder.profileId, 'admin');
    const { json } = await exchange(holder.profileId, app.idToken({ sub: holder.userGuid }));
    expect(decodeJwt(json.access_token).roleId).toBe('member');
  });

  it('finds the user of an idpid issuer by idpname and idpid, and by nothing else', async () => {
    const holder = await newHolder(app.context, { idpname: 'names', idpid: 'ada@example.test' });
    const asserted = (sub: string) => app.idToken({ iss: app.otherProvider.issuer, aud: ['x', audience], sub });
    const { status, json } = await exchange(holder.profileId, asserted('ada@example.test'));
    expect(status).toBe(200);
    expect(decodeJwt(json.access_token).sub).toBe(holder.userGuid);
    expect((await exchange(holder.profileId, asserted(holder.userGuid))).text).toBe('Invalid profile');
  });

  it("doesn't let one provider assert another provider's user", async () => {
    const holder = await newHolder(app.context, { idpname: 'names', idpid: 'eve' });
    const answer = await exchange(holder.profileId, app.idToken({ sub: holder.userGuid }));
    expect([answer.status, answer.text]).toEqual([400, 'Invalid profile']);
  });

  it('takes a user without an idpname where there is a single issuer alone: of several, each could assert the user', async () => {
    const holder = await newHolder(app.context, { idpname: null });
    const idToken = app.idToken({ sub: holder.userGuid });
    const refused = await exchange(holder.profileId, idToken);
    expect([refused.status, refused.text]).toEqual([400, 'Invalid profile']);
    const [issuer] = app.context.config.idTokenIssuers!;
    const single = { ...app.context, config: { ...app.context.config, idTokenIssuers: [issuer!] } };
    const { clientId, clientSecret } = await newClient(app.context);
    const request = { clientId, clientSecret, idToken, dialect: 'documented' as const };
    const issued = await exchangeBy(single, { ...request, profileId: holder.profileId });
    expect(decodeJwt(issued.access_token).sub).toBe(holder.userGuid);
    const others = await newHolder(app.context, { idpname: 'names' });
    const foreign = { ...request, idToken: app.idToken({ sub: others.userGuid }), profileId: others.profileId };
    await expect(exchangeBy(single, foreign)).rejects.toMatchObject({ reason: 'invalidProfile' });
  });

  it('writes lastLoginDate, at most once an hour', async () => {
    const { userGuid, profileId } = await issued();
    const read = async () =>
      (
        await app.context.sql.rows<{ at: string }>('select last_login_date as at from users where user_guid = $1', [
          userGuid,
        ])
      )[0]!.at;
    const first = await read();
    expect(Math.abs(Date.parse(first) - Date.now())).toBeLessThan(10_000);
    await exchange(profileId, app.idToken({ sub: userGuid }));
    expect(await read()).toBe(first);
    await app.context.sql.rows(
      "update users set last_login_date = now() - interval '61 minutes' where user_guid = $1",
      [userGuid],
    );
    await exchange(profileId, app.idToken({ sub: userGuid }));
    expect(Date.parse(await read())).toBeGreaterThanOrEqual(Date.parse(first));
  });
});

describe('what the exchange refuses', () => {
  it.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['a wrong secret', { client_secret: 'wrong' }],
    ['a client id over 100 characters', { client_id: 'c'.repeat(101) }],
    ['a client id with NUL', { client_id: 'c\0' }],
    ['a secret over 72 bytes', { client_secret: 's'.repeat(73) }],
  ])('%s: 401 {error}, whatever else is wrong', async (_name, wrong) => {
    for (const grant_type of ['urn:service:authz:exchange', 'refresh_token', 'nonsense']) {
      const answer = await app.post('/token', { ...exchangeOf('p', 'bad'), grant_type, ...wrong });
      expect([answer.status, answer.json]).toEqual([401, { error: 'Invalid client credentials' }]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('an inactive client, at the very next request', async () => {
    const { clientId, clientSecret } = await newClient(app.context, 'soon gone');
    const ask = () =>
      app.post('/token', { ...exchangeOf('p', 'bad'), client_id: clientId, client_secret: clientSecret });
    expect((await ask()).text).toBe('');
    await app.context.sql.rows('update clients set is_active = false where client_id = $1', [clientId]);
    expect((await ask()).json).toEqual({ error: 'Invalid client credentials' });
    await app.context.sql.rows('update clients set is_active = true, client_secret = $2 where client_id = $1', [
      clientId,
      await app.context.secrets.hash('another'),
    ]);
    expect((await ask()).json).toEqual({ error: 'Invalid client credentials' });
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['no JWT', 'abc'],
  ])('an ID token that is %s: 401 with zero bytes, after the client check', async (_name, idToken) => {
    const answer = await exchange('p', idToken);
    expect([answer.status, answer.text, answer.headers.get('content-length')]).toEqual([401, '', '0']);
  });

  it('an ID token of a wrong key, of another audience, too old, or our own tokens: 401 with zero bytes', async () => {
    const { answer, userGuid, profileId } = await issued();
    const claims = {
      iss: app.provider.issuer,
      aud: audience,
      sub: userGuid,
      iat: nowSeconds(),
      exp: nowSeconds() + 900,
    };
    const foreign = { ...makeKey('provider-key', 'RS256'), kid: 'provider-key' };
    const tokens = [
      makeToken(foreign, claims),
      app.idToken({ sub: userGuid, aud: 'another' }),
      app.idToken({ sub: userGuid, iat: nowSeconds() - 932, exp: nowSeconds() + 900 }),
      app.idToken({ sub: userGuid, iss: `${app.provider.issuer}/` }),
      answer.json.access_token,
      answer.json.refresh_token,
    ];
    for (const token of tokens) {
      const refused = await exchange(profileId, token);
      expect([refused.status, refused.text]).toEqual([401, '']);
    }
    expect(
      (await exchange(profileId, app.idToken({ sub: userGuid, iat: nowSeconds() - 925, exp: nowSeconds() + 1 })))
        .status,
    ).toBe(200);
  });

  it('a profile that is unknown, too long, unstorable or not held: 400 Invalid profile as plain text, also for unknown and blocked users', async () => {
    const holder = await newHolder(app.context);
    const blocked = await newHolder(app.context, { is_blocked: true });
    const idToken = (sub: string) => app.idToken({ sub });
    for (const [profileId, sub] of [
      ['unknown', holder.userGuid],
      ['p'.repeat(51), holder.userGuid],
      ['p\0', holder.userGuid],
      ['\ud800', holder.userGuid],
      [await newProfile(app.context), holder.userGuid],
      [holder.profileId.toUpperCase(), holder.userGuid],
      [blocked.profileId, blocked.userGuid],
      [holder.profileId, 'no guid'],
      [holder.profileId, '00000000-0000-4000-8000-00000000ffff'],
    ] as const) {
      const answer = await exchange(profileId, idToken(sub));
      expect([profileId, answer.status, answer.text]).toEqual([profileId, 400, 'Invalid profile']);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    }
  });

  it('any other grant_type, also in another case or with spaces: 400 Unsupported grant_type, after the client check', async () => {
    for (const grant_type of ['password', 'Refresh_Token', ' refresh_token', 'urn:service:authz:exchange ']) {
      const answer = await app.post('/token', { ...exchangeOf('p', 'x'), grant_type }, { accept: 'application/json' });
      expect([answer.status, answer.text]).toEqual([400, 'Unsupported grant_type']);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    }
  });
});

it('a user of two profiles gets a token for exactly the one asked for', async () => {
  const user = await newUser(app.context);
  const profiles = [await newProfile(app.context), await newProfile(app.context)];
  for (const profileId of profiles) await linkProfile(app.context, user.user_id, profileId, 'member');
  for (const profileId of profiles) {
    const { json } = await exchange(profileId, app.idToken({ sub: user.user_guid }));
    expect(decodeJwt(json.access_token).profileId).toBe(profileId);
  }
});

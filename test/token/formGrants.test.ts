/** The OAuth dialect: the same engine behind forms, answers and errors of the RFCs. */
import { decodeJwt } from 'jose';
import {
  app,
  basic,
  client,
  exchangeGrant,
  exchangeParameters,
  expectError,
  holder,
  issued,
  send,
  startFormApp,
  tokenExchange,
} from '../support/formApp.js';
import { newHolder, newScope, newScopeType } from '../support/records.js';
import { renewalBody } from '../support/tokens.js';

beforeAll(startFormApp);
afterAll(() => app.close());

describe('grants', () => {
  it('exchanges by the documented grant, with client_id and jti in the access token (RFC 9068 §2.2)', async () => {
    const answer = await send('/token', exchangeParameters());
    expect([answer.status, Object.keys(answer.json).sort()]).toEqual([
      200,
      ['access_token', 'expires_in', 'refresh_token', 'token_type'],
    ]);
    expect(decodeJwt(answer.json.access_token)).toMatchObject({
      client_id: client.clientId,
      jti: expect.any(String),
      profileId: holder.profileId,
    });
  });

  it('exchanges by RFC 8693, and says what was issued', async () => {
    const answer = await send('/token', tokenExchange());
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 3600,
    });
    const twice = await send('/token', [
      ...Object.entries(tokenExchange()),
      ['audience', 'GRID'],
      ['audience', 'IOT'],
      ['resource', 'GRID'],
    ]);
    expect(twice.status).toBe(200);
  });

  it('renews, with profileId optional, and refuses another profile without using the token up', async () => {
    const { refresh_token } = await issued();
    const renewal = { ...renewalBody(refresh_token) };
    expectError(await send('/token', { ...renewal, profileId: 'another' }), 400, 'invalid_grant');
    expectError(await send('/token', { ...renewal, profileId: 'an\0other' }), 400, 'invalid_grant');
    const renewed = await send('/token', renewal);
    expect([renewed.status, decodeJwt(renewed.json.access_token).profileId]).toEqual([200, holder.profileId]);
    expectError(await send('/token', renewal), 400, 'invalid_grant');
  });

  it('says which scopes were issued to whoever asked for some (RFC 6749 §3.3), and to nobody else', async () => {
    for (const key of ['a', 'b'])
      await newScope(app.context, await newScopeType(app.context), holder.profileId, { access_scope_key: key });
    const scopes = async (parameters: Record<string, string>): Promise<[string, string]> => {
      const { access_token, scope } = (await send('/token', parameters)).json;
      return [scope, (decodeJwt(access_token).scopes as string[]).join(' ')];
    };
    const { refresh_token, access_token } = await issued();
    const [first] = decodeJwt(access_token).scopes as string[];
    for (const parameters of [exchangeParameters(), tokenExchange(), renewalBody(refresh_token)])
      expect(await scopes({ ...parameters, scope: first! })).toEqual([first, first]);
    expect((await send('/token', { ...exchangeParameters(), scope: '' })).json).not.toHaveProperty('scope');
  });

  it('no scope text holds what is no scope-token: a key with a space in it does not read as another scope', async () => {
    const { userGuid, profileId } = await newHolder(app.context);
    const type = await newScopeType(app.context);
    for (const key of ['plain', 'x admin:security', 'quo"te', 'back\\slash', 'größe', 'tab\tbed', 'no\u00a0break'])
      await newScope(app.context, type, profileId, { access_scope_key: key });
    const parameters = { ...exchangeParameters(), id_token: app.idToken({ sub: userGuid }), profileId };
    const { access_token } = (await send('/token', parameters)).json;
    const introspected = (await send('/introspect', { token: access_token })).json;
    const held = decodeJwt(access_token).scopes as string[];
    expect(held).toHaveLength(7);
    const plain = held.find((entry) => entry.endsWith(':plain'));
    expect([introspected.scope, introspected.scopes]).toEqual([plain, held]);
  });

  it('tells caches of HTTP/1.0 too that no answer with tokens is to be stored (RFC 6749 §5.1)', async () => {
    for (const parameters of [exchangeParameters(), tokenExchange()]) {
      const { status, headers } = await send('/token', parameters);
      const told = [status, headers.get('cache-control'), headers.get('pragma')];
      expect(told).toEqual([200, 'no-store', 'no-cache']);
    }
  });

  it('shares its records with the documented dialect', async () => {
    const { refresh_token } = await issued();
    const body = {
      ...renewalBody(refresh_token),
      profileId: 'any',
      client_id: client.clientId,
      client_secret: client.clientSecret,
    };
    const { status, json } = await app.post('/token', body);
    expect(status).toBe(200);
    expect(Object.keys(decodeJwt(json.access_token)).sort()).toEqual([
      'aud',
      'exp',
      'iat',
      'iss',
      'profileId',
      'roleId',
      'scopes',
      'sub',
    ]);
  });
});

describe('errors of /token', () => {
  it.each<[string, () => Record<string, string>, string]>([
    ['no grant_type', () => ({}), 'invalid_request'],
    ['a grant_type without value', () => ({ grant_type: '' }), 'invalid_request'],
    ['an unknown grant_type', () => ({ grant_type: 'password' }), 'unsupported_grant_type'],
    ['a grant_type of the prototype', () => ({ grant_type: 'constructor' }), 'unsupported_grant_type'],
    ['no refresh_token', () => ({ grant_type: 'refresh_token' }), 'invalid_request'],
    ['an unknown refresh_token', () => ({ ...renewalBody('x') }), 'invalid_grant'],
    ['no id_token', () => ({ ...exchangeGrant, profileId: 'p' }), 'invalid_request'],
    ['no profileId', () => ({ ...exchangeGrant, id_token: 'x' }), 'invalid_request'],
    ['a bad id_token', () => ({ ...exchangeGrant, id_token: 'x', profileId: 'p' }), 'invalid_grant'],
    ['a profile not held', () => ({ ...exchangeParameters(), profileId: 'p' }), 'invalid_target'],
    ['a bad subject_token', () => tokenExchange({ subject_token: 'x' }), 'invalid_request'],
    [
      'another subject_token_type',
      () => tokenExchange({ subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' }),
      'invalid_request',
    ],
    ['another requested_token_type', () => tokenExchange({ requested_token_type: 'x' }), 'invalid_request'],
    ['an actor_token', () => tokenExchange({ actor_token: 'x' }), 'invalid_request'],
    ['an actor_token_type alone', () => tokenExchange({ actor_token_type: 'x' }), 'invalid_request'],
    ['an audience that is not ours', () => tokenExchange({ audience: 'x' }), 'invalid_target'],
    ['no subject_token', () => tokenExchange({ subject_token: '' }), 'invalid_request'],
  ])('%s', async (_name, parameters, error) => expectError(await send('/token', parameters()), 400, error));

  it('that of a subject token says by which trace id an administrator finds the cause', async () => {
    const { json, headers } = await send('/token', tokenExchange({ subject_token: 'x' }));
    const hint = `an administrator finds the cause by the trace id ${headers.get('trace-id')}`;
    expect(json).toEqual({ error: 'invalid_request', error_description: `subject_token is invalid; ${hint}` });
  });

  it.each<[string, [string, string][]]>([
    [
      'with two values',
      [
        ['refresh_token', 'x'],
        ['refresh_token', 'y'],
      ],
    ],
    [
      'with the same value',
      [
        ['refresh_token', 'x'],
        ['refresh_token', 'x'],
      ],
    ],
    [
      'first without a value',
      [
        ['refresh_token', ''],
        ['refresh_token', 'x'],
      ],
    ],
    [
      'then without a value',
      [
        ['refresh_token', 'x'],
        ['refresh_token', ''],
      ],
    ],
    [
      'that nobody knows',
      [
        ['refresh_token', 'x'],
        ['unknown', '1'],
        ['unknown', '1'],
      ],
    ],
  ])('a parameter twice, %s: invalid_request, on all three paths', async (_name, twice) => {
    for (const path of ['/token', '/revoke', '/introspect'])
      expectError(
        await send(path, [['grant_type', 'refresh_token'], ['token', 'x'], ...twice]),
        400,
        'invalid_request',
      );
  });

  it('a profile that is not held and an audience that is not ours are told apart', async () => {
    const descriptions = [
      (await send('/token', tokenExchange({ profileId: 'p' }))).json,
      (await send('/token', tokenExchange({ audience: 'x' }))).json,
    ];
    expect(descriptions).toEqual([
      { error: 'invalid_target', error_description: 'the user does not hold this profile' },
      { error: 'invalid_target', error_description: 'the client may not have this audience' },
    ]);
  });

  it('several audiences of RFC 8693 are all ours, or invalid_target', async () => {
    for (const [audiences, status] of [
      [['GRID', 'IOT'], 200],
      [['x', 'GRID'], 400],
      [['GRID', 'x'], 400],
    ] as const) {
      const given = audiences.map((audience): [string, string] => ['audience', audience]);
      const answer = await send('/token', [...Object.entries(tokenExchange()), ...given]);
      expect([audiences, answer.status, answer.json.error]).toEqual([
        audiences,
        status,
        status === 200 ? undefined : 'invalid_target',
      ]);
    }
  });

  it('bytes that are not UTF-8: invalid_request', async () => {
    const answer = await app.post('/token', Buffer.from([0xff]), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expectError(answer, 400, 'invalid_request');
  });
});

describe('RFC 7009 and RFC 7662', () => {
  it('revokes, and answers 200 with an empty body to any token', async () => {
    const { refresh_token } = await issued();
    for (const token of [refresh_token, refresh_token, 'unknown']) {
      const answer = await send('/revoke', { token, token_type_hint: 'refresh_token' });
      expect([answer.status, answer.text]).toEqual([200, '']);
    }
    expectError(await send('/token', { ...renewalBody(refresh_token) }), 400, 'invalid_grant');
    expectError(await send('/revoke', {}), 400, 'invalid_request');
  });

  it('never says that an access token was revoked while it lives on (RFC 7009 §2.2.1)', async () => {
    const { access_token } = await issued();
    expectError(await send('/revoke', { token: access_token }), 400, 'unsupported_token_type');
    const stranger = { authorization: basic({ ...client, clientSecret: 'another' }) };
    expectError(await send('/revoke', { token: access_token }, stranger), 401, 'invalid_client');
    expect((await send('/introspect', { token: access_token })).json.active).toBe(true);
    expect((await send('/revoke', { token: `${access_token}x` })).status).toBe(200);
  });

  it('introspects access and renewal tokens, and says of anything else only that it is not active', async () => {
    const { access_token, refresh_token } = await issued();
    expect((await send('/introspect', { token: access_token })).json).toMatchObject({
      active: true,
      sub: holder.userGuid,
      client_id: client.clientId,
      aud: ['GRID', 'IOT'],
    });
    expect((await send('/introspect', { token: refresh_token })).json).toMatchObject({
      active: true,
      sub: holder.userGuid,
    });
    await send('/revoke', { token: refresh_token });
    for (const token of [refresh_token, 'x', app.idToken({})])
      expect((await send('/introspect', { token })).json).toEqual({ active: false });
  });

  it('/introspect takes forms alone, /validate-token JSON alone', async () => {
    expect((await app.post('/introspect', { token: 'x' })).status).toBe(415);
    expect((await send('/validate-token', { token: 'x' })).status).toBe(415);
  });
});

it('a provider that is away is 503 temporarily_unavailable with Retry-After', async () => {
  app.otherProvider.answer = (_path, response) => response.writeHead(500).end();
  const idToken = app.idToken({ iss: app.otherProvider.issuer, sub: 'x' });
  const answer = await send('/token', { ...exchangeGrant, id_token: idToken, profileId: 'p' });
  expectError(answer, 503, 'temporarily_unavailable');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});

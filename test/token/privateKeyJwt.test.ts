/** Clients without a shared secret: standard libraries prove them by their own keys; every other proof is refused. */
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { type Answer, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const insecure = { [oauth.allowInsecureRequests]: true };
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwkOf = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid });
const jwks = {
  keys: [jwkOf(ec.publicKey, 'ec'), jwkOf(rsa.publicKey, 'rsa'), jwkOf(ed.publicKey, 'ed')],
};

describe.each(['documented', 'hardened'])('under the %s policy', (policy) => {
  let app: TestApp;
  let clientId: string;
  let holder: { userGuid: string; profileId: string };
  beforeAll(async () => {
    app = await startTestApp({ TOKEN_POLICY: policy, METRICS_PORT: '0' });
    ({ clientId } = await newClient(app.context, undefined, { jwks: JSON.stringify(jwks) }));
    holder = await newHolder(app.context);
  });
  afterAll(() => app.close());

  const exchange = () => ({
    subject_token: app.idToken({ sub: holder.userGuid }),
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    profileId: holder.profileId,
  });
  const now = () => Math.floor(Date.now() / 1_000);
  const claims = (more: object = {}) => ({
    iss: clientId,
    sub: clientId,
    aud: app.url,
    jti: randomUUID(),
    iat: now(),
    exp: now() + 60,
    ...more,
  });
  const sign = (
    payload: object,
    { key = ec.privateKey, ...header }: { key?: KeyObject; alg?: string; kid?: string } = {},
  ) => new SignJWT({ ...payload }).setProtectedHeader({ alg: 'ES256', kid: 'ec', ...header }).sign(key);
  async function send(
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return readAnswer(await fetch(app.url + path, { method: 'POST', headers, body: new URLSearchParams(form) }));
  }
  const asserting = (client_assertion: string) => ({ client_assertion_type: assertionType, client_assertion });
  const renewalOf = (refresh_token: string, assertion: string) =>
    send('/token', { ...renewalBody(refresh_token), ...asserting(assertion) });
  async function signIn(): Promise<string> {
    const form = { ...exchangeBody(app.idToken({ sub: holder.userGuid })), profileId: holder.profileId };
    return (await send('/token', { ...form, ...asserting(await sign(claims())) })).json.refresh_token;
  }
  const refused = ({ status, json }: Answer) => expect([status, json.error]).toEqual([401, 'invalid_client']);

  it.each([
    ['ES256', ec.privateKey, 'ec', { name: 'ECDSA', namedCurve: 'P-256' }],
    ['RS256', rsa.privateKey, 'rsa', { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }],
    ['PS256', rsa.privateKey, 'rsa', { name: 'RSA-PSS', hash: 'SHA-256' }],
    ['EdDSA', ed.privateKey, 'ed', { name: 'Ed25519' }],
  ] as const)('oauth4webapi, unmodified, with %s: exchange, renewal, introspection, revocation', async (_alg, privateKey, kid, algorithm) => {
    const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
    const key = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
    const issuer = new URL(app.url);
    const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const server = await oauth.processDiscoveryResponse(issuer, discovery);
    expect(server.token_endpoint_auth_methods_supported).toContain('private_key_jwt');
    const client = { client_id: clientId };
    const method = oauth.PrivateKeyJwt({ key, kid });
    const answer = await oauth.genericTokenEndpointRequest(server, client, method, tokenExchange, exchange(), insecure);
    const issued = await oauth.processGenericTokenEndpointResponse(server, client, answer);
    const renewed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, method, issued.refresh_token!, insecure),
    );
    const introspection = await oauth.introspectionRequest(server, client, method, renewed.access_token, insecure);
    expect(await oauth.processIntrospectionResponse(server, client, introspection)).toMatchObject({
      active: true,
      client_id: clientId,
    });
    const revocation = await oauth.revocationRequest(server, client, method, renewed.refresh_token!, insecure);
    expect(await oauth.processRevocationResponse(revocation)).toBeUndefined();
    const again = await oauth.refreshTokenGrantRequest(server, client, method, renewed.refresh_token!, insecure);
    await expect(oauth.processRefreshTokenResponse(server, client, again)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('openid-client, unmodified: exchange, renewal, introspection, revocation', async () => {
    const pkcs8 = ec.privateKey.export({ type: 'pkcs8', format: 'der' });
    const key = await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
    const configuration = await openid.discovery(
      new URL(app.url),
      clientId,
      undefined,
      openid.PrivateKeyJwt({ key, kid: 'ec' }),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    const issued = await openid.genericGrantRequest(configuration, tokenExchange, exchange());
    const renewed = await openid.refreshTokenGrant(configuration, issued.refresh_token!);
    expect(await openid.tokenIntrospection(configuration, renewed.access_token)).toMatchObject({ active: true });
    await openid.tokenRevocation(configuration, renewed.refresh_token!);
    await expect(openid.refreshTokenGrant(configuration, renewed.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('the address of the token endpoint is an audience too, as libraries of before send it', async () => {
    const token = await signIn();
    expect((await renewalOf(token, await sign(claims({ aud: `${app.url}/token` })))).status).toBe(200);
  });

  it('an assertion is good once, however many processes are asked at the same moment', async () => {
    const other = await startTestApp({ TOKEN_POLICY: policy, DATABASE_URL: app.database.url, ISSUER_URL: app.url });
    const given = claims();
    const assertion = await sign(given);
    const ask = (url: string) =>
      fetch(`${url}/introspect`, {
        method: 'POST',
        body: new URLSearchParams({ token: 'x', ...asserting(assertion) }),
      });
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => ask(index % 2 ? app.url : other.url)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(401)]);
    await other.close();
    // the same jti of another client is another
    const { clientId: sub } = await newClient(app.context, undefined, { jwks: JSON.stringify(jwks) });
    const others = await sign({ ...given, iss: sub, sub });
    expect((await send('/introspect', { token: 'x', ...asserting(others) })).status).toBe(200);
  });

  it('what was refused uses no renewal token up', async () => {
    const token = await signIn();
    const used = await sign(claims());
    expect((await send('/introspect', { token: 'x', ...asserting(used) })).status).toBe(200);
    for (const assertion of [
      used,
      'no JWT',
      await sign(claims(), { key: stranger.privateKey }),
      await sign(claims(), { kid: 'another' }),
      await sign(claims({ iss: 'another' })),
      await sign(claims({ sub: 'another' })),
      await sign(claims({ aud: 'https://another.example' })),
      await sign(claims({ exp: now() - 31 })),
      await sign(claims({ exp: now() + 400 })),
      await sign(claims({ exp: undefined })),
      await sign(claims({ jti: undefined })),
      await sign(claims({ nbf: now() + 60 })),
    ])
      refused(await renewalOf(token, assertion));
    expect((await renewalOf(token, await sign(claims()))).status).toBe(200);
  });

  it('a client without such keys, an unknown and an inactive one are refused alike', async () => {
    for (const more of [{}, { jwks: JSON.stringify(jwks), is_active: false }]) {
      const { clientId: other } = await newClient(app.context, undefined, more);
      refused(await send('/introspect', { token: 'x', ...asserting(await sign(claims({ iss: other, sub: other }))) }));
    }
    refused(
      await send('/introspect', { token: 'x', ...asserting(await sign(claims({ iss: 'nobody', sub: 'nobody' }))) }),
    );
  });

  it('two ways at once are invalid_request, and another client_id beside the assertion is no client', async () => {
    const basic = { authorization: `Basic ${Buffer.from(`${clientId}:x`).toString('base64')}` };
    const form = { token: 'x', ...asserting(await sign(claims())) };
    for (const answer of [
      await send('/introspect', form, basic),
      await send('/introspect', { ...form, client_secret: 'x' }),
      await send('/introspect', { ...form, client_assertion_type: 'another' }),
    ])
      expect([answer.status, answer.json.error]).toEqual([400, 'invalid_request']);
    refused(await send('/introspect', { ...form, client_id: 'another' }));
    expect((await send('/introspect', { ...form, client_id: clientId })).status).toBe(200);
  });

  it('a change of its keys counts at the next request, in a renewal too', async () => {
    const token = await signIn();
    const set = (keys: object) =>
      app.context.sql.rows('update clients set jwks = $2, revision = revision + 1 where client_id = $1', [
        clientId,
        JSON.stringify({ keys }),
      ]);
    await set([jwkOf(stranger.publicKey, 'ec')]);
    refused(await renewalOf(token, await sign(claims())));
    expect((await renewalOf(token, await sign(claims(), { key: stranger.privateKey }))).status).toBe(200);
    await set(jwks.keys);
  });

  it('its record may have a secret besides, which works as ever', async () => {
    const both = await newClient(app.context, 'its secret', { jwks: JSON.stringify(jwks) });
    const form = { token: 'x', client_id: both.clientId, client_secret: 'its secret' };
    expect((await send('/introspect', form)).status).toBe(200);
  });

  it('why an assertion is refused is logged, counted and told to nobody', async () => {
    await send('/introspect', { token: 'x', ...asserting(await sign(claims({ aud: 'https://another.example' }))) });
    expect(app.logged()).toContain('wrong assertion: aud is another');
    const metrics = await (await fetch(`${app.running.metricsUrl}/metrics`)).text();
    expect(metrics).toMatch(/gatehouse_client_failures_total\{cause="wrong assertion"\} [1-9]/);
  });
});

describe('keys at an address', () => {
  let app: TestApp;
  afterEach(() => app.close());

  async function introspect(clientId: string, key: KeyObject, kid: string): Promise<number> {
    const seconds = Math.floor(Date.now() / 1_000);
    const payload = { iss: clientId, sub: clientId, aud: app.url, jti: randomUUID(), exp: seconds + 60 };
    const client_assertion = await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(key);
    const body = new URLSearchParams({ token: 'x', client_assertion_type: assertionType, client_assertion });
    return (await fetch(`${app.url}/introspect`, { method: 'POST', body })).status;
  }

  it('are fetched where the record says, and fetched anew for a key that is not known yet', async () => {
    app = await startTestApp({ PRIVATE_PROVIDER_HOSTS: '127.0.0.1' });
    const { provider } = app;
    const { clientId } = await newClient(app.context, undefined, { jwks_uri: `${provider.issuer}/jwks` });
    expect(await introspect(clientId, app.key.privateKey, 'provider-key')).toBe(200);
    expect(await introspect(clientId, rsa.privateKey, 'provider-key')).toBe(401);
  });

  it('that are there and not used are told as such, with what does not fit: nobody looks for another address', async () => {
    app = await startTestApp({ PRIVATE_PROVIDER_HOSTS: '127.0.0.1' });
    const { provider, key } = app;
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
    for (const [jwks, cause] of [
      [[{ ...key.jwk, use: 'enc' }], "the client's key of this id is not used: it has a use that is not sig"],
      [[{ ...key.jwk, alg: 'PS256' }], "the client's key of this id is not used: it has another alg"],
      [
        [jwkOf(weak.publicKey, 'provider-key')],
        "the client's key of this id is not used: it is shorter than 2048 bits",
      ],
      [[{ ...key.jwk, kid: 'another' }], 'the client has no such key'],
      [[jwkOf(rsa.publicKey, 'provider-key')], 'signature does not verify'],
    ] as const) {
      provider.answer = (_, response) => response.end(JSON.stringify({ keys: jwks }));
      const jwks_uri = `${provider.issuer}/${randomUUID()}`;
      const { clientId } = await newClient(app.context, undefined, { jwks_uri });
      expect(await introspect(clientId, key.privateKey, 'provider-key')).toBe(401);
      const line = app
        .logged()
        .split('\n')
        .findLast((each) => each.includes(clientId));
      expect(line).toContain(`wrong assertion: ${cause}`);
    }
  });

  it('are never fetched inside by the word of an administrator alone', async () => {
    app = await startTestApp();
    const { clientId } = await newClient(app.context, undefined, { jwks_uri: `${app.provider.issuer}/jwks` });
    expect(await introspect(clientId, app.key.privateKey, 'provider-key')).toBe(503);
  });
});

describe('an import', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());
  const clientOf = async (clientId: string) =>
    (
      await app.context.sql.rows<{ jwks: string; client_secret: string }>(
        'select * from clients where client_id = $1',
        [clientId],
      )
    )[0]!;

  it('takes a client that has keys and no secret, and again changes nothing', async () => {
    const file = {
      clients: [{ clientId: 'with-keys', name: 'With keys', jwks, dpopRequired: true, allowedAudiences: 'IOT' }],
    };
    await importFile(app.context, file);
    const first = await clientOf('with-keys');
    expect(JSON.parse(first.jwks)).toEqual(jwks);
    await importFile(app.context, file);
    expect(await clientOf('with-keys')).toEqual(first);
  });

  it('refuses one with neither, and keys that can not be used, by their place', async () => {
    await expect(importFile(app.context, { clients: [{ clientId: 'a', name: 'A' }] })).rejects.toThrow();
    const keys = [{ ...ec.privateKey.export({ format: 'jwk' }) }];
    await expect(
      importFile(app.context, { clients: [{ clientId: 'a', name: 'A', jwks: { keys } }] }),
    ).rejects.toMatchObject({
      more: { problems: { 'clients[0].jwks': [expect.stringContaining('private')] } },
    });
  });
});

describe('what a record may have', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ ADMIN_AUTH: 'none' });
  });
  afterAll(() => app.close());
  const create = async (input: object): Promise<Answer> =>
    app.post('/graphql', {
      query:
        'mutation ($input: CreateClientInput!) { createClient(input: $input) { client { clientId jwks jwksUri dpopRequired allowedAudiences } } }',
      variables: { input: { clientId: `client-${randomUUID()}`, name: 'Client', ...input } },
    });
  const text = (keys: unknown) => JSON.stringify({ keys });
  const publicKey = jwkOf(ec.publicKey, 'a');

  it('GraphQL sets and shows keys, their address, dpopRequired and allowedAudiences', async () => {
    const { json } = await create({ jwks: text([publicKey]), dpopRequired: true, allowedAudiences: 'GRID' });
    expect(json.data.createClient.client).toMatchObject({
      jwks: text([publicKey]),
      jwksUri: null,
      dpopRequired: true,
      allowedAudiences: 'GRID',
    });
    expect((await create({ jwksUri: 'https://client.example/jwks' })).json.errors).toBeUndefined();
  });

  it('an update is judged with what the client has: keys beside its address are refused', async () => {
    const { json } = await create({ jwksUri: 'https://client.example/jwks' });
    const update = (input: object) =>
      app.post('/graphql', {
        query:
          'mutation ($id: ID!, $input: UpdateClientInput!) { updateClient(clientId: $id, input: $input) { jwks } }',
        variables: { id: json.data.createClient.client.clientId, input },
      });
    const refused = await update({ jwks: text([publicKey]) });
    expect(refused.json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    expect((await update({ jwks: text([publicKey]), jwksUri: null })).json.errors).toBeUndefined();
  });

  it.each([
    ['a private key', { jwks: text([{ ...ec.privateKey.export({ format: 'jwk' }) }]) }, 'jwks'],
    ['a shared secret', { jwks: text([{ kty: 'oct', k: 'c2VjcmV0' }]) }, 'jwks'],
    [
      'a short RSA key',
      { jwks: text([generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })]) },
      'jwks',
    ],
    [
      'an RSA key of more than 4,096 bits',
      { jwks: text([{ ...rsa.publicKey.export({ format: 'jwk' }), n: Buffer.alloc(513, 255).toString('base64url') }]) },
      'jwks',
    ],
    [
      'an RSA key with a long exponent',
      { jwks: text([{ ...rsa.publicKey.export({ format: 'jwk' }), e: Buffer.alloc(9, 255).toString('base64url') }]) },
      'jwks',
    ],
    ['a key for encryption', { jwks: text([{ ...publicKey, use: 'enc' }]) }, 'jwks'],
    ['a point that is not on the curve', { jwks: text([{ ...publicKey, x: 'AAAA' }]) }, 'jwks'],
    ['nine keys', { jwks: text(Array(9).fill(publicKey)) }, 'jwks'],
    ['no keys', { jwks: text([]) }, 'jwks'],
    ['no JSON', { jwks: 'keys' }, 'jwks'],
    ['more than 16 KiB', { jwks: text([{ ...publicKey, x5c: 'ü'.repeat(8_200) }]) }, 'jwks'],
    ['keys and an address', { jwks: text([publicKey]), jwksUri: 'https://client.example/jwks' }, 'jwksUri'],
    ['a plain address', { jwksUri: 'http://client.example/jwks' }, 'jwksUri'],
    ['a file', { jwksUri: 'file:///etc/passwd' }, 'jwksUri'],
    ['an address with a name and a password', { jwksUri: 'https://a:b@client.example/jwks' }, 'jwksUri'],
    ['an address with a password', { jwksUri: 'https://:b@client.example/jwks' }, 'jwksUri'],
    ['an audience twice spaced', { allowedAudiences: 'GRID  IOT' }, 'allowedAudiences'],
    ['an empty list of audiences', { allowedAudiences: '' }, 'allowedAudiences'],
  ])('%s is refused', async (_what, input, field) => {
    const { json } = await create(input);
    expect(Object.keys(json.errors[0].extensions.problems)).toEqual([`input.${field}`]);
  });
});

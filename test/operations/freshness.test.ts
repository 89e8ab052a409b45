/** Two processes on one database: nothing that one of them committed is stale in the other, and no message is awaited. */
import { decodeProtectedHeader } from 'jose';
import { openSigningKeys, replaceRenewalKey, rotateSigningKey } from '../../src/services/keys/keyStore.js';
import { rotateClientSecret, setClientActive } from '../../src/services/people/clients.js';
import { renew } from '../../src/services/tokens/renew.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder, newScope, newScopeType } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { until } from '../support/until.js';

let one: TestApp;
let other: TestApp;
beforeAll(async () => {
  const common = { ISSUER_URL: 'http://gatehouse.example', ADMIN_AUTH: 'none', LIMITER_STORE: 'database' };
  one = await startTestApp({ ...common, CLIENT_FAILURE_LIMIT: '4' });
  const issuers = JSON.stringify(one.context.config.idTokenIssuers);
  other = await startTestApp({
    ...common,
    CLIENT_FAILURE_LIMIT: '4',
    DATABASE_URL: one.database.url,
    ID_TOKEN_ISSUERS: issuers,
  });
});
afterAll(async () => {
  await other.close();
  await one.close();
});

async function signIn() {
  const client = await newClient(one.context);
  const holder = await newHolder(one.context);
  const common = {
    profileId: holder.profileId,
    client_id: client.clientId,
    client_secret: client.clientSecret,
  };
  const exchangeAt = (app: TestApp) =>
    app.post('/token', {
      ...common,
      ...exchangeBody(one.idToken({ sub: holder.userGuid })),
    });
  const renewAt = (app: TestApp, refreshToken: string) =>
    app.post('/token', { ...common, ...renewalBody(refreshToken) });
  return { ...holder, ...client, exchangeAt, renewAt };
}

it('a client that was switched off, or has another secret, is refused by a process that knew it', async () => {
  const { exchangeAt, clientId } = await signIn();
  expect((await exchangeAt(other)).status).toBe(200);
  await setClientActive(one.context, clientId, false);
  expect((await exchangeAt(other)).status).toBe(401);
  await setClientActive(one.context, clientId, true);
  expect((await exchangeAt(other)).status).toBe(200);
  await rotateClientSecret(one.context, clientId, 0);
  expect((await exchangeAt(other)).status).toBe(401);
});

it('a renewal token that was used or revoked in one process is worth nothing in the other', async () => {
  const { exchangeAt, renewAt } = await signIn();
  const first = (await exchangeAt(one)).json.refresh_token;
  const second = (await renewAt(other, first)).json.refresh_token;
  expect((await renewAt(one, first)).status).toBe(401);
  expect((await one.post('/revoke', { token: second })).status).toBe(200);
  expect((await renewAt(other, second)).status).toBe(401);
});

it('scopes, roles and blocks that changed in one process are in the next token of the other', async () => {
  const { exchangeAt, userGuid, profileId } = await signIn();
  const { json } = await exchangeAt(other);
  expect((await other.post('/validate-token', { token: json.access_token })).json.claims.scopes).toEqual([]);
  await newScope(one.context, await newScopeType(one.context, 'fresh'), profileId, { access_scope_key: 'key' });
  const renewed = await exchangeAt(other);
  const { claims } = (await one.post('/validate-token', { token: renewed.json.access_token })).json;
  expect(claims.scopes).toEqual(['fresh:key']);
  await one.context.sql.rows('update users set is_blocked = true where user_guid = $1', [userGuid]);
  expect((await exchangeAt(other)).status).toBe(400);
});

it('keys that one process rotated, again and again, sign and verify in the other at once', async () => {
  const { exchangeAt } = await signIn();
  const { sql, encryptionKeys, config } = one.context;
  for (let round = 0; round < 3; round++) {
    const kid = await rotateSigningKey({ sql, encryptionKeys, signingAlg: config.signingAlg });
    const token = (await exchangeAt(one)).json.access_token;
    expect(decodeProtectedHeader(token).kid).toBe(kid);
    expect((await other.post('/validate-token', { token })).json.is_valid).toBe(true);
    expect(decodeProtectedHeader((await exchangeAt(other)).json.access_token).kid).toBe(kid);
    const jwks = (await (await fetch(`${other.url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
    expect(jwks.keys.map((key) => key.kid)).toContain(kid);
  }
});

it('a key that another process made verifies right after strangers asked for key ids that nobody has', async () => {
  const { exchangeAt } = await signIn();
  const { sql, encryptionKeys, config } = one.context;
  const strange = (await exchangeAt(one)).json.access_token.split('.');
  strange[0] = Buffer.from('{"alg":"ES256","typ":"at+jwt","kid":"nobody"}').toString('base64url');
  for (let round = 0; round < 3; round++) {
    expect((await other.post('/validate-token', { token: strange.join('.') })).status).toBe(400);
    await rotateSigningKey({ sql, encryptionKeys, signingAlg: config.signingAlg });
    const token = (await exchangeAt(one)).json.access_token;
    expect((await other.post('/validate-token', { token })).json.is_valid).toBe(true);
  }
});

it('a key that one process removed is soon refused by the other, without anybody asking', async () => {
  const { exchangeAt } = await signIn();
  const { sql, encryptionKeys, config } = one.context;
  const token = (await exchangeAt(other)).json.access_token;
  await rotateSigningKey({ sql, encryptionKeys, signingAlg: config.signingAlg });
  await sql.rows('delete from signing_keys where kid = $1', [decodeProtectedHeader(token).kid]);
  await until(async () => !(await other.post('/validate-token', { token })).json.is_valid);
});

it('a renewal token of a key that one process made names its record in the other at once: its reuse is seen', async () => {
  const { exchangeAt, userGuid, clientId, clientSecret } = await signIn();
  const { sql, encryptionKeys, config } = one.context;
  const store = { sql, encryptionKeys, signingAlg: config.signingAlg };
  const hardened = { ...one.context, config: { ...config, tokenPolicy: 'hardened' as const } };
  // a process that has not read the keys since
  const behind = { ...hardened, keys: await openSigningKeys(store) };
  await replaceRenewalKey(store);
  await one.context.keys.reload();
  const first = (await exchangeAt(one)).json.refresh_token;
  expect(behind.keys.ring().findRenewalSecret(decodeProtectedHeader(first).kid)).toBeUndefined();
  const renewing = (context: typeof behind, refreshToken: string) =>
    renew(context, { clientId, clientSecret, refreshToken, profileId: undefined, dialect: 'documented' });
  const second = (await renewing(hardened, first)).refresh_token;
  await expect(renewing(behind, first)).rejects.toThrow();
  await expect(renewing(hardened, second)).rejects.toThrow();
  const [record] = await sql.rows('select is_revoked from tokens where user_id = $1', [userGuid]);
  expect(record).toEqual({ is_revoked: true });
});

it('a list that the other process answered with an ETag is not said to be unchanged after a change', async () => {
  const headers = { 'api-version': '1.0' };
  const list = (more: object = {}) => fetch(`${other.url}/api/applications`, { headers: { ...headers, ...more } });
  const etag = (await list()).headers.get('etag')!;
  expect((await list({ 'if-none-match': etag })).status).toBe(304);
  const made = await one.post('/graphql', {
    query: `mutation { createRole(input: { roleId: "fresh-role", name: "before" }) { roleId } }`,
  });
  expect(made.json.errors).toBeUndefined();
  expect((await list({ 'if-none-match': etag })).status).toBe(200);
});

it('a compiled GraphQL query reads what the other process changed', async () => {
  const query = `query Fresh { role(roleId: "fresh-role") { name } }`;
  const name = async () => (await other.post('/graphql', { query })).json.data.role.name;
  for (let count = 0; count < 3; count++) expect(await name()).toBe('before');
  await one.post('/graphql', {
    query: `mutation { updateRole(roleId: "fresh-role", input: { name: "after" }) { roleId } }`,
  });
  expect(await name()).toBe('after');
});

it('failures of a client are counted together, with LIMITER_STORE=database', async () => {
  const { clientId } = await signIn();
  const guess = (app: TestApp, index: number) =>
    app.post('/token', {
      ...renewalBody('r'),
      profileId: 'p',
      client_id: clientId,
      client_secret: `guess ${index}`,
    });
  const statuses: number[] = [];
  for (let index = 0; index < 6; index++) statuses.push((await guess(index % 2 ? one : other, index)).status);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(4);
  expect(statuses.at(-1)).toBe(429);
});

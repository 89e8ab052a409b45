/** Tokens of connectors by client_credentials: for their clients only, by keys only, and good at /scim only. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { createConnector, revokeConnector } from '../../../src/modules/scim/connectors.js';
import { setClientActive } from '../../../src/services/people/clients.js';
import { type Answer, nowSeconds, readAnswer, startTestApp, type TestApp } from '../../support/app.js';
import { scimOf } from '../../support/connectors.js';
import { newClient, newRole } from '../../support/records.js';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] });
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await newRole(app.context, 'member');
});

const newKeyClient = async (more: object = {}) =>
  (await newClient(app.context, 'client-secret', { jwks, ...more })).clientId;
async function newConnectorWith(clientId: string, connectorId = `c-${randomUUID().slice(0, 8)}`): Promise<string> {
  await createConnector(app.context, { connectorId, idpname: connectorId, roleId: 'member', clientId });
  return connectorId;
}
const send = async (form: Record<string, string>, path = '/token'): Promise<Answer> =>
  readAnswer(await fetch(app.url + path, { method: 'POST', body: new URLSearchParams(form) }));
const assertion = async (clientId: string) => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: await new SignJWT({
    iss: clientId,
    sub: clientId,
    aud: app.url,
    jti: randomUUID(),
    iat: nowSeconds(),
    exp: nowSeconds() + 60,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .sign(privateKey),
});
const ask = async (clientId: string, more: Record<string, string> = {}) =>
  send({ grant_type: 'client_credentials', ...(await assertion(clientId)), ...more });

it('the client of a connector gets a token by its keys, and calls SCIM as the connector', async () => {
  const clientId = await newKeyClient();
  const connectorId = await newConnectorWith(clientId);
  const { status, headers, json } = await ask(clientId);
  expect({ status, json }).toEqual({
    status: 200,
    json: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 3_600 },
  });
  expect(headers.get('cache-control')).toBe('no-store');
  const scim = scimOf(app.url, json.access_token);
  const { json: user } = await scim('POST', '/Users', { userName: 'ada', externalId: 'ada' });
  const rows = await app.context.sql.rows('select idpname from users where user_guid = $1', [user.id]);
  expect(rows).toEqual([{ idpname: connectorId }]);
});

it('the token is good nowhere else', async () => {
  const clientId = await newKeyClient();
  await newConnectorWith(clientId);
  const { access_token: token } = (await ask(clientId)).json;
  const headers = { authorization: `Bearer ${token}`, 'api-version': '1.0' };
  expect((await fetch(`${app.url}/api/applications`, { headers })).status).toBe(401);
  expect((await app.post('/graphql', { query: '{ users { totalCount } }' }, headers)).status).toBe(401);
  expect((await fetch(`${app.url}/verify`, { headers })).status).not.toBe(200);
  expect((await send({ token, ...(await assertion(clientId)) }, '/introspect')).json).toEqual({ active: false });
  expect((await app.post('/validate-token', { token })).json).not.toMatchObject({ valid: true });
});

it('a token of a person, and one of the administration, is none of a connector', async () => {
  const clientId = await newKeyClient();
  await newConnectorWith(clientId);
  const { issueAdminToken } = await import('../../../src/services/tokens/operatorTokens.js');
  const userGuid = app.context.config.systemUserGuid;
  const token = await issueAdminToken(app.context, {
    scopes: ['admin:read', 'admin:write', 'admin:security'],
    minutes: 5,
    userGuid,
  });
  expect((await scimOf(app.url, token)('GET', '/Users')).status).toBe(401);
});

it('nobody else gets one: another client, a shared secret, a client without credentials', async () => {
  const other = await newKeyClient();
  const refused = [400, 'unauthorized_client'];
  const of = ({ status, json }: Answer) => [status, json.error];
  expect(of(await ask(other))).toEqual(refused);
  const own = await newKeyClient();
  await newConnectorWith(own);
  const bySecret = { grant_type: 'client_credentials', client_id: own, client_secret: 'client-secret' };
  expect(of(await send(bySecret))).toEqual(refused);
  expect(of(await send({ ...bySecret, client_secret: 'wrong' }))).toEqual([401, 'invalid_client']);
  expect(of(await send({ grant_type: 'client_credentials' }))).toEqual([401, 'invalid_client']);
  expect((await app.post('/token', { ...bySecret, profileId: 'p' })).text).toBe('Unsupported grant_type');
});

it('scopes and other audiences are refused', async () => {
  const clientId = await newKeyClient();
  await newConnectorWith(clientId);
  expect((await ask(clientId, { scope: 'admin:write' })).json.error).toBe('invalid_scope');
  expect((await ask(clientId, { audience: 'https://api.example' })).json.error).toBe('invalid_target');
  expect((await ask(clientId, { audience: `${app.url}/scim/v2` })).status).toBe(200);
});

it('the token ends with the connector, and with its client', async () => {
  const ends: ((clientId: string, connectorId: string) => Promise<unknown>)[] = [
    (clientId) => setClientActive(app.context, clientId, false),
    (_, connectorId) => revokeConnector(app.context, connectorId),
  ];
  for (const end of ends) {
    const clientId = await newKeyClient();
    const connectorId = await newConnectorWith(clientId);
    const scim = scimOf(app.url, (await ask(clientId)).json.access_token);
    expect((await scim('GET', '/Users')).status).toBe(200);
    await end(clientId, connectorId);
    expect((await scim('GET', '/Users')).status).toBe(401);
  }
});

it('a client is that of one connector', async () => {
  const clientId = await newKeyClient();
  await newConnectorWith(clientId);
  await expect(newConnectorWith(clientId)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(newConnectorWith('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

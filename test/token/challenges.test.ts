/** Each 401 says how to authenticate (RFC 9110 §15.5.2), and none in the documented dialect makes a browser ask for a password. */
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

let app: TestApp;
let good: { profileId: string; client_id: string; client_secret: string };
beforeAll(async () => {
  app = await startTestApp({ TOKEN_POLICY: 'hardened' });
  const { clientId: client_id, clientSecret: client_secret } = await newClient(app.context);
  const { profileId } = await newHolder(app.context);
  good = { profileId, client_id, client_secret };
});

const wrong = { client_secret: 'wrong' };
const documented: [name: string, path: string, body: () => object, text: string][] = [
  ['another secret', '/token', () => ({ ...renewalBody('x'), ...good, ...wrong }), 'Invalid client credentials'],
  ['a bad ID token', '/token', () => ({ ...exchangeBody('x'), ...good }), ''],
  ['no ID token', '/token', () => ({ grant_type: 'urn:service:authz:exchange', ...good }), ''],
  ['a bad renewal token', '/token', () => ({ ...renewalBody('x'), ...good }), ''],
  ['another secret', '/profiles', () => ({ ...good, ...wrong, id_token: 'x' }), 'Invalid client credentials'],
  ['a bad ID token', '/profiles', () => ({ ...good, id_token: 'x' }), ''],
  ['no client', '/revoke', () => ({ token: 'x' }), 'Invalid client credentials'],
  ['no client', '/validate-token', () => ({ token: 'x' }), 'Invalid client credentials'],
];

it.each(documented)('%s at %s', async (_name, path, body, text) => {
  const answer = await app.post(path, body());
  expect([answer.status, answer.text]).toEqual([401, text && JSON.stringify({ error: text })]);
  expect(answer.headers.get('www-authenticate')).toMatch(
    text === '' ? /^Bearer realm="gatehouse", error="invalid_token"$/ : /^Bearer realm="gatehouse"$/,
  );
});

it.each<[string, RequestInit]>([
  ['/api/applications', { headers: { 'api-version': '1.0' } }],
  ['/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{__typename}"}' }],
  ['/schema.graphql', {}],
  ['/scim/v2/Users', {}],
  ['/verify', {}],
  ['/introspect', { method: 'POST', body: new URLSearchParams({ token: 'x' }) }],
  ['/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }) }],
  ['/access/v1/evaluation', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }],
])('so does the 401 of %s', async (path, init) => {
  const { status, headers } = await fetch(app.url + path, init);
  expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^(Bearer|Basic|DPoP)\b/)]);
});

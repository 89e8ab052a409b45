/** With ADMIN_AUTH=none the console asks nobody who it is, and still takes requests of its own pages alone. */
import { startTestApp, type TestApp } from '../../support/app.js';
import { fromOwnPage, openBrowser } from './browser.js';
import { builtConsole } from './consoleApp.js';
import { built } from './documents.js';

const query = { documentId: built('{ applications(first: 1) { totalCount } }') };
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ ADMIN_AUTH: 'none' }, { consoleFolder: builtConsole() });
});

it('its pages ask the graph', async () => {
  const answer = await app.post('/console/graphql', query, fromOwnPage);
  expect([answer.status, answer.json]).toEqual([200, { data: { applications: { totalCount: 0 } } }]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

it('a browser without fetch metadata is known by its origin', async () => {
  const asked = (origin: string) => app.post('/console/graphql', query, { 'x-gatehouse-console': '1', origin });
  expect((await asked(app.url)).status).toBe(200);
  expect((await asked('https://evil.example')).status).toBe(403);
  expect((await asked('null')).status).toBe(403);
});

it.each([
  ['of another site', { ...fromOwnPage, 'sec-fetch-site': 'cross-site' }],
  ['of a site below the same domain', { ...fromOwnPage, 'sec-fetch-site': 'same-site' }],
  ['typed into the address bar', { ...fromOwnPage, 'sec-fetch-site': 'none' }],
  ['without the header that no form can send', { 'sec-fetch-site': 'same-origin' }],
  ['of nobody knows which page', { 'x-gatehouse-console': '1' }],
  ['of a type that a form could send', { ...fromOwnPage, 'content-type': 'text/plain' }],
  ['of a form', { ...fromOwnPage, 'content-type': 'application/x-www-form-urlencoded' }],
])('a request %s is refused', async (_case, headers) => {
  const answer = await app.post('/console/graphql', JSON.stringify(query), headers as Record<string, string>);
  expect([answer.status, answer.json.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
});

it('the graph of the console takes POST alone, and no other origin may read it', async () => {
  const answer = await fetch(`${app.url}/console/graphql?query={viewer{userGuid}}`, { headers: fromOwnPage });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  const preflight = await fetch(`${app.url}/console/graphql`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
});

it('nobody signs in, and the viewer is the system user with every permission', async () => {
  const answer = await openBrowser(app.url).go(`${app.url}/console/sign-in?return=/console/why`);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/console/why']);
  const { json } = await openBrowser(app.url).ask(
    '{ viewer { userGuid user { userGuid } permissions scopes signedInAt administrationProfiles { profileId } applications { name } } }',
  );
  expect(json.data.viewer).toEqual({
    userGuid: app.context.config.systemUserGuid,
    user: null,
    permissions: ['admin:read', 'admin:security', 'admin:write'],
    scopes: ['admin:read', 'admin:security', 'admin:write'],
    signedInAt: null,
    administrationProfiles: [],
    applications: [],
  });
});

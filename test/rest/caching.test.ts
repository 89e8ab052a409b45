/** No answer of the administration over REST is kept by a proxy, or used again by a browser without asking. */
import { randomUUID } from 'node:crypto';
import { newScope, newScopeType } from '../support/records.js';
import { newApplicationBody, type RestApp, startRestApp } from './restApp.js';

let app: RestApp;
beforeAll(async () => {
  app = await startRestApp();
});

it('every answer below /api says so: lists, one record, changes and refusals', async () => {
  const created = await app.call('POST', '/api/applications', { body: newApplicationBody() });
  const one = `/api/applications/${created.json.applicationGuid}`;
  const scopes = `${one}/accessScopes`;
  const { access_scope_guid: accessScopeGuid } = await newScope(
    app.context,
    await newScopeType(app.context, 'kept'),
    undefined,
    {},
  );
  const answers = [
    created,
    await app.call('GET', '/api/applications'),
    await app.call('GET', one),
    await app.call('GET', scopes),
    await app.call('POST', scopes, { body: [{ accessScopeGuid }] }),
    await app.call('PATCH', scopes, { body: [{ accessScopeGuid, state: 'off' }] }),
    await app.call('DELETE', `${scopes}/${accessScopeGuid}`),
    await app.call('POST', `${scopes}:delete`, { body: [] }),
    await app.call('GET', `/api/applications/${randomUUID()}`),
    await app.call('GET', one, { scopes: null }),
    await app.call('PUT', one),
    await app.call('GET', '/api/nowhere'),
  ];
  expect(answers.map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual(
    [200, 200, 200, 200, 200, 200, 200, 200, 404, 401, 405, 404].map((status) => [status, 'private, no-cache']),
  );
});

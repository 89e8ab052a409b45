/** `Prefer: dry-run`: the answer is as it would be, and nothing is changed. */
import { newApplication, newApplicationBody, newMapping, newScopes, type RestApp, startRestApp } from './restApp.js';

let app: RestApp;
beforeAll(async () => {
  app = await startRestApp();
});
afterAll(() => app.close());

const prefer = { prefer: 'return=representation, dry-run' };
const state = async () =>
  (
    await app.sql.rows(
      `select (select count(*) from applications) a, (select jsonb_agg(m order by 1) from access_scope_applications_mappers m) m,
        (select count(*) from audit_events) e, (select count(*) from record_versions) v, (select version from catalogue_version) c`,
    )
  )[0];

it('a dry run of each changing operation answers as the operation does, and changes nothing', async () => {
  const [mapped, free] = await newScopes(app.sql, 2);
  const { application_id, application_guid } = await newApplication(app.sql);
  await newMapping(app.sql, application_id, mapped!);
  const path = `/api/applications/${application_guid}/accessScopes`;
  const before = await state();
  const calls: [string, string, unknown][] = [
    ['POST', '/api/applications', newApplicationBody()],
    ['POST', path, [{ accessScopeGuid: free }]],
    ['PATCH', path, [{ accessScopeGuid: mapped, state: 'off' }]],
    ['POST', `${path}:delete`, [{ accessScopeGuid: mapped }]],
    ['DELETE', `${path}/${mapped}`, undefined],
  ];
  for (const [method, to, body] of calls) {
    const tried = await app.call(method, to, { body: body as object, headers: prefer });
    expect([method, to, tried.status, tried.headers.get('preference-applied')]).toEqual([method, to, 200, 'dry-run']);
    expect(await state()).toEqual(before);
    if (method === 'PATCH')
      expect(tried.json).toMatchObject([{ state: 'off', accessScope: { accessScopeGuid: mapped } }]);
  }
  const refused = await app.call('POST', path, { body: [{ accessScopeGuid: mapped }], headers: prefer });
  expect([refused.status, refused.headers.get('preference-applied')]).toEqual([409, 'dry-run']);
  for (const prefer of ['dry-run=true', 'wait=5, Dry-Run=""; a=b']) {
    const tried = await app.call('POST', path, { body: [{ accessScopeGuid: free }], headers: { prefer } });
    expect([tried.status, tried.headers.get('preference-applied')]).toEqual([200, 'dry-run']);
  }
  expect(await state()).toEqual(before);
  const made = await app.call('POST', path, { body: [{ accessScopeGuid: free }], headers: { prefer: 'dry-runner' } });
  expect([made.status, made.headers.get('preference-applied')]).toEqual([200, null]);
  expect(await state()).not.toEqual(before);
});

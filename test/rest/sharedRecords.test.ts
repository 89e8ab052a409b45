/** What stands in many rows of a list is written once and filled in: the answer is what each application says by itself. */
import { newScopes, type RestApp, startRestApp, system } from './restApp.js';

/** One more than is shared. */
const scopesCount = 5_001;
const misleading = '","accessScope":1,"accessScopeType":2,"x":"\\"accessScope":3 \u001e4\u001f{} 🏗️';
let app: RestApp;
let guids: string[];
beforeAll(async () => {
  app = await startRestApp();
  const scopes = await newScopes(app.sql, scopesCount);
  const made = await app.sql.rows<{ application_guid: string }>(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     select $1 || i, 'i', 'h', 'web', 'tile', 'internal', $2 from generate_series(1, 3) i returning application_guid`,
    [misleading, system],
  );
  guids = made.map(({ application_guid }) => application_guid);
  await app.sql.rows('update access_scopes set name = $1, description = $1 where access_scope_guid = any($2)', [
    misleading,
    scopes.slice(0, 10),
  ]);
  // numbers that only an operator can have given
  await app.sql.rows('update access_scopes set access_scope_id = -access_scope_id where access_scope_guid = $1', [
    scopes[0],
  ]);
  // all scopes open the first, ten of them the second, none the third
  await app.sql.rows(
    `insert into access_scope_applications_mappers (application_id, access_scope_id, individual_external_link, created_by)
     select application_id, access_scope_id, $5, $1 from applications, access_scopes
     where application_guid = $2 and access_scope_guid = any($3) or application_guid = $4 and access_scope_guid = any($6)`,
    [system, guids[0], scopes, guids[1], misleading, scopes.slice(0, 10)],
  );
  await app.sql.rows(
    `insert into access_scope_type_applications_mappers (application_id, access_scope_type_id, created_by)
     select application_id, access_scope_type_id, $1 from applications, access_scope_types`,
    [system],
  );
});
afterAll(() => app.close());

const get = async (path: string): Promise<string> => {
  const { status, text } = await app.call('GET', path);
  expect(status).toBe(200);
  return text;
};

it('a list says of each application what it says by itself, also past what is shared and whatever texts hold', async () => {
  const alone = await Promise.all(guids.map((guid) => get(`/api/applications/${guid}`)));
  expect(JSON.parse(alone[0]!).accessScopeApplicationsMappers).toHaveLength(scopesCount);
  expect(await get('/api/applications')).toBe(`[${alone.join(',')}]`);
});

it('a list writes shared records as each application has them by itself, in any order and for any page', async () => {
  const [first, second, third] = await Promise.all(guids.map((guid) => get(`/api/applications/${guid}`)));
  expect(await get('/api/applications?$orderby=applicationId desc')).toBe(`[${third},${second},${first}]`);
  expect(await get('/api/applications?$top=1&$skip=1')).toBe(`[${second}]`);
  expect(await get(`/api/applications?$filter=applicationGuid eq ${guids[2]}`)).toBe(`[${third}]`);
  expect(await get('/api/applications?$filter=appType eq null')).toBe('[]');
});

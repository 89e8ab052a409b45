/** Lists are made some applications at a time, of columns: each application is said as it is by itself, wherever in a batch it stands. */
import { newScopes, type RestApp, startRestApp, system } from './restApp.js';

/** Two batches and a part of a third. */
const count = 23;
let app: RestApp;
let guids: string[];
beforeAll(async () => {
  app = await startRestApp();
  const scopes = await newScopes(app.sql, 4);
  // three applications share each group of translations, and every fifth has none
  const made = await app.sql.rows<{ application_guid: string }>(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, translation_group, created_by)
     select 'A' || i, 'i', 'h', 'web', 'tile', 'internal', case when i % 5 > 0 then 'g' || i % 7 end, $1 from generate_series(1, $2::int) i
     returning application_guid`,
    [system, count],
  );
  guids = made.map(({ application_guid }) => application_guid);
  await app.sql.rows(
    `insert into translations (translation_group, field_name, language_code, translated_text)
     select 'g' || i, field, language, '"\\ ä' || i from generate_series(1, 6) i, unnest(array['name', 'description']) field, unnest(array['de', 'pt-BR']) language`,
  );
  // none to four of each application, changed by hand now and then
  await app.sql.rows(
    `insert into access_scope_applications_mappers (application_id, access_scope_id, individual_external_link, created_by, modified_by, modified_date)
     select application_id, access_scope_id, case when access_scope_id % 2 = 0 then '' end, $1, case when application_id % 3 = 0 then $1::uuid end,
       case when application_id % 3 = 0 then timestamptz '0099-03-01 00:00:00.0019+00' end
     from applications, access_scopes where access_scope_guid = any($2) and (application_id + access_scope_id) % 6 > 1`,
    [system, scopes],
  );
  await app.sql.rows(
    `insert into access_scope_type_applications_mappers (application_id, access_scope_type_id, created_by)
     select application_id, access_scope_type_id, $1 from applications, access_scope_types where application_id % 4 = 0`,
    [system],
  );
});
afterAll(() => app.close());

const get = async (path: string): Promise<string> => {
  const { status, text } = await app.call('GET', path);
  expect([status, text.slice(0, 200)]).toEqual([200, expect.any(String)]);
  return text;
};

it('a list in batches has each application as it is by itself, in any order and for any page, to the byte', async () => {
  const alone = await Promise.all(guids.map((guid) => get(`/api/applications/${guid}`)));
  const list = (texts: readonly string[]) => `[${texts.join(',')}]`;
  expect(await get('/api/applications')).toBe(list(alone));
  expect(await get('/api/applications?$orderby=applicationId desc')).toBe(list(alone.toReversed()));
  expect(await get('/api/applications?$top=12&$skip=9')).toBe(list(alone.slice(9, 21)));
  expect(await get('/api/applications?$top=10')).toBe(list(alone.slice(0, 10)));
});

it('a list in batches has only what is selected', async () => {
  const whole = JSON.parse(await get('/api/applications'));
  const picked = (keys: string[]) =>
    whole.map((each: object) => Object.fromEntries(Object.entries(each).filter(([key]) => keys.includes(key))));
  for (const keys of [
    ['translations'],
    ['name', 'accessScopeTypeApplicationsMappers'],
    ['name', 'createdByNavigation'],
  ])
    expect(JSON.parse(await get(`/api/applications?$select=${keys}`))).toEqual(picked(keys));
  expect(JSON.parse(await get('/api/applications?$select=name,accessScopeApplicationsMappers/state'))).toEqual(
    whole.map(({ name, accessScopeApplicationsMappers }: Record<string, { state: string }[]>) => ({
      name,
      accessScopeApplicationsMappers: accessScopeApplicationsMappers!.map(({ state }) => ({ state })),
    })),
  );
});

it('a list in batches expands the records of its lists as their own list does', async () => {
  const paths = ['application/createdByNavigation', 'accessScope/accessScopeType', 'createdByNavigation'];
  const list = 'accessScopeApplicationsMappers';
  const all = JSON.parse(await get(`/api/applications?$expand=${paths.map((path) => `${list}/${path}`)}`));
  for (const [index, guid] of guids.entries())
    expect(all[index][list]).toEqual(JSON.parse(await get(`/api/applications/${guid}/accessScopes?$expand=${paths}`)));
});

/** The eight operations as the specification's tables have them: every key, its type, and how deep records nest. */
import { insert } from '../support/records.js';
import {
  newApplication,
  newApplicationBody,
  newMapping,
  newScopes,
  type RestApp,
  startRestApp,
  system,
} from './restApp.js';

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const integer = expect.any(Number);
const text = expect.any(String);
const flag = expect.any(Boolean);
const stamps = {
  createdDate: expect.stringMatching(dateTime),
  createdBy: expect.stringMatching(guid),
  modifiedDate: null,
  modifiedBy: null,
};
const noUsers = { createdByNavigation: null, modifiedByNavigation: null };
// `UserDTO`
const user = {
  userId: integer,
  userGuid: expect.stringMatching(guid),
  ...Object.fromEntries(
    'salutation title firstName lastName idpname idpid telephone email status statusId lastLoginDate jobTitle jobTitleAdditional jobTitleId department languagePreference emailSubscriptions notificationOptions anbversion anbacceptanceDate assignedCustomerSupportGuid invitedBy invitationDate uipreferences'
      .split(' ')
      .map((key) => [
        key,
        key === 'firstName' ? 'Grace' : key === 'anbacceptanceDate' ? '2024-01-02T03:04:05.600Z' : null,
      ]),
  ),
  ...stamps,
};
const accessScopeType = {
  accessScopeTypeId: integer,
  accessScopeTypeGuid: expect.stringMatching(guid),
  name: text,
  description: null,
  translationGroup: null,
  isActive: true,
  ...stamps,
  ...noUsers,
};
const accessScope = {
  accessScopeId: integer,
  accessScopeGuid: expect.stringMatching(guid),
  name: text,
  accessScopeKey: text,
  accessScopeTypeId: integer,
  concreteId: null,
  description: null,
  translationGroup: null,
  isWildcard: flag,
  isActive: flag,
  ...stamps,
  accessScopeType,
  ...noUsers,
};
const mapping = {
  accessScopeApplicationsMapperId: integer,
  accessScopeId: integer,
  applicationId: integer,
  state: 'active',
  individualExternalLink: null,
  ...stamps,
  accessScope,
  application: null,
  ...noUsers,
};
const typeMapping = {
  accessScopeTypeApplicationsMapperId: integer,
  accessScopeTypeId: integer,
  applicationId: integer,
  state: 'active',
  ...stamps,
  accessScopeType,
  ...noUsers,
};
const scalars = {
  applicationId: integer,
  applicationGuid: expect.stringMatching(guid),
  ...newApplicationBody(),
  description: null,
  globalExternalLink: null,
  translationGroup: null,
  isTokenExchangeRequired: null,
  isIframe: null,
  isActive: true,
  ...stamps,
};
const listsOf = (value: unknown) => ({
  accessScopeApplicationsMappers: value,
  accessScopeTypeApplicationsMappers: value,
  translations: value,
});

let app: RestApp;
beforeAll(async () => {
  app = await startRestApp();
  await app.sql.rows("update users set anbacceptance_date = '2024-01-02T03:04:05.6Z'");
});
afterAll(() => app.close());

const filled = async () => {
  const row = newApplicationBody() as Record<string, unknown>;
  const columns = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.replace(/[A-Z]/g, (l) => `_${l.toLowerCase()}`), value]),
  );
  const application = await newApplication(app.sql, { ...columns, translation_group: 'walk', created_by: app.caller });
  const [first, second] = await newScopes(app.sql, 2);
  const keys = [
    await newMapping(app.sql, application.application_id, second!),
    await newMapping(app.sql, application.application_id, first!),
  ];
  const [type] = await app.sql.rows<{ access_scope_type_id: number }>(
    "select access_scope_type_id from access_scope_types where name <> 'admin' limit 1",
  );
  await insert(app.sql, 'access_scope_type_applications_mappers', {
    application_id: application.application_id,
    access_scope_type_id: type!.access_scope_type_id,
    created_by: system,
  });
  for (const [field, language] of [
    ['name', 'fr'],
    ['name', 'de'],
    ['description', 'de'],
  ])
    await app.sql.rows(
      'insert into translations (translation_group, field_name, language_code, translated_text) values ($1, $2, $3, $4) on conflict do nothing',
      ['walk', field, language, 'Tor'],
    );
  return { ...application, first: first!, second: second!, keys };
};

describe('operation 7, POST /api/applications', () => {
  it('answers the new application, active, with empty lists and the caller as its maker', async () => {
    const { status, json, headers } = await app.call('POST', '/api/applications', { body: newApplicationBody() });
    expect(status).toBe(200);
    expect(json).toStrictEqual({
      ...scalars,
      createdBy: app.caller,
      ...listsOf([]),
      createdByNavigation: user,
      modifiedByNavigation: null,
    });
    expect(headers.get('location')).toBe(`/api/applications/${json.applicationGuid}`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('takes every documented field, isIFrame in and isIframe out', async () => {
    const body = newApplicationBody({
      description: '',
      globalExternalLink: 'https://x',
      isTokenExchangeRequired: false,
      isIFrame: true,
      translationGroup: 'g',
    });
    const { isIFrame: isIframe, ...rest } = body as unknown as Record<string, unknown>;
    const { json } = await app.call('POST', '/api/applications', { body });
    expect(json).toMatchObject({ ...rest, isIframe });
    expect(json).not.toHaveProperty('isIFrame');
  });
});

describe('operations 6 and 8, GET /api/applications and /{guid}', () => {
  it('answer an application with everything that it holds, without a cycle', async () => {
    const { application_guid } = await filled();
    const one = await app.call('GET', `/api/applications/${application_guid}`);
    const translation = (fieldName: string, languageCode: string) => ({
      fieldName,
      languageCode,
      translatedText: 'Tor',
    });
    expect(one.json).toStrictEqual({
      ...scalars,
      translationGroup: 'walk',
      accessScopeApplicationsMappers: [mapping, mapping],
      accessScopeTypeApplicationsMappers: [typeMapping],
      translations: [translation('description', 'de'), translation('name', 'de'), translation('name', 'fr')],
      createdByNavigation: user,
      modifiedByNavigation: null,
    });
    const list = await app.call('GET', `/api/applications?$filter=applicationGuid eq ${application_guid}`);
    expect(list.json).toStrictEqual([one.json]);
  });

  it('order applications and mappings by their numbers', async () => {
    const { keys, application_guid } = await filled();
    const list = await app.call('GET', '/api/applications');
    const ids = list.json.map((row: { applicationId: number }) => row.applicationId);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const { json } = await app.call('GET', `/api/applications/${application_guid}`);
    expect(
      json.accessScopeApplicationsMappers.map(
        (row: { accessScopeApplicationsMapperId: number }) => row.accessScopeApplicationsMapperId,
      ),
    ).toEqual(keys);
  });
});

describe('operations 1 to 3, …/accessScopes', () => {
  it('list, make and change mappings in one shape, with their application', async () => {
    const { application_guid, first, second } = await filled();
    const path = `/api/applications/${application_guid}/accessScopes`;
    const whole = { ...mapping, application: { ...scalars, translationGroup: 'walk', ...listsOf(null), ...noUsers } };
    const listed = await app.call('GET', path);
    expect(listed.json).toStrictEqual([whole, whole]);
    const [third] = await newScopes(app.sql, 1);
    const made = await app.call('POST', path, {
      body: [{ accessScopeGuid: third, state: 'active', individualExternalLink: null }],
    });
    expect([made.status, made.json]).toStrictEqual([200, [{ ...whole, createdByNavigation: user }]]);
    expect(made.json[0].accessScope.accessScopeGuid).toBe(third);
    const changed = await app.call('PATCH', path, {
      body: [
        { accessScopeGuid: second, individualExternalLink: 'x' },
        { accessScopeGuid: first, state: 'off' },
      ],
    });
    const modified = {
      modifiedDate: expect.stringMatching(dateTime),
      modifiedBy: app.caller,
      modifiedByNavigation: user,
    };
    expect([changed.status, changed.json]).toStrictEqual([
      200,
      [
        { ...whole, ...modified, individualExternalLink: 'x' },
        { ...whole, ...modified, state: 'off' },
      ],
    ]);
    expect(
      changed.json.map(
        (row: typeof accessScope & { accessScope: typeof accessScope }) => row.accessScope.accessScopeGuid,
      ),
    ).toEqual([second, first]);
  });
});

describe('operations 4 and 5, deletes', () => {
  it('answer 200 with an empty body, and the mapping is gone', async () => {
    const { application_guid, first, second } = await filled();
    const path = `/api/applications/${application_guid}/accessScopes`;
    const deleted = await app.call('DELETE', `${path}/${first}`);
    expect([deleted.status, deleted.text, deleted.headers.get('content-length')]).toEqual([200, '', '0']);
    expect((await app.call('DELETE', `${path}/${first}`)).status).toBe(404);
    const bulk = await app.call('POST', `${path}:delete`, { body: [{ accessScopeGuid: second }] });
    expect([bulk.status, bulk.text]).toEqual([200, '']);
    expect((await app.call('GET', path)).json).toEqual([]);
    expect((await app.call('POST', `${path}%3Adelete`, { body: [{ accessScopeGuid: second }] })).status).toBe(404);
  });
});

describe('$select and $expand', () => {
  const get = async (query: string) => {
    const { application_guid } = await filled();
    return (await app.call('GET', `/api/applications?$filter=applicationGuid eq ${application_guid}&${query}`)).json[0];
  };

  it('$expand fills what it names and leaves the other navigations null', async () => {
    const json = await get('$expand=translations,createdByNavigation');
    expect(json).toMatchObject({
      ...scalars,
      translationGroup: 'walk',
      accessScopeApplicationsMappers: null,
      accessScopeTypeApplicationsMappers: null,
      createdByNavigation: user,
      modifiedByNavigation: null,
    });
    expect(json.translations).toHaveLength(3);
  });

  it('$expand goes down, and fills below what a list fills by itself where it says nothing', async () => {
    const json = await get('$expand=accessScopeApplicationsMappers');
    expect(json.accessScopeApplicationsMappers).toStrictEqual([mapping, mapping]);
    const deep = await get(
      '$expand=accessScopeApplicationsMappers/accessScope/createdByNavigation,accessScopeApplicationsMappers/application',
    );
    expect(deep.accessScopeApplicationsMappers[0]).toMatchObject({
      accessScope: { accessScopeType: null, createdByNavigation: null },
      application: { ...listsOf(null), ...noUsers, translationGroup: 'walk' },
    });
    const users = await get('$expand=accessScopeApplicationsMappers/application/createdByNavigation');
    expect(users.accessScopeApplicationsMappers[0]).toMatchObject({
      accessScope: null,
      application: { createdByNavigation: user },
    });
  });

  it('$select gives exactly the keys named and the expanded ones', async () => {
    expect(Object.keys(await get('$select=name'))).toEqual(['name']);
    expect(Object.keys(await get('$select=name,applicationId&$expand=translations'))).toEqual([
      'applicationId',
      'name',
      'translations',
    ]);
    expect(await get('$select=accessScopeApplicationsMappers/state,name')).toStrictEqual({
      name: 'Gate',
      accessScopeApplicationsMappers: [{ state: 'active' }, { state: 'active' }],
    });
    expect(
      await get('$select=accessScopeApplicationsMappers/state&$expand=accessScopeApplicationsMappers/accessScope'),
    ).toMatchObject({ accessScopeApplicationsMappers: [{ state: 'active', accessScope: { isWildcard: false } }, {}] });
    expect(await get('$select=*')).toMatchObject({ ...scalars, translationGroup: 'walk', createdByNavigation: user });
  });
});

it('REST_STATUS=standard answers 201 for a new application and 204 for deletes', async () => {
  const standard = await startRestApp({ REST_STATUS: 'standard', BASE_PATH: '/auth' });
  const made = await standard.call('POST', '/auth/api/applications', { body: newApplicationBody() });
  expect([made.status, made.headers.get('location')]).toEqual([
    201,
    `/auth/api/applications/${made.json.applicationGuid}`,
  ]);
  const scopes = await newScopes(standard.sql, 2);
  const path = `${made.headers.get('location')}/accessScopes`;
  expect(
    (await standard.call('POST', path, { body: scopes.map((accessScopeGuid) => ({ accessScopeGuid })) })).status,
  ).toBe(200);
  expect((await standard.call('DELETE', `${path}/${scopes[0]}`)).status).toBe(204);
  expect((await standard.call('POST', `${path}:delete`, { body: [{ accessScopeGuid: scopes[1] }] })).status).toBe(204);
});

it('ADMIN_AUTH=none asks nobody, and the system user signs', async () => {
  const open = await startRestApp({ ADMIN_AUTH: 'none', SYSTEM_USER_GUID: '11111111-1111-4111-8111-111111111111' });
  const made = await open.call('POST', '/api/applications', { body: newApplicationBody(), scopes: null });
  expect([made.status, made.json.createdBy, made.json.createdByNavigation]).toEqual([
    200,
    '11111111-1111-4111-8111-111111111111',
    null,
  ]);
});

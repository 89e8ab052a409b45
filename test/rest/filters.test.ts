/** `$filter` and `$orderby` over real rows, each compared with what JavaScript says of the same rows. */
import fc from 'fast-check';
import { AccessScopeApplicationsMapper } from '../../src/entities/AccessScopeApplicationsMapper.js';
import { Application } from '../../src/entities/Application.js';
import type { RecordClass } from '../../src/entities/description.js';
import { modelOf } from '../../src/rest/applications/lists.js';
import { readOptions } from '../../src/rest/odata/options.js';
import { insert } from '../support/records.js';
import { arbitraryFilter } from './odata/arbitraryFilter.js';
import { evaluate, type Plain } from './odata/evaluate.js';
import { write } from './odata/write.js';
import { plainRecords } from './plainRecords.js';
import { newApplication, newMapping, newScopes, type RestApp, startRestApp, system } from './restApp.js';

let app: RestApp;
let applications: Plain[];
let mappings: Plain[];
let firstGuid: string;

const names = [
  'Gate',
  'gate',
  'GATE',
  'Straße',
  'STRASSE',
  'İstanbul',
  'ΑΣ',
  'ας',
  "O'Hara",
  '100%_a\\b',
  '😀 up',
  '～ down',
  ' spaced\u00a0',
  'é',
  'é',
  'a&b+c',
];

beforeAll(async () => {
  app = await startRestApp();
  const { sql } = app;
  await insert(sql, 'users', { user_guid: system, first_name: 'System', last_name: null, created_by: system });
  const scopes = await newScopes(sql, 5);
  await sql.rows("update access_scopes set description = '😀', is_active = false where access_scope_guid = $1", [
    scopes[1],
  ]);
  for (const [index, name] of names.entries()) {
    const { application_id, application_guid } = await newApplication(sql, {
      name,
      description: index % 3 === 0 ? null : index % 3 === 1 ? '' : `About ${name}`,
      app_type: ['web', 'mobile'][index % 2],
      is_iframe: [true, false, null][index % 3],
      is_active: index !== 4,
      translation_group: `g${index}`,
      created_by: index % 4 === 0 ? app.caller : index % 4 === 1 ? system : '99999999-9999-4999-8999-999999999999',
      created_date: new Date(Date.UTC(2024, 0, 1 + (index % 5), 12, 0, 0, index)),
      modified_date: index % 2 ? new Date(Date.UTC(2025, 0, 1 + index)) : null,
      modified_by: index % 2 ? app.caller : null,
    });
    if (index === 0) firstGuid = application_guid;
    for (const scope of scopes.slice(0, index % 6))
      await newMapping(sql, application_id, scope, {
        state: index % 2 ? 'active' : 'off',
        individual_external_link: index % 4 ? 'https://x' : null,
      });
    await insert(sql, 'translations', {
      translation_group: `g${index % 7}`,
      field_name: `f${index}`,
      language_code: 'de',
      translated_text: name,
    });
  }
  applications = await plainRecords(sql, Application);
  mappings = await plainRecords(sql, AccessScopeApplicationsMapper);
});
afterAll(() => app.close());

const wanted = (text: string, record: RecordClass, rows: Plain[], key: string) => {
  const { filter } = readOptions(`$filter=${encodeURIComponent(text)}`, modelOf(record));
  return rows.filter((row) => evaluate(filter!, row)).map((row) => row[key]);
};

describe('a filter of applications keeps what JavaScript keeps', () => {
  it.each([
    "name eq 'Gate'",
    "name ne 'Gate'",
    "'Gate' eq name",
    "name eq 'O''Hara'",
    "name gt 'a'",
    "name ge '～ down'",
    "name lt '😀'",
    "name gt '～'",
    "name eq 'é'",
    "name eq 'é'",
    "contains(name,'%')",
    "contains(name,'_')",
    "contains(name,'\\')",
    "startswith(name,'100%')",
    "endswith(name,'')",
    "contains(name,'')",
    "endswith(name,'wn')",
    "startswith(name,'😀')",
    "tolower(name) eq 'gate'",
    "toupper(name) eq 'STRASSE'",
    "tolower(name) eq 'ας'",
    "tolower(name) eq 'i̇stanbul'",
    "trim(name) eq 'spaced'",
    'length(name) eq 4',
    'length(name) gt 6',
    "length(name) eq length('😀 up')",
    'description eq null',
    'description ne null',
    "description ne 'x'",
    "description eq ''",
    'not (description eq null)',
    "not contains(description,'a')",
    "contains(description,'a') or isActive",
    "contains(description,'a') and isActive",
    "contains(description,'a') eq null",
    'contains(description,null)',
    'description gt null',
    'description ge null',
    'null eq null',
    'null ne null',
    'description le description',
    'isIframe',
    'not isIframe',
    'isIframe eq true',
    'isIframe ne true',
    'isIframe eq null',
    'isIframe gt false',
    'isActive eq false',
    'true',
    'false',
    'not false',
    'null',
    'applicationId eq 1',
    'applicationId in (1,2,99)',
    'applicationId in ()',
    'applicationId eq 1.5',
    'applicationId gt 1.5',
    'applicationId lt 1e300',
    'applicationId ge -99999999999',
    'applicationId in (1.0,2.5)',
    "name in ('Gate','gate',null)",
    'description in (null)',
    "description in ('',null)",
    'null in (null)',
    "'a' in ('a')",
    "'a' eq 'b'",
    "'～' lt '😀'",
    '1 lt 2.5',
    'createdDate gt 2024-01-02',
    'createdDate eq 2024-01-01T12:00:00.000Z',
    'createdDate eq 2024-01-01T14:00:00+02:00',
    'createdDate eq 2024-01-01T12:00:00.0000001Z',
    'createdDate ne 2024-01-01T12:00:00.0000001Z',
    'createdDate gt 2024-01-01T12:00:00.0000001Z',
    'createdDate ge 2024-01-01T12:00:00.0000001Z',
    'createdDate lt 2024-01-01T12:00:00.0000001Z',
    'createdDate le 2024-01-01T12:00:00.0000001Z',
    '2024-01-01T12:00:00.0000001Z lt createdDate',
    '2024-01-01T12:00:00.0000001Z ge createdDate',
    'modifiedDate le 2025-01-02T00:00:00.0001Z',
    'modifiedDate eq null',
    'modifiedDate gt createdDate',
    'modifiedDate ge modifiedDate',
    'createdDate in (2024-01-01T12:00:00Z,2024-01-01T12:00:00.0000001Z)',
    "createdDate lt '2024-01-03'",
    '2024-01-01T00:00:00.1234567Z eq 2024-01-01T00:00:00.1234567Z',
    '2024-01-01T00:00:00.1234567Z lt 2024-01-01T00:00:00.1234568Z',
    '0001-01-01 lt createdDate',
    '2024-01-01T00:00:00.1234567Z in (2024-01-01T00:00:00.1234567Z)',
    'modifiedBy eq null',
    'createdBy eq 00000000-0000-0000-0000-000000000001',
    'createdBy gt 10000000-0000-0000-0000-000000000001',
    "createdBy in ('{00000000-0000-0000-0000-000000000001}',null)",
    "createdByNavigation/firstName eq 'Grace'",
    "createdByNavigation/firstName ne 'Grace'",
    'createdByNavigation/firstName eq null',
    "contains(createdByNavigation/lastName,'x') or true",
    'tolower(createdByNavigation/firstName) eq tolower(modifiedByNavigation/firstName)',
    'createdByNavigation/userId ge modifiedByNavigation/userId',
    'accessScopeApplicationsMappers/any()',
    'not accessScopeApplicationsMappers/any()',
    "accessScopeApplicationsMappers/any(m: m/state eq 'active')",
    "accessScopeApplicationsMappers/any(m: m/accessScope/name eq 'Scope 3')",
    'accessScopeApplicationsMappers/any(m: m/individualExternalLink eq null)',
    'accessScopeApplicationsMappers/any(m: not m/accessScope/isActive and applicationId gt 5)',
    'translations/any()',
    'translations/any(t: t/translatedText eq name)',
    "accessScopeApplicationsMappers/any(m: m/application/translations/any(t: t/fieldName eq 'f3' and m/accessScope/accessScopeKey eq 'key-1'))",
    'accessScopeApplicationsMappers/any(m: m/application/name eq name and $it/isActive)',
    "accessScopeTypeApplicationsMappers/any(m: m/state eq 'x')",
    "name eq ''' or 1=1 --'",
    "name eq '$1'",
    "(name eq 'Gate' or name eq 'gate') and not (appType eq 'mobile')",
    "name eq 'Gate' or name eq 'gate' and appType eq 'mobile'",
    'accessScopeApplicationsMappers/any(m: null)',
    "name eq 'a&b+c'",
    'tolower(null) eq null',
    "startswith('abc','a')",
    "not (name eq 'Gate') eq true",
    '(description eq null) eq (modifiedDate eq null)',
  ])('%s', async (text) => {
    const expected = wanted(text, Application, applications, 'applicationId');
    const answer = await app.call(
      'GET',
      `/api/applications?$select=applicationId&$count=true&$filter=${encodeURIComponent(text)}`,
    );
    expect([answer.status, answer.json]).toEqual([200, expected.map((applicationId) => ({ applicationId }))]);
    expect(answer.headers.get('x-total-count')).toBe(String(expected.length));
  });

  it('whatever the filter is', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryFilter(2), async (filter) => {
        const text = write(filter, 'all');
        const answer = await app.call(
          'GET',
          `/api/applications?$select=applicationId&$filter=${encodeURIComponent(text)}`,
        );
        const expected = wanted(text, Application, applications, 'applicationId');
        expect([text, answer.json]).toEqual([text, expected.map((applicationId) => ({ applicationId }))]);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a filter of mappings keeps what JavaScript keeps', () => {
  it.each([
    "accessScope/name eq 'Scope 1'",
    "accessScope/accessScopeType/isActive and application/name ne 'x'",
    "contains(accessScope/description,'😀')",
    "state eq 'active'",
    'individualExternalLink ne null',
    "application/translations/any(t: t/languageCode eq 'de')",
    'application/accessScopeApplicationsMappers/any(m: m/accessScopeId eq accessScopeId)',
  ])('%s', async (text) => {
    const { applicationId, applicationGuid } = applications[5] as { applicationId: number; applicationGuid: string };
    const own = mappings.filter((mapping) => mapping.applicationId === applicationId);
    const expected = wanted(text, AccessScopeApplicationsMapper, own, 'accessScopeId');
    const answer = await app.call(
      'GET',
      `/api/applications/${applicationGuid}/accessScopes?$select=accessScopeId&$count=true&$filter=${encodeURIComponent(text)}`,
    );
    expect([answer.status, answer.json]).toEqual([200, expected.map((accessScopeId) => ({ accessScopeId }))]);
    expect(answer.headers.get('x-total-count')).toBe(String(expected.length));
  });
});

it('createdDate eq the value shown finds its row', async () => {
  const { json } = await app.call('GET', '/api/applications?$top=1&$select=createdDate,applicationGuid');
  const found = await app.call(
    'GET',
    `/api/applications?$filter=createdDate eq ${json[0].createdDate} and applicationGuid eq ${firstGuid.toUpperCase()}`,
  );
  expect(found.json).toHaveLength(1);
});

describe('an order', () => {
  const order = async (text: string) =>
    (await app.call('GET', `/api/applications?$select=applicationId&$orderby=${encodeURIComponent(text)}`)).json.map(
      (row: Plain) => row.applicationId,
    );
  const codePoints = (text: string) => Buffer.from(text, 'utf8');

  it('goes by code point, then by number', async () => {
    const sorted = [...applications].sort(
      (a, b) =>
        Buffer.compare(codePoints(a.name as string), codePoints(b.name as string)) ||
        Number(a.applicationId) - Number(b.applicationId),
    );
    expect(await order('name')).toEqual(sorted.map((row) => row.applicationId));
  });

  it('has nulls first when ascending, last when descending, and further keys', async () => {
    const rank = (row: Plain) => (row.description === null ? '' : `x${row.description}`);
    const sorted = [...applications].sort(
      (a, b) =>
        Buffer.compare(codePoints(rank(a)), codePoints(rank(b))) || Number(b.applicationId) - Number(a.applicationId),
    );
    expect(await order('description,applicationId desc')).toEqual(sorted.map((row) => row.applicationId));
    expect(await order('description desc,applicationId')).toEqual(sorted.map((row) => row.applicationId).reverse());
  });

  it('follows to-one paths', async () => {
    const rank = (row: Plain) => (row.createdByNavigation as Plain | null)?.firstName ?? '';
    const sorted = [...applications].sort(
      (a, b) =>
        (rank(a) < rank(b) ? -1 : Number(rank(a) > rank(b))) || Number(a.applicationId) - Number(b.applicationId),
    );
    expect(await order('createdByNavigation/firstName')).toEqual(sorted.map((row) => row.applicationId));
  });

  it('is cut by $skip and $top, and counted whole', async () => {
    const all = await order('name desc');
    const page = await app.call(
      'GET',
      '/api/applications?options=' +
        encodeURIComponent('$orderby=name desc&$skip=3&$top=4&$select=applicationId&$count=true'),
    );
    expect(page.json.map((row: Plain) => row.applicationId)).toEqual(all.slice(3, 7));
    expect(page.headers.get('x-total-count')).toBe(String(names.length));
    expect((await app.call('GET', '/api/applications?$top=0')).json).toEqual([]);
    expect((await app.call('GET', '/api/applications?$skip=2147483647')).json).toEqual([]);
  });
});

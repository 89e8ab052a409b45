/** The SQL of each operation: the same statements at 1, 10 and 1,000 applications, and only what is asked for. */
import { isJudgement } from '../support/callers.js';
import { createProxiedDatabase } from '../support/proxiedDatabase.js';
import { newApplicationBody, newScopes, type RestApp, startRestApp, system } from './restApp.js';

let app: RestApp;
let guid: string;
let scopes: string[];
let count = 0;
beforeAll(async () => {
  app = await startRestApp();
  scopes = await newScopes(app.sql, 20);
});
afterAll(() => app.close());

/** Applications until there are so many, each with all the scopes and a translation. */
const growTo = async (wanted: number) => {
  const rows = await app.sql.rows<{ application_guid: string }>(
    `with made as (insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, translation_group, created_by)
       select 'A' || i, 'i', 'h', 'web', 'tile', 'internal', 'g' || i, $1 from generate_series($2::integer, $3::integer) i returning *),
     mapped as (insert into access_scope_applications_mappers (application_id, access_scope_id, created_by)
       select application_id, access_scope_id, $1 from made, access_scopes where access_scope_guid = any($4)),
     translated as (insert into translations (translation_group, field_name, language_code, translated_text)
       select translation_group, 'name', 'de', 'A' from made)
     select application_guid from made`,
    [system, count + 1, wanted, scopes],
  );
  count = wanted;
  guid = rows[0]!.application_guid;
};

const statementsOf = async (method: string, path: string, body?: unknown) => {
  app.takeStatements();
  const answer = await app.call(method, path, { body: body as object });
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
  return app
    .takeStatements()
    .filter((text) => !isJudgement(text))
    .map((text) =>
      text.replace(/\s+/g, ' ').replace(/'\{.*\}'|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, '…'),
    );
};

const reads: [string, () => string][] = [
  ['GET /api/applications', () => '/api/applications'],
  [
    'GET /api/applications with options',
    () =>
      `/api/applications?$filter=contains(tolower(name),'a') and createdByNavigation/firstName eq null and accessScopeApplicationsMappers/any(m: m/accessScope/name eq 'Scope 3')&$orderby=createdByNavigation/lastName desc,name&$top=5&$skip=1&$count=true&$select=name&$expand=translations`,
  ],
  ['GET /api/applications?$select=name', () => '/api/applications?$select=name'],
  ['GET /api/applications/{guid}', () => `/api/applications/${guid}`],
  ['GET …/accessScopes', () => `/api/applications/${guid}/accessScopes`],
];

it('the statements of a read are the same at 1, 10 and 1,000 applications', async () => {
  const seen: Record<string, string[]>[] = [];
  for (const wanted of [1, 10, 1_000]) {
    await growTo(wanted);
    const statements: Record<string, string[]> = {};
    for (const [name, path] of reads) statements[name] = await statementsOf('GET', path());
    seen.push(statements);
  }
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
  expect(seen[0]).toMatchSnapshot();
});

it('the statements of a change are the same at 1 and at 20 items', async () => {
  const database = await createProxiedDatabase();
  const own = await startRestApp({ DATABASE_URL: database.proxy.url });
  const given = await newScopes(own.sql, 20);
  const { json } = await own.call('POST', '/api/applications', { body: newApplicationBody() });
  const path = `/api/applications/${json.applicationGuid}/accessScopes`;
  /** On the wire: what the ORM sends, and what passes it. */
  const countOf = async (method: string, path: string, body: unknown) => {
    database.proxy.takeStatements();
    const answer = await own.call(method, path, { body });
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    return database.proxy.takeStatements().filter((text) => !isJudgement(text)).length;
  };
  const counts: number[][] = [];
  for (const scopes of [given.slice(0, 1), given]) {
    const items = scopes.map((accessScopeGuid) => ({ accessScopeGuid }));
    const changed = items.map((item) => ({ ...item, state: 'x' }));
    counts.push([
      await countOf('POST', path, items),
      await countOf('PATCH', path, changed),
      await countOf('POST', `${path}:delete`, items),
    ]);
  }
  expect(counts[1]).toEqual(counts[0]);
  for (const count of counts[0]!) expect(count).toBeLessThan(12);
  expect(await countOf('POST', '/api/applications', newApplicationBody())).toBeLessThan(12);
  await own.close();
  await database.drop();
});

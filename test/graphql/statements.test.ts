/** Statements depend on the query's depth alone; query, statements and answer stand side by side in the snapshots. */

import { isJudgement } from '../support/callers.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
const parents = 1_000;
/** Author n is user n. */
const author = `('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const record = (table: string, name: string) => `(select ${table}_id from ${table}s where name = '${name} ' || n)`;
const fill = [
  `insert into users (user_guid, first_name, created_by) select ${author}, 'User ' || n, ${author}`,
  `insert into roles (role_id, name, created_by) select 'role ' || n, 'Role ' || n, ${author}`,
  `insert into profiles (profile_id, name, created_by) select 'profile ' || n, 'Profile ' || n, ${author}`,
  `insert into user_profiles (user_id, profile_id, role_id, created_by)
   select (select user_id from users where user_guid = ${author}), 'profile ' || n, 'role ' || n, ${author}`,
  `insert into access_scope_types (name, created_by) select 'type ' || n, ${author}`,
  `insert into access_scopes (name, access_scope_key, access_scope_type_id, translation_group, created_by)
   select 'scope ' || n, 'key ' || n, ${record('access_scope_type', 'type')}, 'scope ' || n, ${author}`,
  `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
   select 'profile ' || n, ${record('access_scope', 'scope')}, ${author}`,
  `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, translation_group, created_by)
   select 'app ' || n, 'i', 'h', 'web', 'r', 'l', 'app ' || n, ${author}`,
  `insert into access_scope_applications_mappers (application_id, access_scope_id, created_by)
   select ${record('application', 'app')}, ${record('access_scope', 'scope')}, ${author}`,
  `insert into access_scope_type_applications_mappers (application_id, access_scope_type_id, created_by)
   select ${record('application', 'app')}, ${record('access_scope_type', 'type')}, ${author}`,
  `insert into translations (translation_group, field_name, language_code, translated_text)
   select 'app ' || n, 'name', 'de', 'Anwendung ' || n`,
  `insert into tokens (user_id, profile_id, token, created_at, expires_at)
   select ${author}, 'profile ' || n, decode(md5(n::text), 'hex'), now(), now() + interval '1 day'`,
];

beforeAll(async () => {
  graph = await startTestGraph({ GRAPHQL_COMPLEXITY_MAX: '100000000' });
  for (const text of fill) await graph.app.context.sql.rows(`${text} from generate_series(1, ${parents}) n`);
  await graph.app.context.sql.rows('analyze');
});
afterAll(() => graph?.close());

const page = 'first: $n, filter: { name: { startsWith: "app" } }';
const queries: [string, string][] = [
  [
    'applications with mappings',
    `applications(${page}) { nodes { name accessScopeApplicationsMappers { nodes { state } } } }`,
  ],
  [
    'relations to one are joined',
    `applications(${page}) { nodes { createdByNavigation { firstName createdByNavigation { firstName } } accessScopeApplicationsMappers { nodes { createdByNavigation { firstName } accessScope { name accessScopeType { name createdByNavigation { firstName } } } } } } }`,
  ],
  [
    'six levels down and up again',
    `applications(${page}) { nodes { accessScopeApplicationsMappers(first: 3) { nodes { accessScope { profileAccessScopes(first: 3) { nodes { profile { userProfiles(first: 3) { nodes { user { userProfiles(first: 3) { nodes { role { userProfiles(first: 3) { nodes { profile { name } } } } } } } } } } } } } } } } }`,
  ],
  [
    'siblings',
    `applications(${page}) { nodes { translations { nodes { translatedText } } accessScopeApplicationsMappers { nodes { accessScopeId } } accessScopeTypeApplicationsMappers { nodes { accessScopeType { name } } } } }`,
  ],
  [
    'pages and counts of nested connections',
    `applications(${page}) { totalCount nodes { accessScopeApplicationsMappers(first: 1) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { accessScopeId } } } } }`,
  ],
  [
    'nested filters and orderings',
    `applications(${page}) { nodes { accessScopeApplicationsMappers(filter: { accessScope: { accessScopeType: { name: { startsWith: "type" } } } }, orderBy: [{ accessScope: { name: DESC } }]) { nodes { accessScope { name } } } } }`,
  ],
  [
    'aliases of one relation',
    `applications(${page}) { nodes { all: translations { totalCount } german: translations(filter: { languageCode: { eq: "de" } }) { nodes { translatedText } } } }`,
  ],
  [
    'scopes, their types and applications',
    'accessScopes(first: $n, filter: { name: { startsWith: "scope" } }) { nodes { name accessScopeType { accessScopeTypeApplicationsMappers { nodes { application { name accessScopeApplicationsMappers { nodes { accessScope { name } } } } } } } } }',
  ],
  [
    'types and their scopes',
    'accessScopeTypes(first: $n, filter: { name: { startsWith: "type" } }) { nodes { accessScopes { nodes { name accessScopeApplicationsMappers(first: 3) { nodes { application { translations(first: 3) { nodes { languageCode } } } } } } } } }',
  ],
  [
    'users, profiles, scopes',
    'users(first: $n) { nodes { firstName userProfiles { nodes { role { name } profile { profileAccessScopes { nodes { accessScope { name accessScopeType { name } } } } } } } } }',
  ],
  [
    'users and their tokens',
    'users(first: $n) { nodes { tokens { totalCount nodes { expiresAt profile { name userProfiles { nodes { roleId } } } } } } }',
  ],
  [
    'a fragment spread twice',
    `applications(${page}) { nodes { createdByNavigation { ...Held } accessScopeApplicationsMappers { nodes { createdByNavigation { ...Held } } } } }`,
  ],
];
const fragment = 'fragment Held on User { userProfiles { nodes { profile { name } } } }';

it.each(queries)('%s', async (_name, fields) => {
  const query = `query ($n: Int!) { ${fields} } ${fields.includes('...Held') ? fragment : ''}`;
  const counts: number[] = [];
  let shown: object = {};
  for (const n of [1, 10, parents]) {
    graph.app.takeStatements();
    const data = await graph.data(query, { n });
    const statements = graph.app.takeStatements().filter((text) => !isJudgement(text));
    counts.push(statements.length);
    // sorted: statements of one level run at the same time
    if (n === 1) shown = { query: query.replaceAll(/\s+/g, ' ').trim(), statements: statements.sort(), data };
    else expect(Object.values(data as Record<string, { nodes: object[] }>)[0]!.nodes).toHaveLength(n);
  }
  expect(new Set(counts).size).toBe(1);
  expect(JSON.parse(JSON.stringify(shown).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'))).toMatchSnapshot();
});

/** Nodes and edges that are answered as bytes: the same answer, to the byte, as objects give. */
import { newApplication, newScope, newScopeType, newUser } from '../support/records.js';
import { openFace, startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
let askForObjects: (query: string, variables?: object) => Promise<string>;
// whatever JSON writes in its own way, and what stands between the elements of an array
const hardTexts = [
  'plain',
  'a, b',
  '", "',
  '\\", "',
  'ends with ", ',
  'ends with \\',
  '"',
  '\\\\"',
  'null',
  'null, null',
  '[1, 2]',
  '"2026-01-02T03:04:05+00:00"',
  'line\nreturn\rtab\tbell\u0007delete\u007f',
  'emoji 👩‍👩‍👧 and ß \u2028 \u2029 \ufeff',
  '{"nodes":"\\u0000"}',
  '',
];

beforeAll(async () => {
  graph = await startTestGraph();
  askForObjects = await openFace(graph.app);
  const { context } = graph.app;
  const author = await newUser(context, { first_name: 'Gra"ce, \\ 😀' });
  const typeId = await newScopeType(context, 'de"pot, \\');
  for (const [index, text] of hardTexts.entries()) {
    const scope = await newScope(context, typeId, undefined, {
      access_scope_key: `key ${index}`,
      name: text || 'empty',
      description: index % 3 === 0 ? null : text,
      created_by: index % 2 === 0 ? author.user_guid : '00000000-0000-4000-8000-00000000ffff',
      created_date: `2026-01-02T03:04:05.${String(index * 60).padStart(3, '0')}Z`,
      modified_date: index % 4 === 0 ? null : '1999-12-31T23:59:59Z',
    });
    const { application_id } = await newApplication(context, {
      name: `App ${index} ${text}`,
      description: index % 2 === 0 ? text : null,
      translation_group: `app ${index}`,
      created_by: author.user_guid,
    });
    for (let mapping = 0; mapping < index % 4; mapping++)
      await context.sql.rows(
        `insert into access_scope_applications_mappers (application_id, access_scope_id, individual_external_link, created_by)
         select $1, access_scope_id, $3, $2 from access_scopes where access_scope_guid <> $4 order by access_scope_id desc offset $5 limit 1`,
        [application_id, author.user_guid, text || null, scope.access_scope_guid, mapping],
      );
  }
});
afterAll(() => graph?.close());

const mappers = 'accessScopeApplicationsMappers';

it.each([
  [
    'every type of field',
    '{ accessScopes { nodes { accessScopeId accessScopeGuid name description isActive createdDate modifiedDate createdBy revision } } }',
  ],
  [
    'relations to one, there or not',
    '{ accessScopes { nodes { name createdByNavigation { firstName createdByNavigation { firstName } } modifiedByNavigation { firstName } accessScopeType { name createdDate } } } }',
  ],
  [
    'in a nested connection',
    `{ applications { nodes { name ${mappers} { nodes { individualExternalLink accessScope { name accessScopeType { name } } } } } } }`,
  ],
  [
    'aliases, and one relation under two of them',
    '{ accessScopes { all: nodes { a: name b: name one: accessScopeType { name } two: accessScopeType { accessScopeTypeId x: name } __typename } nodes { description } } }',
  ],
  [
    'fragments, spread twice and merged',
    'query { accessScopes { nodes { ...A ...B ... on AccessScope { name } accessScopeType { isActive } } } } fragment A on AccessScope { name accessScopeType { name } } fragment B on AccessScope { description ...A __typename }',
  ],
  [
    'nodes that are merged',
    '{ accessScopes { nodes { name } nodes { description accessScopeType { name } } } accessScopes { nodes { isActive } } }',
  ],
  [
    'nodes merged with others that hold a connection',
    `{ applications(first: 20) { nodes { name } nodes { ${mappers}(first: 5) { nodes { state } nodes { application { name ${mappers}(first: 5) { nodes { accessScopeId } } } } } } } }`,
  ],
  [
    'beside edges, counts and page',
    `{ applications { nodes { name ${mappers}(first: 1, orderBy: [{ accessScope: { name: DESC } }]) { totalCount nodes { accessScope { name } } edges { cursor node { accessScopeId accessScope { description } } } pageInfo { hasNextPage startCursor endCursor } } } } }`,
  ],
  [
    'edges, with cursors and without',
    `{ applications { edges { node { name createdByNavigation { firstName } } } edgesToo: edges { __typename at: cursor node { a: name __typename } cursor } } }`,
  ],
  [
    'edges in a nested connection, of an ordering that has null',
    `{ applications(last: 9) { nodes { ${mappers}(first: 2, orderBy: [{ individualExternalLink: DESC }]) { edges { cursor node { individualExternalLink accessScope { name accessScopeType { name } } } } pageInfo { startCursor endCursor hasNextPage } } } } }`,
  ],
  [
    'edges, some of which hold a connection',
    `{ applications(first: 12) { edges { node { name } } edges { node { ${mappers}(first: 2) { edges { ...E } } } } pageInfo { endCursor } } } fragment E on AccessScopeApplicationsMapperEdge { cursor node { state ... on AccessScopeApplicationsMapper { accessScopeId } } }`,
  ],
  [
    'edges without their records, and on no page',
    `{ applications(first: 3) { edges { cursor } } accessScopes(first: 0) { edges { cursor node { name } } } }`,
  ],
  ['the last ones', `{ applications(last: 3) { nodes { name } pageInfo { hasPreviousPage } } }`],
  [
    'none',
    '{ applications(filter: { name: { eq: "no such" } }) { nodes { name createdByNavigation { firstName } } totalCount } }',
  ],
  ['none asked for', `{ applications(first: 0) { nodes { name ${mappers}(first: 0) { nodes { state } } } } }`],
  [
    'JSON, big numbers and keys that are text',
    '{ auditEvents(last: 5) { nodes { auditEventId action detail occurredAt } } roles { nodes { roleId name } } profiles { nodes { profileId name } } }',
  ],
])('%s', async (_name, query) => {
  const answers: string[] = [];
  for (let use = 0; use < 3; use++) answers.push((await graph.ask(query)).text);
  expect(answers[0]).toContain('"data":{');
  expect(answers[0]).not.toContain('"errors"');
  expect(answers[1]).toBe(answers[0]);
  expect(answers[2]).toBe(answers[0]);
  expect(await askForObjects(query)).toBe(answers[0]);
});

it('a record that may not be read is refused as before', async () => {
  const query = '{ accessScopes { nodes { name } } tokens { nodes { id profile { name } } } }';
  const token = graph.token(['admin:none']);
  const [first, second] = [await graph.ask(query, undefined, token), await graph.ask(query, undefined, token)];
  expect(first.json.errors).toHaveLength(2);
  expect(second.json.errors).toHaveLength(2);
  expect(JSON.stringify(second.json.errors[0].extensions.code)).toBe(
    JSON.stringify(first.json.errors[0].extensions.code),
  );
  expect(second.json.data ?? null).toBeNull();
});

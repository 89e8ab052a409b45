/** What a caller may ask at most, and what attackers get: a clear error, at once. */
import { createHash, randomUUID } from 'node:crypto';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const nested = (levels: number) =>
  `{ applications(first: 1) { nodes { ${'createdByNavigation { '.repeat(levels)} firstName ${'}'.repeat(levels)} } } }`;
const exploding = (levels: number) => {
  const fragments = Array.from({ length: levels }, (_, index) => {
    const inner = index === levels - 1 ? 'firstName' : `...F${index + 1}`;
    return `fragment F${index} on User { a: createdByNavigation { ${inner} } b: modifiedByNavigation { ${inner} } }`;
  });
  return `{ users { nodes { ...F0 } } } ${fragments.join(' ')}`;
};

it.each([
  ['depth 50', nested(50), 'TOO_LARGE', 'depth'],
  [
    '1,000 aliases, in fewer tokens',
    `{ ${Array.from({ length: 180 }, (_, index) => `a${index}: __typename`).join(' ')} }`,
    'TOO_LARGE',
    'aliases',
  ],
  ['many root fields', `{ ${'__typename '.repeat(21)} }`, 'TOO_LARGE', 'root fields'],
  [
    'many records',
    '{ applications(first: 1000) { nodes { accessScopeApplicationsMappers(first: 1000) { nodes { state } } } } }',
    'TOO_LARGE',
    'complexity',
  ],
  ['exploding fragments', exploding(8), 'TOO_LARGE', 'relations'],
  ['a wide query', exploding(4), undefined, undefined],
  ['exploding fragments, more', exploding(20), 'TOO_LARGE', 'selections'],
  [
    'fragments in cycles',
    '{ users { nodes { ...A } } } fragment A on User { createdByNavigation { ...B } } fragment B on User { createdByNavigation { ...A } }',
    'GRAPHQL_VALIDATION_FAILED',
    undefined,
  ],
  [
    'a flood of directives',
    `{ __typename ${'@skip(if: false) '.repeat(400)} }`,
    'GRAPHQL_VALIDATION_FAILED',
    undefined,
  ],
  [
    'a flood of unknown directives',
    `{ __typename ${'@nothing '.repeat(1_000)} }`,
    'GRAPHQL_VALIDATION_FAILED',
    undefined,
  ],
  ['many tokens', `{ ${'applications { nodes { name } } '.repeat(1_000)} }`, 'TOO_LARGE', 'tokens'],
  ['braces without end', '{'.repeat(50_000), 'GRAPHQL_PARSE_FAILED', undefined],
  ['a long text', `{ application(applicationGuid: "${'x'.repeat(300_000)}") { name } }`, 'TOO_LARGE', 'characters'],
  ['many equal fields', `{ applications { nodes { ${'name '.repeat(2_500)} } } }`, 'TOO_LARGE', 'selections'],
  ['equal fields', `{ applications { nodes { ${'name '.repeat(190)} } } }`, undefined, undefined],
])('%s', async (_name, query, code, limit) => {
  await graph.post({ query: '{ __typename }' });
  const start = process.cpuUsage();
  const { status, json, text } = await graph.post({ query });
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(900);
  expect(text.length).toBeLessThan(60_000);
  if (!code) return expect(json.errors ?? status).toBe(200);
  expect(status).toBe(400);
  expect(json.errors[0].extensions).toMatchObject({ code, traceId: expect.any(String), ...(limit && { limit }) });
});

it('complexity counts what a variable says, in a persisted query too', async () => {
  const query =
    'query ($n: Int) { applications(first: $n) { nodes { accessScopeApplicationsMappers(first: $n) { nodes { state } } } } }';
  const persistedQuery = { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') };
  const by = (variables: object, more: object) => graph.post({ variables, extensions: { persistedQuery }, ...more });
  expect((await by({ n: 2 }, {})).json.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
  expect((await by({ n: 2 }, { query })).json.data).toBeDefined();
  expect((await by({ n: 3 }, {})).json.data).toBeDefined();
  const { status, json } = await by({ n: 1_000 }, {});
  expect([status, json.errors[0].extensions.limit]).toEqual([400, 'complexity']);
  expect((await by({ n: 2 }, { query: '{ __typename }' })).status).toBe(400);
});

const threeLists = (first: string) =>
  `applications${first} { nodes { accessScopeApplicationsMappers${first} { nodes { accessScope { profileAccessScopes${first} { nodes { profileId } } } } } } }`;

const guid = randomUUID();
const mapped = `applicationGuid: "${guid}", items`;
const answered = '{ application { accessScopeApplicationsMappers(first: 1000) { nodes { state } } } }';
const items = Array.from({ length: 100 }, () => ({ accessScopeGuid: guid }));

it.each([
  [
    'items of a change',
    `mutation ($items: [AccessScopeApplicationsMapperCreateInput!]!) { createAccessScopeApplicationsMappers(${mapped}: $items) ${answered} }`,
  ],
  [
    'items of a change that are written out',
    `mutation { updateAccessScopeApplicationsMappers(${mapped}: [${`{ accessScopeGuid: "${guid}" } `.repeat(100)}]) ${answered} }`,
  ],
  ['first of a list', '{ usage(first: 100) { callerNavigation { userProfiles(first: 1000) { totalCount } } } }'],
  ['what a list has by itself', '{ usage { callerNavigation { userProfiles(first: 1000) { totalCount } } } }'],
])('complexity counts the %s', async (_, query) => {
  const { status, json } = await graph.post({ query, variables: { items } });
  expect([status, json.errors[0].extensions.limit]).toEqual([400, 'complexity']);
});

it('complexity is judged by the page sizes as asked, also by variables alone', async () => {
  const query = `query ($n: Int) { ${threeLists('(first: $n)')} }`;
  expect((await graph.post({ query, variables: { n: 20 } })).json.data).toBeDefined();
  expect((await graph.post({ query, variables: { n: 60 } })).json.errors[0].extensions.limit).toBe('complexity');
  expect((await graph.post({ query })).json.errors[0].extensions.limit).toBe('complexity');
});

it('three lists without sizes are told which would fit, and that does', async () => {
  const { status, json } = await graph.post({ query: `{ ${threeLists('')} }` });
  const { code, limit, first, at } = json.errors[0].extensions;
  expect([status, code, limit, at]).toEqual([
    400,
    'TOO_LARGE',
    'complexity',
    ['applications', 'accessScopeApplicationsMappers', 'profileAccessScopes'],
  ]);
  expect(json.errors[0].message).toContain(
    `Use first: ${first} for applications, accessScopeApplicationsMappers, profileAccessScopes.`,
  );
  expect((await graph.post({ query: `{ ${threeLists(`(first: ${first})`)} }` })).json.data).toBeDefined();
  expect(
    (await graph.post({ query: `{ ${threeLists(`(first: ${first + 1})`)} }` })).json.errors[0].extensions.limit,
  ).toBe('complexity');
});

it('a refused query that states its page sizes is advised to use smaller pages', async () => {
  const { json } = await graph.post({ query: `{ ${threeLists('(first: 1000)')} }` });
  expect(json.errors[0].message).toBe(
    'The query may answer with far too many records; the limit is 100000. Use smaller pages.',
  );
});

it('a filter nested without end is refused, not followed', async () => {
  const text = `${'{"not":'.repeat(100_000)}{}${'}'.repeat(100_000)}`;
  const { status, json } = await graph.post(
    `{"query":"query ($f: ApplicationFilter) { applications(filter: $f) { totalCount } }","variables":{"f":${text}}}`,
  );
  expect([status, json.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
});

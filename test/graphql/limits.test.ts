/** What a caller may ask at most, and what attackers get: a clear error, at once. */
import { createHash } from 'node:crypto';
import { getIntrospectionQuery } from 'graphql';
import { isJudgement } from '../support/callers.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
let closed: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
  closed = await startTestGraph({ GRAPHQL_INTROSPECTION: 'no', GRAPHIQL: 'no' });
});
afterAll(() => Promise.all([graph?.close(), closed?.close()]));

const post = (body: unknown, headers: Record<string, string> = {}) =>
  graph.app.post('/graphql', body, { authorization: `Bearer ${graph.token()}`, ...headers });

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
  await post({ query: '{ __typename }' });
  const start = process.cpuUsage();
  const { status, json, text } = await post({ query });
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(900);
  expect(text.length).toBeLessThan(60_000);
  if (!code) return expect(json.errors ?? status).toBe(200);
  expect(status).toBe(limit === 'relations' ? 200 : 400);
  expect(json.errors[0].extensions).toMatchObject({ code, traceId: expect.any(String), ...(limit && { limit }) });
});

it('complexity counts what a variable says, in a persisted query too', async () => {
  const query =
    'query ($n: Int) { applications(first: $n) { nodes { accessScopeApplicationsMappers(first: $n) { nodes { state } } } } }';
  const persistedQuery = { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') };
  const by = (variables: object, more: object) => post({ variables, extensions: { persistedQuery }, ...more });
  expect((await by({ n: 2 }, {})).json.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
  expect((await by({ n: 2 }, { query })).json.data).toBeDefined();
  expect((await by({ n: 3 }, {})).json.data).toBeDefined();
  const { status, json } = await by({ n: 1_000 }, {});
  expect([status, json.errors[0].extensions.limit]).toEqual([400, 'complexity']);
  expect((await by({ n: 2 }, { query: '{ __typename }' })).status).toBe(400);
});

const threeLists = (first: string) =>
  `applications${first} { nodes { accessScopeApplicationsMappers${first} { nodes { accessScope { profileAccessScopes${first} { nodes { profileId } } } } } } }`;

it('complexity is judged by the page sizes as asked, also by variables alone', async () => {
  const query = `query ($n: Int) { ${threeLists('(first: $n)')} }`;
  expect((await post({ query, variables: { n: 20 } })).json.data).toBeDefined();
  expect((await post({ query, variables: { n: 60 } })).json.errors[0].extensions.limit).toBe('complexity');
  expect((await post({ query })).json.errors[0].extensions.limit).toBe('complexity');
});

it('three lists without sizes are told which would fit, and that does', async () => {
  const { status, json } = await post({ query: `{ ${threeLists('')} }` });
  const { code, limit, first, at } = json.errors[0].extensions;
  expect([status, code, limit, at]).toEqual([
    400,
    'TOO_LARGE',
    'complexity',
    ['applications', 'accessScopeApplicationsMappers', 'profileAccessScopes'],
  ]);
  expect(json.errors[0].message).toContain(
    `It fits with first: ${first} at applications, accessScopeApplicationsMappers, profileAccessScopes.`,
  );
  expect((await post({ query: `{ ${threeLists(`(first: ${first})`)} }` })).json.data).toBeDefined();
  expect((await post({ query: `{ ${threeLists(`(first: ${first + 1})`)} }` })).json.errors[0].extensions.limit).toBe(
    'complexity',
  );
});

it('where sizes are said, and too large, smaller pages are all that can be advised', async () => {
  const { json } = await post({ query: `{ ${threeLists('(first: 1000)')} }` });
  expect(json.errors[0].message).toBe(
    'The query may answer with far too many records; the limit is 100000. It fits with smaller pages.',
  );
});

it('bodies: media type, size, JSON, shape', async () => {
  expect((await post('x'.repeat(10_000_000))).status).toBe(413);
  expect((await post({ query: '{ __typename }' }, { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await post('{')).status).toBe(400);
  expect((await post([{ query: '{ __typename }' }])).status).toBe(400);
  expect((await post({})).status).toBe(400);
  expect((await post({ query: 7 })).status).toBe(400);
  expect((await post({ query: '{ __typename }', variables: 'x' })).status).toBe(400);
  expect(
    (await post({ query: '{ __typename }' }, { accept: 'application/graphql-response+json' })).headers.get(
      'content-type',
    ),
  ).toContain('application/graphql-response+json');
});

it('methods, and GET against forgery from other sites', async () => {
  const get = (headers: Record<string, string>, query = '{ __typename }') =>
    fetch(`${graph.app.url}/graphql?query=${encodeURIComponent(query)}`, {
      headers: { authorization: `Bearer ${graph.token()}`, ...headers },
    });
  expect((await get({})).status).toBe(400);
  expect(await (await get({ 'apollo-require-preflight': 'yes' })).json()).toEqual({ data: { __typename: 'Query' } });
  expect((await get({ 'apollo-require-preflight': 'yes' }, 'mutation { rotateSigningKey { kid } }')).status).toBe(405);
  for (const method of ['PUT', 'OPTIONS'])
    for (const { app } of [graph, closed]) {
      const { status, headers } = await fetch(`${app.url}/graphql`, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, POST']);
    }
});

it('an operation that the document does not have, or does not tell from another, is a bad request', async () => {
  const two = 'query A { __typename } query B { viewer { profileId } }';
  for (const body of [
    { query: two },
    { query: two, operationName: 'C' },
    { query: '{ __typename }', operationName: 'A' },
  ]) {
    const { status, json } = await post(body);
    expect([status, json.errors[0].extensions.code]).toEqual([400, 'OPERATION_RESOLUTION_FAILURE']);
    expect(json.errors[0].message).toMatch(/^The document has /);
  }
  expect((await post({ query: two, operationName: 'A' })).json).toEqual({ data: { __typename: 'Query' } });
});

it.each([
  ['of another hash', { version: 1, sha256Hash: '0'.repeat(64) }],
  ['of another version', { version: 2, sha256Hash: '0'.repeat(64) }],
  ['that is no object', 'x'],
])('a persisted query %s is a bad request', async (_name, persistedQuery) => {
  const { status, json } = await post({ query: '{ __typename }', extensions: { persistedQuery } });
  expect([status, json.errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
  expect(json.errors[0].message).not.toMatch(/internal/i);
});

it('a subscription is a bad request, there are none', async () => {
  const { status, json } = await post({ query: 'subscription { applications { totalCount } }' });
  expect([status, json.data, json.errors[0].extensions.code]).toEqual([400, undefined, 'GRAPHQL_VALIDATION_FAILED']);
});

it('says where in the document a text is that no record can hold', async () => {
  const { json } = await post({ query: '{ profile(profileId: "\\u0000") { name } }' });
  expect(Object.keys(json.errors[0].extensions.problems)).toEqual(['query at 21']);
});

it('who calls is judged before the body', async () => {
  const { status, headers, json } = await graph.app.post('/graphql', 'x', { 'content-type': 'text/plain' });
  expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer resource_metadata=/)]);
  expect(json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  expect((await graph.app.post('/graphql', {}, { authorization: 'Bearer x.y.z' })).status).toBe(401);
});

it.each([
  ['__schema', '{ __schema { types { name } } }'],
  ['__type', '{ __type(name: "User") { name } }'],
  ['by alias', '{ harmless: __schema { types { name } } }'],
  ['in a fragment', '{ ...F } fragment F on Query { __schema { types { name } } }'],
  ['in an inline fragment', '{ ... on Query { __type(name: "User") { name } } }'],
  ['by skip', '{ __schema @skip(if: false) { types { name } } }'],
  ['whole', getIntrospectionQuery()],
])('with introspection off, %s tells nothing', async (_name, query) => {
  const { status, json } = await closed.ask(query);
  expect([status, json.errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  expect(json.data).toBeUndefined();
  expect((await graph.ask(query)).json.errors).toBeUndefined();
});

it.each([
  ['{ application { nam } }'],
  ['{ aplications { nodes { name } } }'],
  ['{ applications(fist: 1) { nodes { name } } }'],
  ['{ applications(filter: {nam: {eq: "x"}}) { nodes { name } } }'],
  ['{ applications(orderBy: [{name: ASCC}]) { nodes { name } } }'],
  ['query ($f: ApplicationFiltr) { applications(filter: $f) { nodes { name } } }'],
  ['{ users { nodes { ... on Usr { firstName } } } }'],
])('no error suggests a name: %s', async (query) => {
  expect((await closed.ask(query)).text).not.toMatch(/did you mean/i);
});

it('nor do errors of variables, and none repeats a value', async () => {
  const query =
    'query ($f: ApplicationFilter, $o: [ApplicationOrderBy!]) { applications(filter: $f, orderBy: $o) { nodes { name } } }';
  for (const variables of [
    { f: { nam: { eq: 'topsecret' } } },
    { o: [{ name: 'ASCC' }] },
    { f: { name: { eq: 5 } } },
    { f: { applicationGuid: { eq: 'topsecret' } } },
    { f: 'topsecret' },
  ]) {
    const { status, json, text } = await closed.ask(query, variables);
    expect([status, json.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
    expect(Object.keys(json.errors[0].extensions.problems)).toHaveLength(1);
    expect(text).not.toMatch(/did you mean|topsecret|ASCC/i);
  }
});

it.each([
  [
    'NUL in a variable',
    'query ($t: String) { applications(filter: {name: {eq: $t}}) { nodes { name } } }',
    { t: 'a\0b' },
    'filter.name.eq',
  ],
  [
    'a lone surrogate in a variable',
    'query ($t: String) { applications(filter: {name: {eq: $t}}) { nodes { name } } }',
    { t: 'a\ud800' },
    'filter.name.eq',
  ],
  [
    'NUL deep in a variable',
    'query ($f: ApplicationFilter) { applications(filter: $f) { nodes { name } } }',
    { f: { or: [{ name: { in: ['\0'] } }] } },
    'filter.or[0].name.in[0]',
  ],
  [
    'NUL in the document',
    '{ applications(filter: {name: {eq: "a\\u0000"}}) { nodes { name } } }',
    undefined,
    undefined,
  ],
  ['NUL in a cursor', '{ applications(after: "\\u0000") { nodes { name } } }', undefined, undefined],
  ['an Int past its range', 'query ($n: Int) { applications(first: $n) { nodes { name } } }', { n: 2 ** 31 }, 'first'],
  ['a negative page', '{ applications(first: -1) { nodes { name } } }', undefined, 'first'],
  ['a page of 1,001', '{ applications(first: 1001) { nodes { name } } }', undefined, 'first'],
  ['first and last', '{ applications(first: 1, last: 1) { nodes { name } } }', undefined, 'last'],
  [
    'a missing variable',
    'query ($g: UUID!) { application(applicationGuid: $g) { name } }',
    undefined,
    'applicationGuid',
  ],
  [
    'null for a required one',
    'query ($g: UUID!) { application(applicationGuid: $g) { name } }',
    { g: null },
    'applicationGuid',
  ],
  [
    'an id that is no number',
    '{ auditEvents(filter: {auditEventId: {eq: "x"}}) { nodes { action } } }',
    undefined,
    'filter.auditEventId.eq',
  ],
  [
    'two orderings in one item',
    '{ applications(orderBy: [{name: ASC, appType: ASC}]) { nodes { name } } }',
    undefined,
    'orderBy[0]',
  ],
  [
    'a time without offset',
    'query ($t: DateTime) { applications(filter: {createdDate: {gt: $t}}) { nodes { name } } }',
    { t: '2026-01-01T00:00:00' },
    'filter.createdDate.gt',
  ],
  [
    'the 31st of February',
    'query ($t: DateTime) { applications(filter: {createdDate: {gt: $t}}) { nodes { name } } }',
    { t: '2026-02-31T00:00:00Z' },
    'filter.createdDate.gt',
  ],
])('%s is BAD_USER_INPUT', async (_name, query, variables, path) => {
  const { json } = await graph.ask(query, variables);
  expect(json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  if (path) expect(Object.keys(json.errors[0].extensions.problems)).toEqual([path]);
});

it('a filter nested without end is refused, not followed', async () => {
  const text = `${'{"not":'.repeat(100_000)}{}${'}'.repeat(100_000)}`;
  const { status, json } = await post(
    `{"query":"query ($f: ApplicationFilter) { applications(filter: $f) { totalCount } }","variables":{"f":${text}}}`,
  );
  expect([status, json.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
});

it.each([[true], [false]])('@skip and @include choose what is read and answered: %s', async (yes) => {
  const query = `query ($yes: Boolean!) { applications(first: 1) @include(if: $yes) { totalCount }
    users(first: 1) { nodes { firstName @skip(if: $yes) lastName ...F @include(if: $yes) } pageInfo @include(if: $yes) { hasNextPage } } } fragment F on User { email }`;
  for (let time = 0; time < 3; time++) {
    graph.app.takeStatements();
    const data = await graph.data(query, { yes });
    expect('applications' in data).toBe(yes);
    const statements = graph.app.takeStatements().filter((text) => text.includes('users') && !isJudgement(text));
    expect(statements).toHaveLength(1);
    expect(statements[0]!.includes('"firstName"')).toBe(!yes);
    expect(statements[0]!.includes('"email"')).toBe(yes);
  }
});

it('a failure that nobody foresaw is masked, and the log knows it by its trace id', async () => {
  const { sql } = graph.app.context;
  await sql.rows('alter table roles rename to roles_gone');
  const { status, json, text } = await graph.ask('{ roles { nodes { name } } }');
  await sql.rows('alter table roles_gone rename to roles');
  expect(status).toBe(200);
  expect(json.errors[0]).toMatchObject({ message: 'Internal server error', extensions: { code: 'INTERNAL' } });
  expect(text).not.toContain('roles_gone');
  expect(graph.app.logged()).toContain(json.errors[0].extensions.traceId);
});

it('a database that is away is UNAVAILABLE, with status 503, compiled or not', async () => {
  const { dependencies } = graph.app.running;
  const { openReads } = dependencies;
  const query = '{ roles { nodes { name userProfiles { totalCount } } } } # away';
  for (let use = 0; use < 2; use++) await graph.data(query);
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  for (const asked of [query, '{ roles { nodes { name } } } # away'])
    try {
      dependencies.openReads = () => ({ ...openReads(), rows: () => Promise.reject(away) });
      const { status, json } = await graph.ask(asked);
      expect([status, json.errors.length, json.errors[0].extensions.code]).toEqual([503, 1, 'UNAVAILABLE']);
    } finally {
      dependencies.openReads = openReads;
    }
});

/** What the errors of the graph say, of the caller's faults and of our own, and what they never do. */
import { getIntrospectionQuery } from 'graphql';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
let closed: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
  closed = await startTestGraph({ GRAPHQL_INTROSPECTION: 'no' });
});
afterAll(() => Promise.all([graph?.close(), closed?.close()]));

it('says where in the document a text is that no record can hold', async () => {
  const { json } = await graph.post({ query: '{ profile(profileId: "\\u0000") { name } }' });
  expect(Object.keys(json.errors[0].extensions.problems)).toEqual(['query at 21']);
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
  [
    'a time that is in the year 10000 by UTC',
    'query ($t: DateTime) { applications(filter: {createdDate: {gt: $t}}) { nodes { name } } }',
    { t: '9999-12-31T23:59:59-14:00' },
    'filter.createdDate.gt',
  ],
  [
    'a time of before the year 1 by UTC',
    'query ($t: DateTime) { applications(filter: {createdDate: {gt: $t}}) { nodes { name } } }',
    { t: '0001-01-01T00:00:00+14:00' },
    'filter.createdDate.gt',
  ],
])('%s is BAD_USER_INPUT', async (_name, query, variables, path) => {
  const { json } = await graph.ask(query, variables);
  expect(json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  if (path) expect(Object.keys(json.errors[0].extensions.problems)).toEqual([path]);
});

it('a failure that nobody foresaw is masked, and the log knows it by its trace id', async () => {
  const { sql } = graph.app.context;
  await sql.rows('alter table roles rename to roles_gone');
  const { status, json, text } = await graph.ask('{ roles { nodes { name } } }');
  await sql.rows('alter table roles_gone rename to roles');
  expect(status).toBe(500);
  expect(json.errors[0]).toMatchObject({ message: 'Internal server error', extensions: { code: 'INTERNAL' } });
  expect(text).not.toContain('roles_gone');
  expect(graph.app.logged()).toContain(json.errors[0].extensions.traceId);
});

it('a database that is away is UNAVAILABLE, with status 503, at the first use of a query and later', async () => {
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

it.each([
  ['query={__typename}&operationName=', 200],
  ['operationName=&query={__typename}', 200],
  ['query={__typename}&operationName', 200],
  ['query=query+A{__typename}&operationName=A', 200],
  ['query=query+A{__typename}&operationName=B', 400],
  ['query=query+A{__typename}+query+B{__typename}&operationName=', 400],
  ['query={__typename}&variables=&extensions', 200],
  ['variables=null&query={__typename}&extensions=null&operationName=', 200],
  ['query=query+A{__typename}&operationName=null', 400],
])('in a query string, an optional parameter that is empty is the same as none: %s', async (search, status) => {
  const headers = { authorization: `Bearer ${graph.token()}`, 'apollo-require-preflight': '1' };
  const response = await fetch(`${graph.app.url}/graphql?${search}`, { headers });
  expect([response.status, await response.text()]).toEqual([
    status,
    expect.stringContaining(status === 200 ? '"Query"' : 'OPERATION_RESOLUTION_FAILURE'),
  ]);
});

it('in a body, an operationName that is empty is the same as none', async () => {
  const headers = { authorization: `Bearer ${graph.token()}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ query: 'query A { __typename }', operationName: '' });
  const response = await fetch(`${graph.app.url}/graphql`, { method: 'POST', headers, body });
  expect([response.status, await response.json()]).toEqual([200, { data: { __typename: 'Query' } }]);
});

/** Requests to /graphql: methods, bodies, operations, and who calls. */
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';

let graph: TestGraph;
let closed: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
  closed = await startTestGraph({ GRAPHQL_INTROSPECTION: 'no' });
});
afterAll(() => Promise.all([graph?.close(), closed?.close()]));

it('bodies: media type, size, JSON, shape', async () => {
  expect((await graph.post('x'.repeat(10_000_000))).status).toBe(413);
  expect((await graph.post({ query: '{ __typename }' }, { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await graph.post('{')).status).toBe(400);
  expect((await graph.post([{ query: '{ __typename }' }])).status).toBe(400);
  expect((await graph.post({})).status).toBe(400);
  expect((await graph.post({ query: 7 })).status).toBe(400);
  expect((await graph.post({ query: '{ __typename }', variables: 'x' })).status).toBe(400);
  expect(
    (await graph.post({ query: '{ __typename }' }, { accept: 'application/graphql-response+json' })).headers.get(
      'content-type',
    ),
  ).toContain('application/graphql-response+json');
});

it.each([
  'text/html',
  'application/json;q=0',
  'nothing at all',
])('a change is answered to who accepts %s alone', async (accept) => {
  const query = `mutation { createRole(input: { roleId: "accepts ${accept}", name: "x" }) { name } }`;
  const { status, headers, json } = await graph.post({ query }, { accept });
  expect([status, json]).toEqual([200, { data: { createRole: { name: 'x' } } }]);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
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
    const { status, json } = await graph.post(body);
    expect([status, json.errors[0].extensions.code]).toEqual([400, 'OPERATION_RESOLUTION_FAILURE']);
    expect(json.errors[0].message).toMatch(/^The document has /);
  }
  expect((await graph.post({ query: two, operationName: 'A' })).json).toEqual({ data: { __typename: 'Query' } });
});

it.each([
  ['of another hash', { version: 1, sha256Hash: '0'.repeat(64) }],
  ['of another version', { version: 2, sha256Hash: '0'.repeat(64) }],
  ['that is no object', 'x'],
])('a persisted query %s is a bad request', async (_name, persistedQuery) => {
  const { status, json } = await graph.post({ query: '{ __typename }', extensions: { persistedQuery } });
  expect([status, json.errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
  expect(json.errors[0].message).not.toMatch(/internal/i);
});

it('a subscription is a bad request, there are none', async () => {
  const { status, json } = await graph.post({ query: 'subscription { applications { totalCount } }' });
  expect([status, json.data, json.errors[0].extensions.code]).toEqual([400, undefined, 'GRAPHQL_VALIDATION_FAILED']);
});

it('the caller is authenticated before the body is read', async () => {
  const { status, headers, json } = await graph.app.post('/graphql', 'x', { 'content-type': 'text/plain' });
  expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer resource_metadata=/)]);
  expect(json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  expect((await graph.app.post('/graphql', {}, { authorization: 'Bearer x.y.z' })).status).toBe(401);
});

it('the message about a missing selection suggests nothing where introspection is off', async () => {
  const messageOf = async ({ post }: TestGraph) => (await post({ query: '{ applications }' })).json.errors[0].message;
  expect(await messageOf(graph)).toContain('must have a selection of subfields. Did you mean');
  expect(await messageOf(closed)).toMatch(/must have a selection of subfields\.$/);
});

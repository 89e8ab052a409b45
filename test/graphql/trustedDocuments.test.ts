/** With GRAPHQL_DOCUMENTS only listed documents are executed, however a client names them. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/loadConfig.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { startTestGraph, type TestGraph } from './graph.js';

const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
const roles = 'query Roles { roles { nodes { roleId } } }';
const addRole = 'mutation AddRole($id: ID!) { createRole(input: { roleId: $id, name: "R" }) { roleId } }';
const other = 'query Other { users { nodes { email } } }';

function fileOf(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-documents-'));
  closeAtEnd(async () => rmSync(folder, { recursive: true }));
  const path = join(folder, 'documents.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const listOf = (algorithm: string, texts: string[]) =>
  Object.fromEntries(texts.map((text) => [hash(algorithm, text), text]));

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph({ GRAPHQL_DOCUMENTS: fileOf(listOf('sha1', [roles, addRole])) });
});
afterAll(() => graph?.close());

const persistedQuery = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
const refused = [404, undefined, 'PERSISTED_QUERY_NOT_FOUND'];
const outcome = ({
  status,
  json,
}: {
  status: number;
  json: { data?: unknown; errors?: { extensions: { code: string } }[] };
}) => [status, json.data, json.errors?.[0]?.extensions.code];

it.each([
  ['the draft of GraphQL over HTTP', { documentId: `sha256:${hash('sha256', roles)}` }],
  ['an id of the file', { documentId: hash('sha1', roles) }],
  ['Relay', { doc_id: hash('sha1', roles), query: null }],
  ['Relay, with id', { id: hash('sha1', roles) }],
  ['Apollo', persistedQuery(hash('sha256', roles))],
  ['Apollo, after it was not found', { ...persistedQuery(hash('sha256', roles)), query: roles }],
  ['a client without ids', { query: roles }],
])('a listed document is executed as %s names it', async (_client, body) => {
  expect((await graph.post(body)).json).toEqual({ data: { roles: { nodes: expect.any(Array) } } });
});

it.each([
  ['a text that is not listed', { query: other }],
  ['a listed text with a space more', { query: `${roles} ` }],
  ['its hash', persistedQuery(hash('sha256', other))],
  ['its hash and text', { ...persistedQuery(hash('sha256', other)), query: other }],
  ['another text under a listed id', { documentId: hash('sha1', roles), query: other }],
  ['introspection', { query: '{ __schema { types { name } } }' }],
  ['an id that every object has', { documentId: 'constructor' }],
])('%s is refused before anything is read', async (_what, body) => {
  await graph.post({ query: roles });
  graph.app.takeStatements();
  expect(outcome(await graph.post(body))).toEqual(refused);
  // but who calls
  expect(graph.app.takeStatements().filter((text) => !text.includes('asked.sub'))).toEqual([]);
});

it('what was refused is not registered by it', async () => {
  for (let time = 0; time < 2; time++)
    expect(outcome(await graph.post({ ...persistedQuery(hash('sha256', other)), query: other }))).toEqual(refused);
});

it('variables and operationName are the request’s, and what is no request is refused as everywhere', async () => {
  const documentId = hash('sha1', addRole);
  const { json } = await graph.post({ documentId, operationName: 'AddRole', variables: { id: 'listed' } });
  expect(json).toEqual({ data: { createRole: { roleId: 'listed' } } });
  expect(outcome(await graph.post({ documentId, operationName: 'Roles' }))[2]).toBe('OPERATION_RESOLUTION_FAILURE');
  for (const body of [{}, [], { documentId: 7 }, { query: 7 }]) expect((await graph.post(body)).status).toBe(400);
});

it('a query comes by GET, and a mutation does not', async () => {
  const get = async (parameters: Record<string, string>) => {
    const response = await fetch(`${graph.app.url}/graphql?${new URLSearchParams(parameters)}`, {
      headers: { authorization: `Bearer ${graph.token()}`, 'apollo-require-preflight': 'yes' },
    });
    return { status: response.status, json: (await response.json()) as { data?: unknown; errors?: [] } };
  };
  const listed = [
    { documentId: hash('sha1', roles) },
    { extensions: JSON.stringify(persistedQuery(hash('sha256', roles)).extensions) },
  ];
  for (const parameters of listed)
    for (const name of [{}, { operationName: '' }, { operationName: 'Roles' }])
      expect((await get({ ...parameters, ...name })).json.data).toBeDefined();
  expect((await get({ documentId: hash('sha1', addRole), variables: '{"id":"x"}' })).status).toBe(405);
  expect(outcome(await get({ query: other }))).toEqual(refused);
});

it('GraphiQL, which asks whatever is typed, is off', async () => {
  const headers = { accept: 'text/html', authorization: `Bearer ${graph.token()}` };
  expect((await fetch(`${graph.app.url}/graphql/assets/start.js`)).status).toBe(404);
  expect((await fetch(`${graph.app.url}/graphql`, { headers })).headers.get('content-type')).not.toContain('html');
});

it.each([
  ['Relay, by MD5', listOf('md5', [roles])],
  ['Relay, by SHA-256', listOf('sha256', [roles])],
  ['ids with a prefix', { [`sha256:${hash('sha256', roles)}`]: roles }],
  [
    'Apollo',
    {
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id: hash('sha256', roles), name: 'Roles', type: 'query', body: roles }],
    },
  ],
])('the file is read as it is written by %s', (_client, content) => {
  const { graphqlDocuments } = loadConfig({ GRAPHQL_DOCUMENTS: fileOf(content) });
  const { operations } = content as { operations?: { id: string }[] };
  for (const id of [
    operations?.[0]?.id ?? Object.keys(content)[0]!,
    hash('sha256', roles),
    `sha256:${hash('sha256', roles)}`,
  ])
    expect(graphqlDocuments!(id)).toBe(roles);
  expect(graphqlDocuments!(hash('sha256', other))).toBeUndefined();
});

it.each([
  ['is not there', undefined, 'it cannot be read (ENOENT)'],
  ['is not JSON', '{', 'it is not JSON'],
  ['is a list', [], 'it is not a JSON object'],
  ['lists nothing', {}, 'it lists none'],
  ['has no text', { a: { query: roles } }, 'an id or a document is not a text'],
  ['has a text that is not GraphQL', { a: 'query {' }, 'the document a is not GraphQL'],
  ['has a manifest without operations', { format: 'apollo-persisted-query-manifest' }, 'its operations are not a list'],
])('a start with a file that %s is refused, with the setting and the reason', (_what, content, reason) => {
  const path = content === undefined ? '/nowhere/documents.json' : fileOf(content);
  expect(() => loadConfig({ GRAPHQL_DOCUMENTS: path })).toThrow(/GRAPHQL_DOCUMENTS must be the path of a JSON file/);
  expect(() => loadConfig({ GRAPHQL_DOCUMENTS: path })).toThrow(reason);
});

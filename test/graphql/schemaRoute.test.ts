/** /schema.graphql: a client sees the schema of the version that runs. */
import { readFileSync } from 'node:fs';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph.close());

const read = (token?: string, method = 'GET') =>
  fetch(`${graph.app.url}/schema.graphql`, { method, headers: token ? { authorization: `Bearer ${token}` } : {} });

it('shows callers with admin:read the schema that the repository has, byte for byte', async () => {
  const answer = await read(graph.token(['admin:read']));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/graphql; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const text = await answer.text();
  expect(text).toBe(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
  expect((await read(graph.token(['admin:write']), 'HEAD')).status).toBe(200);
});

it('the schema is 401 without a token, 403 without the permission, and 405 by other methods', async () => {
  const anonymous = await read();
  expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('resource_metadata'),
  ]);
  expect((await read(graph.token(['report:daily']))).status).toBe(403);
  const posted = await read(graph.token(), 'POST');
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

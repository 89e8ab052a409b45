/** The cost of an operation, for who asks for it. */
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph({ ANSWERS_REMEMBERED_MB: '64', GRAPHQL_COMPLEXITY_MAX: '2000' });
});
afterAll(() => graph?.close());

const query =
  'query ($n: Int = 10) { roles(first: $n) { nodes { roleId userProfiles(first: 3) { nodes { profileId } } } } }';
const ask = (headers: Record<string, string>, variables = {}) => graph.post({ query, variables }, headers);
const costOf = (records: number) => ({ complexity: { cost: records, max: 2_000 }, depth: { cost: 3, max: 12 } });

it('the cost in an answer is the one that the limits count, also for a refused operation', async () => {
  for (let use = 0; use < 3; use++)
    expect((await ask({ 'x-gatehouse-cost': '1' })).json.extensions).toEqual({ cost: costOf(40) });
  const refused = await ask({ 'x-gatehouse-cost': '1' }, { n: 1_000 });
  expect(refused.json.errors[0].extensions).toMatchObject({ code: 'TOO_LARGE', limit: 'complexity' });
  expect(refused.json.extensions).toEqual({ cost: costOf(4_000) });
});

it('an answer without a request for its cost has the same bytes, whoever asked before; a remembered answer has its cost on request', async () => {
  const plain = (await ask({})).text;
  expect(plain).not.toContain('extensions');
  for (let use = 0; use < 3; use++) {
    expect((await ask({ 'x-gatehouse-cost': '1' })).json.extensions).toEqual({ cost: costOf(40) });
    expect((await ask({})).text).toBe(plain);
    expect((await ask({ 'x-gatehouse-cost': 'no' })).text).toBe(plain);
  }
});

it('the cost stands beside errors of fields, and not beside those of an invalid document', async () => {
  const headers = { 'x-gatehouse-cost': '1' };
  const mutation = 'mutation { deleteRole(roleId: "none") }';
  const { json } = await graph.post({ query: mutation }, headers);
  expect(json.errors[0].extensions.code).toBe('NOT_FOUND');
  expect(json.extensions.cost.complexity.cost).toBe(0);
  expect((await graph.post({ query: '{ nothing }' }, headers)).json.extensions).toBeUndefined();
  expect((await graph.post({ query, variables: { n: 'x' } }, headers)).json.extensions).toBeUndefined();
});

/** Long rows are read into a buffer of their connection that is used again: no answer holds what belongs to another. */
import { newScopeType } from '../support/records.js';
import { openFace, startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
  const { context } = graph.app;
  const typeId = await newScopeType(context, 'kind');
  await context.sql.rows(
    `insert into access_scopes (name, access_scope_key, description, access_scope_type_id, created_by)
     select 'scope ' || n, 'key ' || n, repeat(chr(97 + n % 26), n % 90), $1, '00000000-0000-4000-8000-000000000001' from generate_series(1, 900) n`,
    [typeId],
  );
});
afterAll(() => graph?.close());

const query = `query($first: Int!, $name: String!) {
  accessScopes(first: $first, filter: { name: { contains: $name } }) {
    nodes { accessScopeId accessScopeGuid name description createdDate createdBy accessScopeType { name createdDate } }
  }
}`;
const asked = Array.from({ length: 40 }, (_, n) => ({
  first: 150 + 17 * n,
  name: n % 3 === 0 ? 'scope' : `${n % 10}`,
}));

it('answers that are made at the same moment, after and beside others, say what objects say', async () => {
  const bytes = await openFace(graph.app, { writesBytes: true });
  const objects = await openFace(graph.app);
  const expected: string[] = [];
  for (const variables of asked) expected.push(await objects(query, variables));
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(asked.map((variables) => bytes(query, variables)));
    expect(answers.map((answer, index) => answer === expected[index])).toEqual(asked.map(() => true));
  }
});

/** What a compiled query makes of its arguments: what the specification says, at every use, and never code. */
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
  const { sql } = graph.app.context;
  await sql.rows(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, translation_group, created_by)
     select 'app ' || n, 'i', 'h', 'web', 'tab', 'l', 'app ' || n, '00000000-0000-0000-0000-000000000001' from generate_series(1, 7) n`,
  );
});
afterAll(() => graph?.close());

const uses = 4;
async function answers(query: string, variables?: object): Promise<string[]> {
  const reported: string[] = [];
  for (let use = 0; use < uses; use++) {
    const { json } = await graph.ask(query, variables);
    reported.push(JSON.stringify(json.data ?? json.errors[0].extensions.code));
  }
  return reported;
}
const same = (answer: object | string) => Array(uses).fill(JSON.stringify(answer));

it('a text that graphql-jit would write into its code as an expression stays a text', async () => {
  const marks = globalThis as { taken?: boolean };
  const text = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dglobalThis.taken = true';
  await answers(`{ applications(filter: { name: { eq: "${text}" } }) { totalCount } }`);
  const isTaken = marks.taken;
  delete marks.taken;
  expect(isTaken).toBeUndefined();
});

it('a member of an input object whose variable is absent is absent', async () => {
  const query = 'query ($s: String) { applications(filter: { renderingMode: { eq: $s } }) { totalCount } }';
  expect(await answers(query)).toEqual(same({ applications: { totalCount: 7 } }));
  expect(await answers(query, { s: null })).toEqual(same('BAD_USER_INPUT'));
  expect(await answers(query, { s: 'tab' })).toEqual(same({ applications: { totalCount: 7 } }));
});

it('response paths that read alike when joined by underscores are two', async () => {
  const query = `{
    b_a: applications(first: 1) { nodes { c: translations(first: 1) { totalCount } } }
    a: applications(first: 1) { nodes_b: nodes { c: accessScopeApplicationsMappers(first: 1) { pageInfo { hasNextPage } } } }
  }`;
  expect(await answers(query)).toEqual(
    same({ b_a: { nodes: [{ c: { totalCount: 0 } }] }, a: { nodes_b: [{ c: { pageInfo: { hasNextPage: false } } }] } }),
  );
});

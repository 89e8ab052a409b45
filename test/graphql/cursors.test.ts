/** A cursor that the service issued is taken back, whatever the value it was made of. */
import { insert, newUser } from '../support/records.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
const creator = '00000000-0000-0000-0000-000000000001';
beforeAll(async () => {
  graph = await startTestGraph();
  const { context } = graph.app;
  const { sql } = context;
  for (const concrete of [-2_147_483_648, -1, 0, 2_147_483_647, null]) {
    const row = await insert<{ access_scope_type_id: number }>(sql, 'access_scope_types', {
      name: `type${concrete}`,
      created_by: creator,
      created_date: concrete === null ? '9999-12-31T23:59:59.999Z' : '0001-01-01T00:00:00.000Z',
    });
    await insert(sql, 'access_scopes', {
      name: concrete === 0 ? 'ä😀"\\ \u2028' : 'scope',
      access_scope_type_id: row.access_scope_type_id,
      concrete_id: concrete,
      access_scope_key: `key${concrete}`,
      created_by: creator,
    });
  }
  const user = await newUser(context);
  for (const id of ['-9223372036854775808', '-1', '9223372036854775807'])
    await sql.rows(
      `insert into tokens (id, user_id, profile_id, token, created_at, expires_at)
       values ($1::bigint, $2, 'p', decode(md5($1::text), 'hex'), now(), now() + interval '1 day')`,
      [id, user.user_guid],
    );
});
afterAll(() => graph?.close());

it.each([
  ['accessScopes', '[{ concreteId: ASC }]', 'concreteId', ''],
  ['accessScopes', '[{ concreteId: DESC }]', 'concreteId', ''],
  ['accessScopes', '[{ name: ASC }, { accessScopeType: { createdDate: DESC } }]', 'name', ''],
  ['accessScopes', '[{ accessScopeGuid: ASC }, { isWildcard: ASC }]', 'name', ''],
  ['accessScopeTypes', '[{ createdDate: DESC }]', 'createdDate', ''],
  ['tokens', '[{ id: ASC }]', 'id', ''],
  ['tokens', '[{ expiresAt: DESC }, { id: DESC }]', 'id', ''],
])('%s by %s, one at a time, forwards and backwards, are those of one page', async (field, orderBy, shown) => {
  const page = (window: string) =>
    `{ ${field}(orderBy: ${orderBy}, ${window}) { edges { cursor node { ${shown} } } } }`;
  const all = (await graph.data(page('first: 100')))[field].edges;
  expect(all.length).toBeGreaterThan(2);
  for (const [index, { cursor }] of all.entries()) {
    expect((await graph.data(page(`first: 1, after: "${cursor}"`)))[field].edges).toEqual(
      all.slice(index + 1, index + 2),
    );
    expect((await graph.data(page(`last: 1, before: "${cursor}"`)))[field].edges).toEqual(
      all.slice(Math.max(0, index - 1), index),
    );
  }
});

it.each([
  '0000-01-01T00:00:00.000Z',
  '2026-02-30T00:00:00.000Z',
  '2026-01-01T24:00:00.000Z',
])('a cursor that was changed to %s is refused, whatever there is after it', async (time) => {
  const after = Buffer.from(JSON.stringify(['createdDate,applicationId', time, 1])).toString('base64url');
  const { status, json } = await graph.ask(
    'query ($after: String) { applications(after: $after, orderBy: [{ createdDate: ASC }]) { nodes { name } } }',
    { after },
  );
  expect([status, json.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
});

it('a bigint of the whole range is taken in a filter, and one beyond is refused', async () => {
  const query = 'query ($id: ID) { tokens(filter: { id: { eq: $id } }) { totalCount } }';
  for (const id of ['-9223372036854775808', '9223372036854775807'])
    expect(await graph.data(query, { id })).toEqual({ tokens: { totalCount: 1 } });
  for (const id of ['-9223372036854775809', '9223372036854775808'])
    expect((await graph.ask(query, { id })).json.errors[0].extensions.problems).toEqual({
      'filter.id.eq': ['A whole number is expected.'],
    });
});

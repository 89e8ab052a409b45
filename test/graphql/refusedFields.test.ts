/** A field that needs another permission than its parent is null without it, with one error; the rest is answered. */
import { insert, newHolder } from '../support/records.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
let userGuid: string;
beforeAll(async () => {
  graph = await startTestGraph();
  for (let holder = 0; holder < 3; holder++) {
    const made = await newHolder(graph.app.context);
    userGuid = made.userGuid;
    await insert(graph.app.context.sql, 'tokens', {
      user_id: made.userGuid,
      profile_id: made.profileId,
      token: Buffer.from(made.userGuid),
      created_at: new Date(),
      expires_at: new Date(Date.now() + 86_400_000),
    });
  }
});
afterAll(() => graph?.close());

const read = () => graph.token(['admin:read']);
const uses = [1, 2, 3, 4];

it('a field that may not be read gives one error for many records, at the first', async () => {
  const query = `{ users(filter: { firstName: { eq: "Ada" } }) { nodes { firstName tokens { totalCount } userProfiles { totalCount } } } }`;
  for (const use of uses) {
    const { status, json } = await graph.ask(query, undefined, read());
    expect([use, status]).toEqual([use, 200]);
    expect(json.data.users.nodes).toEqual(
      Array(3).fill({ firstName: 'Ada', tokens: null, userProfiles: { totalCount: 1 } }),
    );
    expect(json.errors).toEqual([
      {
        message: 'The scope admin:security is required.',
        path: ['users', 'nodes', 0, 'tokens'],
        extensions: { code: 'FORBIDDEN', traceId: expect.any(String) },
      },
    ]);
  }
});

it('a relation to one is left out of the statement, and the other way round', async () => {
  const query = '{ tokens { nodes { user { firstName } } totalCount } }';
  for (const _use of uses) {
    graph.app.takeStatements();
    const { json } = await graph.ask(query, undefined, graph.token(['admin:security']));
    expect(graph.app.takeStatements().filter((text) => /from users t/.test(text))).toEqual([]);
    const { nodes, totalCount } = json.data.tokens;
    expect(totalCount).toBeGreaterThan(2);
    expect(nodes).toEqual(Array(totalCount).fill({ user: null }));
    expect(json.errors.map(({ path }: { path: unknown }) => path)).toEqual([['tokens', 'nodes', 0, 'user']]);
  }
});

it('each of several fields that may not be read has its error, at the root too', async () => {
  const query = `{ users(first: 1) { nodes { firstName tokens { totalCount } } } clients { totalCount } auditEvents { totalCount } roles { totalCount } }`;
  for (const _use of uses) {
    const { json } = await graph.ask(query, undefined, read());
    expect(json.data).toEqual({
      users: { nodes: [{ firstName: expect.any(String), tokens: null }] },
      clients: null,
      auditEvents: null,
      roles: { totalCount: 1 },
    });
    const codes = json.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
    expect(codes).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  }
});

it('a field that may not be read is refused although no record has it', async () => {
  const query = '{ tokens(filter: { profileId: { eq: "none" } }) { nodes { user { firstName } } } }';
  const { json } = await graph.ask(query, undefined, graph.token(['admin:security']));
  expect(json.data).toEqual({ tokens: { nodes: [] } });
  expect(json.errors[0].extensions.code).toBe('FORBIDDEN');
});

it('a caller who may read both the record and the field gets both', async () => {
  const query = `{ user(userGuid: "${userGuid}") { tokens { nodes { user { userGuid } } } } }`;
  expect(await graph.data(query)).toEqual({ user: { tokens: { nodes: [{ user: { userGuid } }] } } });
});

it('a filter or an ordering by what may not be read refuses the field that it is for', async () => {
  const query = '{ tokens(filter: { user: { email: { eq: "x" } } }) { totalCount } roles(first: 1) { totalCount } }';
  const { json } = await graph.ask(query, undefined, graph.token(['admin:security', 'admin:none']));
  expect([json.data, json.errors[0].extensions.code]).toEqual([undefined, 'FORBIDDEN']);
});

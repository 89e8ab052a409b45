/** One kind of failure has one status, wherever it is found, and no data beside it. */
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
  await graph.data('mutation { createRole(input: { roleId: "there", name: "R" }) { roleId } }');
});
afterAll(() => graph?.close());

const responseType = 'application/graphql-response+json; charset=utf-8';
const types = ['application/graphql-response+json', 'application/json'];
const createRole = 'mutation ($id: ID!) { createRole(input: { roleId: $id, name: "R" }) { roleId } }';

const failures: [kind: string, status: number, code: string, body: object][] = [
  ['a document that is not GraphQL', 400, 'GRAPHQL_PARSE_FAILED', { query: '{' }],
  ['a field that is not in the schema', 400, 'GRAPHQL_VALIDATION_FAILED', { query: '{ nothing }' }],
  ['no such operation', 400, 'OPERATION_RESOLUTION_FAILURE', { query: '{ __typename }', operationName: 'A' }],
  ['a body that is no request', 400, 'BAD_REQUEST', { query: 7 }],
  ['a document past a limit', 400, 'TOO_LARGE', { query: `{ ${'__typename '.repeat(21)} }` }],
  [
    'a hash that nobody registered',
    404,
    'PERSISTED_QUERY_NOT_FOUND',
    { extensions: { persistedQuery: { version: 1, sha256Hash: '0' } } },
  ],
  ['a variable of another type', 400, 'BAD_USER_INPUT', { query: createRole, variables: { id: true } }],
  ['a value that a service refuses', 400, 'BAD_USER_INPUT', { query: createRole, variables: { id: '' } }],
  ['a record that is not there', 404, 'NOT_FOUND', { query: 'mutation { deleteRole(roleId: "nope") }' }],
  ['a record that is there already', 409, 'CONFLICT', { query: createRole, variables: { id: 'there' } }],
];

const expectFailure = async (body: object, status: number, code: string, scopes?: string[]) => {
  for (const accept of types) {
    const answer = await graph.post(body, {
      accept,
      ...(scopes && { authorization: `Bearer ${graph.token(scopes)}` }),
    });
    expect([answer.status, answer.json.errors[0].extensions.code]).toEqual([status, code]);
    expect(Object.keys(answer.json)).toEqual(['errors']);
    expect(answer.headers.get('content-type')).toBe(responseType);
  }
};

it.each(failures)('%s is %d %s', (_kind, status, code, body) => expectFailure(body, status, code));

it.each([
  ['a query', '{ clients { totalCount } }'],
  ['a mutation', 'mutation { deleteRole(roleId: "there") }'],
])('%s without its permission is 403 FORBIDDEN', (_kind, query) =>
  expectFailure({ query }, 403, 'FORBIDDEN', ['admin:read']));

it('a refusal before GraphQL is told in the same way', async () => {
  const { status, headers, json } = await graph.app.post('/graphql', {}, { accept: types[0]! });
  expect([status, headers.get('content-type'), Object.keys(json)]).toEqual([401, responseType, ['errors']]);
  expect((await graph.post('x'.repeat(10_000_000))).headers.get('content-type')).toBe(responseType);
});

it('an answer without errors is 200, and one with errors beside data is 294 for clients that know this status', async () => {
  const partial = '{ clients { totalCount } roles { totalCount } }';
  for (const [accept, expected] of [
    [types[0]!, 294],
    [types[1]!, 200],
  ] as const) {
    const by = { accept, authorization: `Bearer ${graph.token(['admin:read'])}` };
    const whole = await graph.post({ query: '{ role(roleId: "nope") { name } }' }, by);
    expect([whole.status, whole.json]).toEqual([200, { data: { role: null } }]);
    const answer = await graph.post({ query: partial }, by);
    expect([answer.status, answer.json.data]).toEqual([
      expected,
      { clients: null, roles: { totalCount: expect.any(Number) } },
    ]);
    expect(answer.headers.get('content-type')).toContain(accept);
    // null is an answer where no error explains it
    const found = await graph.post({ query: '{ role(roleId: "nope") { name } clients { totalCount } }' }, by);
    expect([found.status, found.json.data]).toEqual([expected, { role: null, clients: null }]);
  }
});

it('a mutation that was made is answered beside one that failed, and beside a failure of ours', async () => {
  const made = (id: string) => `${id}: createRole(input: { roleId: "${id}", name: "R" }) { roleId }`;
  const query = `mutation { ${made('first')} deleteRole(roleId: "nope") }`;
  const { status, json } = await graph.post({ query }, { accept: types[0]! });
  expect([status, json.data]).toEqual([294, { first: { roleId: 'first' }, deleteRole: null }]);
});

it('a mutation that was made is no failure where its answer could not be read: nobody tries it again', async () => {
  const query = `mutation { createRole(input: { roleId: "unread", name: "R" }) {
    roleId userProfiles(after: "no cursor") { totalCount }
  } }`;
  const { status, json } = await graph.post({ query }, { accept: types[0]! });
  expect([status, json.data, json.errors[0].path]).toEqual([294, { createRole: null }, ['createRole', 'userProfiles']]);
  expect(await graph.data('{ role(roleId: "unread") { name } }')).toEqual({ role: { name: 'R' } });
});

it('a failure of ours goes before faults of the request, and says when to try again', async () => {
  const { sql } = graph.app.context;
  await sql.rows(`create function refuse_away() returns trigger language plpgsql as $$
    begin raise exception 'out of memory' using errcode = '53200'; end $$`);
  await sql.rows('create trigger refuse_away before insert on roles execute function refuse_away()');
  try {
    const query = `mutation { deleteRole(roleId: "nope") createRole(input: { roleId: "away", name: "R" }) { roleId } }`;
    const { status, headers, json } = await graph.post({ query });
    expect([status, headers.get('retry-after'), json.data]).toEqual([503, '5', undefined]);
    expect(json.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual([
      'NOT_FOUND',
      'UNAVAILABLE',
    ]);
  } finally {
    await sql.rows('drop trigger refuse_away on roles');
  }
});

it('a mutation by GET is METHOD_NOT_ALLOWED', async () => {
  const query = encodeURIComponent('mutation { rotateSigningKey { kid } }');
  const response = await fetch(`${graph.app.url}/graphql?query=${query}`, {
    headers: { authorization: `Bearer ${graph.token()}`, 'apollo-require-preflight': 'yes' },
  });
  const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
  expect([response.status, response.headers.get('allow'), errors[0]!.extensions.code]).toEqual([
    405,
    'POST',
    'METHOD_NOT_ALLOWED',
  ]);
});

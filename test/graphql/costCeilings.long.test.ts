/** The dearest GraphQL requests that each permission may send, accepted or refused, keep to ceilings of cost. */
import fc from 'fast-check';
import { type Ceiling, expectWithin, searchWithin } from '../support/costCeiling.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
const parents = 300;
beforeAll(async () => {
  graph = await startTestGraph();
  const { sql } = graph.app.context;
  const author = `'00000000-0000-0000-0000-000000000001'`;
  for (const text of [
    `insert into access_scope_types (name, created_by) values ('type', ${author})`,
    `insert into access_scopes (name, access_scope_key, access_scope_type_id, created_by) select 'scope ' || n, 'key ' || n, (select access_scope_type_id from access_scope_types where name = 'type'), ${author} from generate_series(1, ${parents}) n`,
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by) select 'app ' || n, 'i', 'h', 'web', 'r', 'l', ${author} from generate_series(1, ${parents}) n`,
    `insert into access_scope_applications_mappers (application_id, access_scope_id, created_by) select application_id, access_scope_id, ${author} from applications cross join (select access_scope_id from access_scopes where name like 'scope %' order by 1 limit 30) s`,
    'analyze',
  ])
    await sql.rows(text);
});
afterAll(() => graph?.close());

interface Asked {
  query: string;
  variables?: object;
}
const several = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));
const filtered = (f: unknown): Asked => ({
  query: 'query ($f: ApplicationFilter) { applications(filter: $f) { totalCount nodes { name } } }',
  variables: { f },
});
/** Known worst cases: what once held the process for seconds, and what the limits just let through or just refuse. */
const known: Asked[] = [
  filtered({ name: { eq: 5, contains: 'Did you mean '.repeat(16_000) } }),
  filtered({ applicationGuid: { eq: 'Did you mean '.repeat(16_000) } }),
  filtered({ or: several(80_000, () => ({})) }),
  filtered({ or: several(3_000, () => ({ name: 5, nothing: 1 })) }),
  filtered(Object.fromEntries(several(15_000, (index) => [`unknown${index}`, 1]))),
  filtered({ or: several(99, () => ({ name: { contains: 'app' } })) }),
  { query: `{ application(applicationGuid: "${'Did you mean '.repeat(15_000)}") { name } }` },
  { query: `{ applications(filter: { or: [${'{ x: 1 } '.repeat(500)}] }) { totalCount } }` },
  { query: '{ __typename }', variables: { unread: several(80_000, () => ({})) } },
  {
    query: `{ ${several(20, (index) => `a${index}: applications(first: 1000) { nodes { name description createdDate } }`).join(' ')} }`,
  },
  {
    query:
      '{ applications(first: 300) { nodes { accessScopeApplicationsMappers(first: 30) { nodes { accessScope { name } } edges { cursor } } } } }',
  },
  {
    query:
      '{ applications(first: 300) { nodes { name createdByNavigation { userProfiles(first: -1) { totalCount } } } } }',
  },
  { query: `{ viewer { ${several(180, (index) => (index % 2 ? 'profileId' : 'roleId')).join(' ')} } }` },
  { query: `{ ${'a '.repeat(199)} }` },
  { query: `${'{ a '.repeat(1_400)}` },
];
const requests: fc.Arbitrary<Asked> = fc.oneof(
  fc.jsonValue({ depthSize: 'large', maxDepth: 12 }).map(filtered),
  fc
    .record({ length: fc.nat(40_000), item: fc.jsonValue() })
    .map(({ length, item }) =>
      filtered({ or: several(Math.min(length, 200_000 / (JSON.stringify(item).length + 1)), () => item) }),
    ),
  fc.record({ first: fc.nat(1_000), inner: fc.nat(100) }).map(({ first, inner }) => ({
    query: `{ applications(first: ${first}) { totalCount nodes { accessScopeApplicationsMappers(first: ${inner}) { totalCount nodes { state } } } } }`,
  })),
  fc
    .string({
      maxLength: 2_000,
      unit: fc.constantFrom('{', '}', '(', ')', '"', '[', ':', '$', 'a', ' ', '...', '@skip(if: true)'),
    })
    .map((query) => ({ query: query || '{' })),
);

const ceilings: Record<string, Ceiling> = {
  'depot:a': { cpu: 600, loopDelay: 500, databaseCpu: 100, statements: 10, bytesOut: 65_536, memory: 300 },
  'admin:read': { cpu: 1_500, loopDelay: 1_000, databaseCpu: 1_500, statements: 60, bytesOut: 8_000_000, memory: 400 },
  'admin:security': { cpu: 600, loopDelay: 500, databaseCpu: 100, statements: 10, bytesOut: 65_536, memory: 300 },
  'admin:write': { cpu: 1_500, loopDelay: 1_000, databaseCpu: 1_500, statements: 60, bytesOut: 8_000_000, memory: 400 },
};

/** Sends it as new each time: documents are remembered. */
function sender(scope: string) {
  const authorization = `Bearer ${graph.token([scope])}`;
  return async ({ query, variables }: Asked, attempt: number) => {
    const body = JSON.stringify({ query: `${query} #${attempt}${Math.random()}`, variables });
    const { text, status } = await graph.app.post('/graphql', body, { authorization });
    if (status >= 500) throw new Error(text.slice(0, 500));
    return text;
  };
}

it.each(
  Object.entries(ceilings),
)('the dearest GraphQL requests of a caller with %s keep to the ceiling', async (scope, ceiling) => {
  const send = sender(scope);
  await send({ query: '{ __typename }' }, 0);
  const what = ({ query, variables }: Asked) => `${query} ${JSON.stringify(variables ?? {})}`.slice(0, 200);
  const dearest = await searchWithin(graph.app, { requests, regressions: known, runs: 40, what }, send, ceiling);
  expect(dearest.cpu).toBeGreaterThan(0);
});

it('twelve at once, each as large as a reader may send, take little memory', async () => {
  const send = sender('admin:read');
  await expectWithin(
    graph.app,
    'twelve at once',
    (attempt) => Promise.all(several(12, () => send(filtered({ or: several(80_000, () => ({})) }), attempt))),
    { memory: 400, bytesOut: 65_536 },
  );
});

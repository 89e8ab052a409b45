/** The types that document `extensions` of errors in the schema are those of the errors. */
import { readFileSync } from 'node:fs';
import { buildClientSchema, type GraphQLEnumType, getIntrospectionQuery, graphqlSync, printType } from 'graphql';
import { statuses } from '../../src/errors.js';
import { requestStatuses } from '../../src/graphql/schema/errorTypes.js';
import { openSchema, schemaText } from '../../src/graphql/schema.js';
import { startTestGraph } from './graph.js';

const errorCode = openSchema().getType('ErrorCode') as GraphQLEnumType;
const expected: Record<string, number> = { ...statuses, ...requestStatuses };

it('ErrorCode has the codes of errors.ts and those of GraphQL, each with its status', () => {
  const described = errorCode
    .getValues()
    .map(({ name, description }) => [name, /Status (\d{3})/.exec(description!)?.[1]]);
  const known = Object.entries({ ...expected, TOO_LARGE: 400 }).map(([code, status]) => [code, String(status)]);
  expect(described.sort()).toEqual(known.sort());
});

it('docs/graphql.md has every code that a client can read, with its status', () => {
  const rows = readFileSync('docs/graphql.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| `[A-Z_]+`/.test(line));
  const told = rows.flatMap((row) => {
    const [codes, numbers] = row.split('|').slice(1);
    const statusesOfRow = numbers!.split('·').map((each) => Number(/\d{3}$/.exec(each.trim())![0]));
    return codes!.split('·').map((code, index) => [code.trim().slice(1, -1), statusesOfRow[index] ?? statusesOfRow[0]]);
  });
  const { CLIENT_CLOSED_REQUEST: _nobodyReads, ...readable } = expected;
  expect(Object.fromEntries(told)).toEqual(readable);
});

it('both types are in schema.graphql and in introspection, though no field leads to them', () => {
  const introspected = buildClientSchema(
    graphqlSync({ schema: openSchema(), source: getIntrospectionQuery() }).data as never,
  );
  for (const name of ['ErrorCode', 'Problem']) {
    expect(introspected.getType(name)).toBeDefined();
    expect(schemaText()).toContain(printType(openSchema().getType(name)!).split('\n').at(-1));
  }
  expect(schemaText()).toMatch(/^type Problem \{/m);
  expect(schemaText()).toMatch(/^enum ErrorCode \{/m);
});

it('Problem is what extensions.problems has: messages by their path', async () => {
  const graph = await startTestGraph();
  try {
    const { json } = await graph.ask('mutation { createRole(input: { roleId: "", name: "" }) { roleId } }');
    const problems = Object.entries(json.errors[0].extensions.problems).map(([path, messages]) => ({ path, messages }));
    expect(problems).toEqual([
      { path: 'input.roleId', messages: [expect.any(String)] },
      { path: 'input.name', messages: [expect.any(String)] },
    ]);
    expect(printType(openSchema().getType('Problem')!)).toMatch(
      /messages: \[String!\]![\s\S]*path: String!|path: String![\s\S]*messages: \[String!\]!/,
    );
  } finally {
    await graph.close();
  }
});

/** Several mutations in one request: each is a change of its own, and what was done is answered whatever fails beside it. */
import { isNonNullType } from 'graphql';
import { openSchema } from '../../src/graphql/schema.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const createClient = (clientId: string) =>
  graph.data(`mutation { createClient(input: {clientId: "${clientId}", name: "C"}) { clientSecret } }`);

it('every mutation is nullable, so that its failure is its own', () => {
  const fields = Object.values(openSchema().getMutationType()!.getFields());
  expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
});

it('a mutation that fails leaves the answers of those before it and after it', async () => {
  await createClient('kept');
  const { json } = await graph.ask(`mutation {
    a: rotateClientSecret(clientId: "kept") { clientSecret }
    b: deleteRole(roleId: "nope")
    c: createRole(input: { roleId: "after-it", name: "R" }) { roleId }
  }`);
  expect(json.data).toEqual({ a: { clientSecret: expect.any(String) }, b: null, c: { roleId: 'after-it' } });
  expect(json.errors).toEqual([
    expect.objectContaining({ path: ['b'], extensions: expect.objectContaining({ code: 'NOT_FOUND' }) }),
  ]);
  expect(await graph.data('{ role(roleId: "after-it") { name } }')).toEqual({ role: { name: 'R' } });
});

it('a mutation that fails is rolled back, and no other of the same request', async () => {
  const { json } = await graph.ask(`mutation {
    one: createRole(input: { roleId: "stays", name: "R" }) { roleId }
    two: applyChanges(changes: [
      { createRole: { input: { roleId: "goes", name: "R" } } }
      { deleteRole: { roleId: "nope" } }
    ]) { changeSetGuid }
  }`);
  expect(json.data).toEqual({ one: { roleId: 'stays' }, two: null });
  expect(await graph.data('{ stays: role(roleId: "stays") { name } goes: role(roleId: "goes") { name } }')).toEqual({
    stays: { name: 'R' },
    goes: null,
  });
});

it('a new secret is answered where the client beside it cannot be read', async () => {
  const { sql } = graph.app.context;
  await createClient('unreadable');
  await sql.rows('alter table policy_verdicts rename to policy_verdicts_gone');
  try {
    const asked = '{ clientSecret client { clientId policyReadiness { state } } }';
    const { json } = await graph.ask(`mutation {
      rotateClientSecret(clientId: "unreadable") ${asked}
      createClient(input: { clientId: "made", name: "M" }) ${asked}
    }`);
    const answer = { clientSecret: expect.any(String), client: null };
    expect(json.data).toEqual({ rotateClientSecret: answer, createClient: answer });
    expect(json.errors.map(({ path }: { path: unknown[] }) => path.slice(0, 2))).toEqual([
      ['rotateClientSecret', 'client'],
      ['createClient', 'client'],
    ]);
  } finally {
    await sql.rows('alter table policy_verdicts_gone rename to policy_verdicts');
  }
});

it('once the database is away no further mutation of the request is tried', async () => {
  const { sql } = graph.app.context;
  await sql.rows(`create function refuse_away() returns trigger language plpgsql as $$
    begin raise exception 'out of memory' using errcode = '53200'; end $$`);
  await sql.rows('create trigger refuse_away before insert on roles execute function refuse_away()');
  try {
    graph.app.takeStatements();
    const { json } = await graph.ask(`mutation {
      a: rotateClientSecret(clientId: "kept") { clientSecret }
      b: createRole(input: { roleId: "away", name: "R" }) { roleId }
      c: deleteRole(roleId: "nope")
      d: createRole(input: { roleId: "away-too", name: "R" }) { roleId }
    }`);
    expect(json.data).toEqual({ a: { clientSecret: expect.any(String) }, b: null, c: null, d: null });
    expect(json.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual(
      Array(3).fill('UNAVAILABLE'),
    );
    expect(json.errors[1].message).toMatch(/was not tried, and changed nothing/);
    const statements = graph.app.takeStatements().filter((text) => text.includes('"roles"'));
    expect(statements.map((text) => text.slice(0, 6))).toEqual(['select', 'insert']);
  } finally {
    await sql.rows('drop trigger refuse_away on roles');
  }
});

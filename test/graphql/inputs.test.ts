/** Every mutation with each input absent, null, too long, unknown: told as the caller's fault, never as ours. */
import { randomUUID } from 'node:crypto';
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { openSchema } from '../../src/graphql/schema.js';
import { newClient, newHolder } from '../support/records.js';
import { factor, seed } from '../support/schedules.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph({ BCRYPT_COST: '4' });
  await newHolder(graph.app.context);
  await newClient(graph.app.context);
});
afterAll(() => graph?.close());

type Input = Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type'>;
const bare = (type: GraphQLInputType): GraphQLInputType => (isNonNullType(type) ? bare(type.ofType) : type);

function sample(input: GraphQLInputType): unknown {
  const type = bare(input);
  if (isListType(type)) return [sample(type.ofType)];
  if (isInputObjectType(type) && type.isOneOf) {
    const { createRole } = type.getFields();
    return { createRole: sample(createRole!.type) };
  }
  if (isInputObjectType(type))
    return Object.fromEntries(Object.values(type.getFields()).map((field) => [field.name, sample(field.type)]));
  if (String(type) === 'UUID') return randomUUID();
  if (String(type) === 'DateTime') return '2026-01-01T00:00:00Z';
  if (String(type) === 'Int') return 1;
  return String(type) === 'Boolean' ? true : 'text';
}

/** The variants of one value, each with its name. */
function* variants(input: Input, value: unknown): Generator<[string, unknown]> {
  const type = bare(input.type);
  yield [`${input.name} absent`, undefined];
  yield [`${input.name} null`, null];
  if (isListType(type)) {
    yield [`${input.name} empty`, []];
    yield [`${input.name} with null`, [null]];
    for (const [name, item] of variants({ name: 'item', type: type.ofType }, (value as unknown[])[0]))
      yield [`${input.name}.${name}`, [item]];
    return;
  }
  if (isInputObjectType(type)) {
    yield [`${input.name} of another type`, 'text'];
    yield [`${input.name} empty`, {}];
    yield [`${input.name} with an unknown field`, { ...(value as object), unknownField: 1 }];
    // each other member is a mutation, and judged as one
    const fields = Object.values(type.getFields()).filter((field) => field.name in (value as object));
    for (const field of fields)
      for (const [name, part] of variants(field, (value as Record<string, unknown>)[field.name])) {
        const rest = Object.fromEntries(Object.entries(value as object).filter(([key]) => key !== field.name));
        yield [`${input.name}.${name}`, part === undefined ? rest : { ...rest, [field.name]: part }];
      }
    return;
  }
  for (const [name, other] of [
    ['too long', 'x'.repeat(100_000)],
    ['empty', ''],
    ['NUL', 'a\0'],
    ['a lone surrogate', '\ud800'],
    ['a number', 1.5],
    ['too great', 2 ** 40],
    ['negative', -1],
    ['an object', {}],
    ['a list', [[]]],
  ] as const)
    yield [`${input.name} ${name}`, other];
}

const mutation = openSchema().getMutationType()!;
const callerFaults = new Set(['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'TOO_LARGE']);

it.each(Object.keys(mutation.getFields()))('%s', async (name) => {
  const field = mutation.getFields()[name]!;
  const token = graph.token();
  let named: unknown = field.type;
  while ((named as { ofType?: unknown }).ofType) named = (named as { ofType: unknown }).ofType;
  const definitions = field.args.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
  const call = field.args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const document = `mutation ${definitions && `(${definitions})`} { ${name}${call && `(${call})`} ${isObjectType(named as GraphQLObjectType) ? '{ __typename }' : ''} }`;
  const good = Object.fromEntries(field.args.map((argument) => [argument.name, sample(argument.type)]));
  // a third of them, another one each time; all in `npm run test:long`
  let place = seed;
  for (const argument of field.args)
    for (const [variant, value] of variants(argument, good[argument.name])) {
      if (factor === 1 && place++ % 3 > 0) continue;
      const { [argument.name]: _, ...others } = good;
      const { status, json, text } = await graph.ask(
        document,
        value === undefined ? others : { ...others, [argument.name]: value },
        token,
      );
      const code = json?.errors?.[0]?.extensions.code;
      const isExpected = code === undefined ? status === 200 : callerFaults.has(code);
      if (!isExpected || text.length > 20_000) throw new Error(`${variant}: ${status} ${text.slice(0, 500)}`);
    }
});

it('an error repeats a long name without half of a character', async () => {
  const name = `x${'\u{1f600}'.repeat(60)}`;
  const document = 'mutation ($input: CreateRoleInput!) { createRole(input: $input) { roleId } }';
  const { text } = await graph.ask(document, { input: { roleId: 'r', name: 'r', [name]: 1 } }, graph.token());
  expect(text).toContain('There is no field x');
  expect(text).not.toMatch(/\\ud[89a-f]/i);
});

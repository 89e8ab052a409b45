/**
 * Every leaf of the schema, as an object, from bytes and remembered: its own type serializes its values at each
 * use of a document, and reads them wherever they are given.
 */
import { inspect } from 'node:util';
import {
  type DocumentNode,
  execute,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { demonstrationFile } from '../../dev/demoData.js';
import type { Context } from '../../src/context.js';
import { AnswerBytes } from '../../src/engine/answerBytes.js';
import { Json } from '../../src/entities/scalars.js';
import { openExecutor } from '../../src/graphql/execution/execution.js';
import { openGraphql } from '../../src/graphql/execution/server.js';
import { graphContext } from '../../src/graphql/resolving/loaders.js';
import { openSchema } from '../../src/graphql/schema.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { startTestGraph, type TestGraph } from './graph.js';

const uses = 3;
const schema = openSchema();
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
const leafTypes = types.filter(isLeafType);
const leavesOf = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).filter((field) => isLeafType(getNamedType(field.type)));
const withLeaves = types.filter(isObjectType).filter((type) => leavesOf(type).length > 0);

let graph: TestGraph;
let context: Context;
beforeAll(async () => {
  const limits = { graphqlAliasesMax: 1_000, graphqlTokensMax: 10_000 };
  graph = await startTestGraph({ ANSWERS_REMEMBERED_MB: '8' }, limits);
  // claims of a token say when they were made
  const now = new Date();
  context = { ...graph.app.context, clock: { ...graph.app.context.clock, now: () => now } };
  await importFile(context, demonstrationFile);
});
afterAll(() => graph?.close());

/** The JSON of each use, as the executor gives it. */
async function answersOf(target: GraphQLSchema, query: string, variables: Record<string, unknown> = {}) {
  const document = parse(query);
  const run = openExecutor(target, context.config, true);
  const operation = document.definitions[0] as OperationDefinitionNode;
  const texts: string[] = [];
  for (let use = 0; use < uses; use++) {
    const answer = new AnswerBytes();
    const result = await run(graphContext(context), { document, operation, variables }, answer);
    texts.push(answer.write(result).toString());
  }
  return texts;
}

async function interpreted(target: GraphQLSchema, document: DocumentNode, variableValues = {}): Promise<string> {
  const contextValue = graphContext(context);
  return `${JSON.stringify(await execute({ schema: target, document, contextValue, variableValues }))}\n`;
}

/** While `work` runs, each type says that it serialized a value. */
async function marked(marks: readonly GraphQLLeafType[], work: () => Promise<void>): Promise<void> {
  const before = marks.map((type) => Object.getOwnPropertyDescriptor(type, 'serialize'));
  for (const type of marks)
    Object.defineProperty(type, 'serialize', {
      value: (value: unknown) => `${type.name}: ${String(value)}`,
      configurable: true,
    });
  try {
    await work();
  } finally {
    for (const [index, type] of marks.entries()) {
      if (before[index]) Object.defineProperty(type, 'serialize', before[index]);
      else Reflect.deleteProperty(type, 'serialize');
    }
  }
}

/** A schema whose root fields are the object types, with their leaves; each has this value. */
function schemaOfLeaves(leafValue: (type: GraphQLLeafType) => unknown): GraphQLSchema {
  const shaped = (type: GraphQLOutputType, value: unknown): unknown => {
    if (isNonNullType(type)) return shaped(type.ofType, value);
    return isListType(type) ? [shaped(type.ofType, value)] : value;
  };
  const fieldsOf = (type: GraphQLObjectType) =>
    leavesOf(type).map((field) => {
      const value = shaped(field.type, leafValue(getNamedType(field.type) as GraphQLLeafType));
      // half of them by a resolver, as in the real schema
      const config: GraphQLFieldConfig<unknown, unknown> = { type: field.type };
      if (field.name.length % 2 === 0) config.resolve = () => value;
      return { name: field.name, config, value };
    });
  const roots = withLeaves.map((type) => {
    const fields = fieldsOf(type);
    const object = new GraphQLObjectType({
      name: `${type.name}Leaves`,
      fields: Object.fromEntries(fields.map(({ name, config }) => [name, config])),
    });
    const record = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    return [type.name, { type: object, resolve: () => record }] as const;
  });
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: Object.fromEntries(roots) }) });
}

const allLeaves = `{ ${withLeaves
  .map((type) => `${type.name} { ${leavesOf(type).map(({ name }) => name)} }`)
  .join(' ')} }`;

it('every leaf of every type is serialized by its type, however often the document was used', async () => {
  const target = schemaOfLeaves((type) => (isEnumType(type) ? type.getValues()[0]!.value : 7));
  await marked(leafTypes, async () => {
    const answers = await answersOf(target, allLeaves);
    const expected = await interpreted(target, parse(allLeaves));
    expect(answers).toEqual(Array(uses).fill(expected));
    const count = withLeaves.reduce((sum, type) => sum + leavesOf(type).length, 0);
    expect(expected.match(/"\w+: [^"]*"/g)).toHaveLength(count);
  });
});

const enums = leafTypes.filter(isEnumType);
it.each(enums.map((type) => [type.name, type] as const))('every value of %s has its name', async (_name, type) => {
  const fields = type.getValues().map(({ name, value }) => [name, { type, resolve: () => value }] as const);
  const list = { type: new GraphQLList(type), resolve: () => type.getValues().map(({ value }) => value) };
  const query = new GraphQLObjectType({ name: 'Query', fields: { ...Object.fromEntries(fields), list } });
  const names = type.getValues().map(({ name }) => name);
  const expected = { ...Object.fromEntries(names.map((name) => [name, name])), list: names };
  const answers = await answersOf(new GraphQLSchema({ query }), `{ ${names.join(' ')} list }`);
  expect(answers.map((text) => JSON.parse(text))).toEqual(Array(uses).fill({ data: expected }));
});

it('a value that its type does not serialize is the same error at each use', async () => {
  const target = schemaOfLeaves((type) => (isEnumType(type) ? 'no such value' : { toString: null }));
  const answers = await answersOf(target, allLeaves);
  expect(answers).toEqual(Array(uses).fill(await interpreted(target, parse(allLeaves))));
  expect(answers[0]).toContain('cannot represent value');
});

/** What the arguments of root fields are, by name; a new one that must be given is added here. */
const given: Record<string, string> = {
  field: 'DEPARTMENT',
  accessScopeGuid: '"ad300000-0000-4000-8000-000000000001"',
  accessScopeTypeGuid: '"de310000-0000-4000-8000-000000000001"',
  applicationGuid: '"de330000-0000-4000-8000-000000000001"',
  changeSetGuid: '"00000000-0000-4000-8000-000000000000"',
  clientId: '"demo-client"',
  connectorId: '"none"',
  eventStreamGuid: '"00000000-0000-4000-8000-000000000000"',
  'reviewSize.filter': '{}',
  'compareUsers.left': '"de300000-0000-4000-8000-000000000001"',
  'compareUsers.right': '"de300000-0000-4000-8000-000000000002"',
  emails: '["ada@example.com"]',
  left: '"grid-operator"',
  profileId: '"grid-operator"',
  right: '"field-north"',
  proposalGuid: '"00000000-0000-4000-8000-000000000000"',
  reviewGuid: '"00000000-0000-4000-8000-000000000000"',
  roleId: '"operator"',
  subjectId: '"de330000-0000-4000-8000-000000000001"',
  subjectType: '"Application"',
  text: '"a"',
  tokenGuid: '"00000000-0000-4000-8000-000000000000"',
  id: '"00000000-0000-4000-8000-000000000000"',
  traceId: '"4bf92f3577b34da6a3ce929d0e0e4736"',
  translationGroup: '"none"',
  userGuid: '"de300000-0000-4000-8000-000000000001"',
};

/** The leaves of a member of a union, by names that no other member has. */
const leavesAsOwn = (type: GraphQLObjectType): string =>
  `... on ${type.name} { ${leavesOf(type)
    .map(({ name }) => `${type.name}${name}: ${name}`)
    .join(' ')} }`;

/** Each root field with all leaves, those of pages and of what is below them too. */
function queriesOfAll(target: GraphQLSchema): string[] {
  const selection = (type: GraphQLObjectType, depth: number): string => {
    const fields = Object.values(type.getFields());
    // each count of an effect has an id of its own
    const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)) && field.name !== 'effectId');
    const isPage = type.name.endsWith('Connection') || type.name.endsWith('Edge');
    const objects = fields.filter(({ type: of, args }) => {
      const named = getNamedType(of);
      return isObjectType(named) && args.length === 0 && (isPage || (depth < 3 && !named.name.endsWith('Connection')));
    });
    const inner = objects.map(({ name, type: of }) => {
      const named = getNamedType(of) as GraphQLObjectType;
      return `${name} { ${selection(named, isPage ? depth : depth + 1)} }`;
    });
    const unions = fields.flatMap(({ name, type: of }) => {
      const named = getNamedType(of);
      return isUnionType(named) ? [`${name} { ${named.getTypes().map(leavesAsOwn).join(' ')} }`] : [];
    });
    return ['__typename', ...leaves.map(({ name }) => name), ...inner, ...unions].join(' ');
  };
  // an effect is only there after a dry run
  const roots = Object.values(target.getQueryType()!.getFields()).filter(({ name }) => name !== 'effect');
  return roots.map(({ name, args, type }) => {
    const named = getNamedType(type);
    const wanted = args.filter((argument) => argument.name in given || `${name}.${argument.name}` in given);
    const pages = args.some((argument) => argument.name === 'first') ? ['first: 3'] : [];
    const valueFor = (argument: string) => given[`${name}.${argument}`] ?? given[argument];
    const values = [...wanted.map((argument) => `${argument.name}: ${valueFor(argument.name)}`), ...pages];
    const text = values.length > 0 ? `${name}(${values.join(', ')})` : name;
    return `{ ${text} ${isObjectType(named) ? `{ ${selection(named, 1)} }` : ''} }`;
  });
}

it.each(
  queriesOfAll(schema).map((query) => [/\w+/.exec(query)![0], query] as const),
)('each use of %s answers what the interpreter answers of the same data', async (_name, query) => {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  // keys are made and work is logged beside it: once more where the data moved
  for (let attempt = 0; ; attempt++) {
    const expected = withoutTime(await interpreted(schema, document));
    const answers = [
      ...(await facesAnswer(query, context)),
      ...(await facesAnswer(query, { ...context, answers: undefined })),
    ];
    if (attempt < 5 && withoutTime(await interpreted(schema, document)) !== expected) continue;
    expect(answers.map((answer) => JSON.parse(withoutTime(JSON.stringify(answer))))).toEqual(
      Array(2 * uses).fill(JSON.parse(expected).data),
    );
    return;
  }
});

/** The claims of a preview have the second of each answer. */
const withoutTime = (text: string): string => text.replaceAll(/"(iat|exp)":\d+/g, '"$1":0');

async function facesAnswer(query: string, asking: Context): Promise<unknown[]> {
  const face = await openGraphql(graph.app.running.dependencies);
  const answers: unknown[] = [];
  for (let use = 0; use < uses; use++) {
    const headers = { 'content-type': 'application/json' };
    const { body } = await face(asking, { method: 'POST', headers, search: '', body: { query } });
    answers.push(JSON.parse(body.toString()).data);
  }
  return answers;
}

it('a field of a record whose type has a serializer of its own is not written as its column is', async () => {
  const { name, isActive } = (schema.getType('AccessScope') as GraphQLObjectType).getFields();
  const before = [name!.type, isActive!.type] as const;
  const Loud = new GraphQLScalarType({ name: 'Loud', serialize: (value) => `${String(value).toUpperCase()}!` });
  const Use = new GraphQLEnumType({ name: 'Use', values: { IN_USE: { value: true }, OUT_OF_USE: { value: false } } });
  const types = schema.getTypeMap();
  Object.assign(types, { Loud, Use });
  name!.type = new GraphQLNonNull(Loud);
  isActive!.type = new GraphQLNonNull(Use);
  try {
    const query = '{ accessScopes(first: 3) { nodes { name isActive } edges { node { isActive name } } } }';
    const answers = await answersOf(schema, query);
    expect(answers).toEqual(Array(uses).fill(await interpreted(schema, parse(query))));
    expect(answers[0]).toMatch(/"name":"[A-Z ]+!","isActive":"IN_USE"/);
  } finally {
    [name!.type, isActive!.type] = before;
    for (const added of ['Loud', 'Use']) delete types[added];
  }
});

/** A literal and a variable's value for each leaf that an argument may have; a new scalar is added here. */
const inputs: Record<string, [literal: string, value: unknown]> = {
  Boolean: ['true', true],
  DateTime: ['"2026-01-02T03:04:05+01:00"', '2026-01-02T03:04:05+01:00'],
  Float: ['1.5', 1.5],
  ID: ['7', 7],
  Int: ['7', 7],
  JSON: ['{a: [1, "b"]}', { a: [1, 'b'] }],
  String: ['"a \\u2028 b"', 'a \u2028 b'],
  UUID: ['"{AD300000-0000-4000-8000-000000000001}"', '{AD300000-0000-4000-8000-000000000001}'],
};
// its values are none that JSON has
const Planted = new GraphQLEnumType({
  name: 'Planted',
  values: { FIRST: { value: Symbol.for('first') }, SECOND: { value: { key: 'second' } } },
});
const taken = types.flatMap((type) => {
  const fields = isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : [];
  if (isInputObjectType(type)) fields.push(...(Object.values(type.getFields()) as never[]));
  return fields.map((field) => getNamedType(field.type));
});
const inputLeaves = [...new Set([...taken.filter(isLeafType), Planted])];

it.each(
  inputLeaves.map((type) => [type.name, type] as const),
)('a value of type %s is read alike at each use: as a literal, as a variable and as a default of either', async (_name, type) => {
  const [literal, value] = isEnumType(type)
    ? [type.getValues().at(-1)!.name, type.getValues().at(-1)!.name]
    : inputs[type.name]!;
  const read = isEnumType(type) ? type.getValues().at(-1)!.value : type.parseValue(value);
  const show = (taken: unknown): string =>
    inspect(taken, { depth: 9, sorted: true, breakLength: Number.POSITIVE_INFINITY, compact: true });
  const Inside = new GraphQLInputObjectType({
    name: 'Inside',
    fields: { one: { type, defaultValue: read }, many: { type: new GraphQLList(type) } },
  });
  const field = (of: GraphQLInputType, defaultValue?: unknown) => ({
    type: GraphQLString,
    args: { given: { type: of, defaultValue } },
    resolve: (_root: unknown, given: unknown) => show(given),
  });
  const query = new GraphQLObjectType({
    name: 'Query',
    fields: {
      one: field(type),
      byDefault: field(type, read),
      many: field(new GraphQLList(new GraphQLNonNull(type))),
      inside: field(Inside),
      variables: { type: GraphQLString, resolve: (_root, _given, _context, info) => show(info.variableValues) },
    },
  });
  const target = new GraphQLSchema({ query, types: [Json] });
  const document = `query ($value: ${type.name}, $other: ${type.name} = ${literal}, $absent: ${type.name}, $inside: Inside) {
      literal: one(given: ${literal}) variable: one(given: $value) other: one(given: $other) absent: one(given: $absent)
      byDefault byDefaultToo: byDefault(given: $absent) nothing: byDefault(given: null)
      many(given: [${literal}, ${literal}]) mixed: many(given: [$other, ${literal}])
      inside(given: { many: [$value] }) more: inside(given: { one: $value, many: [$other] }) whole: inside(given: $inside)
      variables
    }`;
  const variables = { value, inside: { many: [value, null] } };
  const answers = await answersOf(target, document, variables);
  expect(answers).toEqual(Array(uses).fill(await interpreted(target, parse(document), variables)));
  expect(JSON.parse(answers[0]!).data.variable).toBe(show({ given: read }));
});

/** Variables are read as graphql-js reads them: the same values, and the same inputs refused. */
import fc from 'fast-check';
import {
  buildSchema,
  coerceInputValue,
  type GraphQLInputType,
  GraphQLList,
  type GraphQLNamedInputType,
  GraphQLNonNull,
  isInputType,
} from 'graphql';
import { Coercion, ProblemList } from '../../src/graphql/execution/inputs.js';
import { openSchema } from '../../src/graphql/schema.js';

const other = buildSchema(`
  input One @oneOf { text: String number: Int nested: One }
  input Defaults { a: Int = 5 b: [Int!]! = [1] c: Boolean! d: [[ID]] self: Defaults }
  type Query { q(one: One, defaults: Defaults): Int }`);
const types: GraphQLInputType[] = [
  ...Object.values(openSchema().getTypeMap()),
  other.getType('One')!,
  other.getType('Defaults')!,
]
  .filter((type) => isInputType(type))
  .map((type) => type as GraphQLInputType & GraphQLNamedInputType)
  .flatMap((type) => [
    type,
    new GraphQLNonNull(type),
    new GraphQLList(type),
    new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type))),
  ]);

const guid = '0a1B2c3D-0000-4000-8000-00000000000f';
const leaf = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  -(2 ** 31),
  'a',
  '',
  guid,
  `{${guid}}`,
  '2026-01-31T12:00:00Z',
  '2026-02-31T12:00:00Z',
  '9999-12-31T23:59:59-14:00',
  'ASC',
  '7',
  'ä😀',
);
const names = [...new Set(types.flatMap((type) => ('getFields' in type ? Object.keys(type.getFields()) : [])))];
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    // graphql-js takes a list where an object belongs, which the specification doesn't
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(...names) },
        { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'nothing') },
      ),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
}));

/** A value that the type may take, more likely than not. */
function near(type: GraphQLInputType, depth = 0): fc.Arbitrary<unknown> {
  if (type instanceof GraphQLNonNull) return near(type.ofType, depth);
  if (type instanceof GraphQLList)
    return fc.oneof(fc.array(near(type.ofType, depth), { maxLength: 3 }), near(type.ofType, depth));
  if (!('getFields' in type) || depth > 3) return leaf;
  const members = Object.values(type.getFields());
  return fc
    .subarray(members, { maxLength: Math.min(3, members.length) })
    .chain((some) => fc.record(Object.fromEntries(some.map((field) => [field.name, near(field.type, depth + 1)]))));
}

/** Where one side tells more of them than the other: of a list where an object belongs, and of several members of one. */
const isCountedOtherwise = (messages: string[]) =>
  messages.some((message) => /to be an object|not defined by type|Exactly one key/.test(message));

it('variables of any type and any value are read as graphql-js reads them', () => {
  const pair = fc
    .constantFrom(...types)
    .chain((type) =>
      fc.tuple(fc.constant(type), fc.oneof({ weight: 3, arbitrary: near(type) }, { weight: 1, arbitrary: value })),
    );
  let accepted = 0;
  let refused = 0;
  fc.assert(
    fc.property(pair, ([type, given]) => {
      const messages: string[] = [];
      const expected = coerceInputValue(given, type, (_path, _value, { message }) => messages.push(message));
      const found = new ProblemList(1_000);
      const read = new Coercion(found, 1_000_000).read(given, type, { root: 'field', path: ['argument'] });
      const problems = found.problems();
      if (messages.length === 0 && problems.length > 0) {
        // the one difference
        expect(JSON.stringify(given)).toContain('[');
        expect(JSON.stringify(problems)).toContain('must be an object');
        return;
      }
      expect([problems.length > 0, messages]).toEqual([messages.length > 0, messages]);
      if (messages.length === 0) {
        expect(read).toEqual(expected);
        accepted++;
      } else {
        refused++;
        if (!isCountedOtherwise(messages)) expect(Object.values(problems[0]![1]).flat()).toHaveLength(messages.length);
      }
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(accepted, refused)).toBeGreaterThan(300);
});

it('a value that is no text for PostgreSQL is refused where it stands', () => {
  const found = new ProblemList(10);
  const type = openSchema().getType('ApplicationFilter') as GraphQLInputType;
  new Coercion(found, 100).read({ or: [{ name: { eq: '\0' } }, { name: { in: ['a', '\ud800'] } }] }, type, {
    root: 'applications',
    path: ['filter'],
  });
  expect(found.problems()).toEqual([
    [
      'applications',
      {
        'filter.or[0].name.eq': ['The eq field must not contain a NUL character.'],
        'filter.or[1].name.in[1]': ['An item of the in field must be well-formed Unicode, without lone surrogates.'],
      },
    ],
  ]);
});

/** Enumerations, filters and orderings of the schema, made from the entities. */
import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql';
import { describe, type FieldType, fieldsFor, type RecordClass, relationsFor } from '../../entities/description.js';
import { DateTime, Uuid } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import { textFields } from '../../services/read/searchedFields.js';
import { unusualRule } from '../../services/read/unusualProfiles.js';

/**
 * Declares an enumeration and returns it as the type of members.
 * @param docs what each value means @param nameOf what the graph calls a value; absent: the value itself
 */
export function declareEnum<Value extends string>(
  name: string,
  description: string,
  docs: Readonly<Record<Value, string>>,
  nameOf: (value: Value) => string = (value) => value,
): Record<string, Value> {
  const values = Object.entries<string>(docs).map(([value, doc]) => ({ value: value as Value, doc }));
  const type = Object.fromEntries(values.map(({ value }) => [nameOf(value), value]));
  const valuesConfig = Object.fromEntries(values.map(({ value, doc }) => [nameOf(value), { description: doc }]));
  registerEnumType(type, { name, description, valuesConfig });
  return type;
}

type TypeOf = () => unknown;
const operatorDocs: { [operator: string]: string } = {
  eq: 'Equal to this value.',
  ne: 'Not equal to this value, or null.',
  in: 'Equal to one of these values.',
  notIn: 'Equal to none of these values, or null.',
  gt: 'Greater than this value; texts compare by code point.',
  ge: 'Greater than or equal to this value; texts compare by code point.',
  lt: 'Less than this value; texts compare by code point.',
  le: 'Less than or equal to this value; texts compare by code point.',
  contains: 'Contains this text.',
  startsWith: 'Starts with this text.',
  endsWith: 'Ends with this text.',
};
const equality = ['eq', 'ne'];
const lists = ['in', 'notIn'];
const ranges = ['gt', 'ge', 'lt', 'le'];
const parts = ['contains', 'startsWith', 'endsWith'];

class Named {}
/** A class with that name, because type-graphql identifies types by classes. */
export function namedClass(name: string): new () => object {
  return { [name]: class extends Named {} }[name]!;
}

/** Makes a type for each record, once. */
export function oncePerRecord<Type>(make: (record: RecordClass) => Type): (record: RecordClass) => Type {
  const types = new Map<RecordClass, Type>();
  return (record) => {
    const type = types.get(record) ?? make(record);
    types.set(record, type);
    return type;
  };
}

type InputMember = [name: string, type: TypeOf, doc: string];
/** An input type whose members may all be absent. */
function inputOf(name: string, description: string, members: readonly InputMember[]): RecordClass {
  const input = namedClass(name);
  InputType(name, { description })(input);
  for (const [member, type, doc] of members)
    Field(type as never, { nullable: true, description: doc })(input.prototype, member);
  return input;
}

const operatorsInput = (name: string, kind: string, type: TypeOf, operators: string[], more: InputMember[] = []) =>
  inputOf(name, `Conditions on ${kind}, combined with AND.`, [
    ...operators.map(
      (operator): InputMember => [operator, lists.includes(operator) ? () => [type()] : type, operatorDocs[operator]!],
    ),
    ['isNull', () => Boolean, 'Whether the field is null.'],
    ...more,
  ]);

const operatorInputs: { [type in FieldType]?: RecordClass } = {
  string: operatorsInput(
    'StringFilter',
    'a text',
    () => String,
    [...equality, ...lists, ...ranges, ...parts],
    [['ignoreCase', () => Boolean, 'Whether to ignore upper and lower case; absent: no.']],
  ),
  integer: operatorsInput('IntFilter', 'an integer', () => Int, [...equality, ...lists, ...ranges]),
  bigint: operatorsInput('IDFilter', 'an id', () => ID, [...equality, ...lists, ...ranges]),
  uuid: operatorsInput('UUIDFilter', 'a guid', () => Uuid, [...equality, ...lists]),
  boolean: operatorsInput('BooleanFilter', 'a boolean', () => Boolean, equality),
  dateTime: operatorsInput('DateTimeFilter', 'a date and time', () => DateTime, [...equality, ...lists, ...ranges]),
};

/** The filter input of a record, `ApplicationFilter`. */
export const filterOf = oncePerRecord((record): RecordClass => {
  const { name } = describe(record);
  const words = textFields.get(record)?.join(' or ');
  const input: RecordClass = inputOf(`${name}Filter`, `Conditions on ${name} records, combined with AND.`, [
    ['and', () => [input], 'All of these conditions are met.'],
    ['or', () => [input], 'At least one of these conditions is met.'],
    ['not', () => input, 'This condition is not met.'],
    ...(words ? [textMember(words)] : []),
    ...(record === User ? [unusualMember] : []),
    ...fieldsFor(record, 'filter').map(({ name, type, doc }): InputMember => [name, () => operatorInputs[type]!, doc]),
    ...relationsFor(record, 'filter').map(
      ({ name, kind, target, doc }): InputMember => [
        name,
        () => (kind === 'toOne' ? filterOf : listFilterOf)(target()),
        doc,
      ],
    ),
  ]);
  listFilterOf(record);
  return input;
});

const textMember = (words: string): InputMember => [
  'text',
  () => String,
  `Every word is contained in ${words}, ignoring accents and case.`,
];
const unusualMember: InputMember = [
  'hasUnusualProfiles',
  () => Boolean,
  `Whether the user holds a profile that is unusual: ${unusualRule}.`,
];

const listFilterOf = oncePerRecord((record) =>
  inputOf(`${describe(record).name}ListFilter`, 'Conditions on related records.', [
    ['some', () => filterOf(record), 'At least one related record matches.'],
    ['none', () => filterOf(record), 'No related record matches.'],
  ]),
);

const Direction = declareEnum('Direction', 'The direction of a sort order.', {
  ASC: 'Ascending; nulls first.',
  DESC: 'Descending; nulls last.',
});

/** The ordering input of a record, `ApplicationOrderBy`. */
export const orderByOf = oncePerRecord(
  (record): RecordClass =>
    inputOf(`${describe(record).name}OrderBy`, 'A sort key. Exactly one field is required.', [
      ...fieldsFor(record, 'filter').map(({ name, doc }): InputMember => [name, () => Direction, doc]),
      ...relationsFor(record, 'filter')
        .filter(({ kind }) => kind === 'toOne')
        .map(({ name, target, doc }): InputMember => [name, () => orderByOf(target()), doc]),
    ]),
);

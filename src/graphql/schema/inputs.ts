/** Enumerations, filters and orderings of the schema, made from the entities. */
import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql';
import {
  describe,
  type FieldDescription,
  type FieldType,
  fieldsFor,
  type RecordClass,
  relationsFor,
} from '../../entities/description.js';
import { DateTime, Uuid } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import { textFields } from '../../services/read/foldedText.js';
import { unusualRule } from '../../services/read/unusualProfiles.js';

/**
 * Declares an enumeration and returns it as the type of fields. Its values have the order of `values`.
 * @param nameOf what the graph calls a value; absent: the value itself
 */
export function declareEnum<Value extends string>(
  name: string,
  description: string,
  values: readonly Value[],
  docOf: Record<Value, string> | ((value: Value) => string),
  nameOf: (value: Value) => string = (value) => value,
): Record<string, Value> {
  const type = Object.fromEntries(values.map((value) => [nameOf(value), value]));
  const doc = typeof docOf === 'function' ? docOf : (value: Value) => docOf[value];
  const valuesConfig = Object.fromEntries(values.map((value) => [nameOf(value), { description: doc(value) }]));
  registerEnumType(type, { name, description, valuesConfig });
  return type;
}

type TypeOf = () => unknown;
const operatorDocs: { [operator: string]: string } = {
  eq: 'Equal to this value; null: the field is null.',
  ne: 'Not equal to this value, or null; null: the field is not null.',
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

const nullable = (description: string) => ({ nullable: true, description });

function operatorsInput(name: string, kind: string, type: TypeOf, operators: string[]): RecordClass {
  const input = namedClass(name);
  InputType(name, { description: `Conditions on ${kind}, combined with AND.` })(input);
  for (const operator of operators) {
    const typed = lists.includes(operator) ? () => [type()] : type;
    Field(typed as never, nullable(operatorDocs[operator]!))(input.prototype, operator);
  }
  Field(() => Boolean, nullable('Whether the field is null.'))(input.prototype, 'isNull');
  return input;
}

const StringFilter = operatorsInput('StringFilter', 'a text', () => String, [
  ...equality,
  ...lists,
  ...ranges,
  ...parts,
]);
Field(() => Boolean, nullable('Whether to ignore upper and lower case; absent: no.'))(
  StringFilter.prototype,
  'ignoreCase',
);
const IntFilter = operatorsInput('IntFilter', 'an integer', () => Int, [...equality, ...lists, ...ranges]);
const operatorInputs: { [type in FieldType]?: RecordClass } = {
  string: StringFilter,
  integer: IntFilter,
  bigint: operatorsInput('IDFilter', 'an id', () => ID, [...equality, ...lists, ...ranges]),
  uuid: operatorsInput('UUIDFilter', 'a guid', () => Uuid, [...equality, ...lists]),
  boolean: operatorsInput('BooleanFilter', 'a boolean', () => Boolean, equality),
  dateTime: operatorsInput('DateTimeFilter', 'a date and time', () => DateTime, [...equality, ...lists, ...ranges]),
};
const operatorsOf = ({ type }: FieldDescription): RecordClass => operatorInputs[type]!;

const filters = new Map<RecordClass, RecordClass>();
const listFilters = new Map<RecordClass, RecordClass>();

/** The filter input of a record, `ApplicationFilter`. */
export function filterOf(record: RecordClass): RecordClass {
  const cached = filters.get(record);
  if (cached) return cached;
  const { name } = describe(record);
  const input = namedClass(`${name}Filter`);
  filters.set(record, input);
  InputType(`${name}Filter`, { description: `Conditions on ${name} records, combined with AND.` })(input);
  const member = (member: string, type: TypeOf, doc: string) =>
    Field(type as never, nullable(doc))(input.prototype, member);
  member('and', () => [input], 'All of these conditions are met.');
  member('or', () => [input], 'At least one of these conditions is met.');
  member('not', () => input, 'This condition is not met.');
  if (textFields.has(record))
    member(
      'text',
      () => String,
      `Every word is contained in ${textFields.get(record)!.join(' or ')}, ignoring accents and case.`,
    );
  if (record === User)
    member('hasUnusualProfiles', () => Boolean, `Whether the user holds a profile that is unusual: ${unusualRule}.`);
  for (const field of fieldsFor(record, 'filter')) member(field.name, () => operatorsOf(field), field.doc);
  for (const { name: relation, kind, target, doc } of relationsFor(record, 'filter'))
    member(relation, () => (kind === 'toOne' ? filterOf : listFilterOf)(target()), doc);
  listFilterOf(record);
  return input;
}

function listFilterOf(record: RecordClass): RecordClass {
  const cached = listFilters.get(record);
  if (cached) return cached;
  const name = `${describe(record).name}ListFilter`;
  const input = namedClass(name);
  listFilters.set(record, input);
  InputType(name, { description: 'Conditions on related records.' })(input);
  Field(() => filterOf(record), nullable('At least one related record matches.'))(input.prototype, 'some');
  Field(() => filterOf(record), nullable('No related record matches.'))(input.prototype, 'none');
  return input;
}

const Direction = declareEnum('Direction', 'The direction of a sort order.', ['ASC', 'DESC'], {
  ASC: 'Ascending; nulls first.',
  DESC: 'Descending; nulls last.',
});

const inputs = new Map<RecordClass, RecordClass>();

/** The ordering input of a record, `ApplicationOrderBy`. */
export function orderByOf(record: RecordClass): RecordClass {
  const cached = inputs.get(record);
  if (cached) return cached;
  const name = `${describe(record).name}OrderBy`;
  const input = namedClass(name);
  inputs.set(record, input);
  InputType(name, { description: 'A sort key. Exactly one field is required.' })(input);
  for (const { name: field, doc } of fieldsFor(record, 'filter'))
    Field(() => Direction as never, { nullable: true, description: doc })(input.prototype, field);
  for (const { name: relation, kind, target, doc } of relationsFor(record, 'filter'))
    if (kind === 'toOne')
      Field(() => orderByOf(target()), { nullable: true, description: doc })(input.prototype, relation);
  return input;
}

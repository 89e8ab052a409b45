/** Reads filters and orderings of the graph into the expressions that lists and pages share. */
import {
  type FieldDescription,
  fieldsFor,
  type RecordClass,
  type RelationDescription,
  relationsFor,
} from '../../entities/description.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { isBigint, isDay, isStorable } from '../../entities/valueForms.js';
import { badInput } from '../../errors.js';
import {
  type Comparison,
  type Expression,
  type FunctionName,
  itVariable,
  type Literal,
  nothing,
  type Path,
  type PropertyType,
} from './expression.js';
import { wordsOf } from './foldedText.js';
import type { OrderTerm } from './ordering.js';
import { textFields } from './searchedFields.js';
import { usersWithUnusualProfiles } from './unusualProfiles.js';

export type RecordFilter = { [member: string]: unknown };
type Operators = { [operator: string]: unknown };

const filterNodesMax = 200;
const filterDepthMax = 12;
const listItemsMax = 1_000;

const always: Expression = { kind: 'literal', type: 'boolean', value: true };
const never: Expression = { kind: 'literal', type: 'boolean', value: false };

/**
 * The condition of a filter. Throws BAD_USER_INPUT keyed by path.
 * @param requireReadable throws for records that the caller may not read, not even by filtering
 */
export const readRecordFilter = (
  record: RecordClass,
  filter: RecordFilter,
  requireReadable: (record: RecordClass) => void,
): Expression =>
  new FilterReader(requireReadable).read({ record, root: itVariable, navigations: [] }, filter, 'filter', 0);

/** The record to which the members of a filter belong. */
interface Place {
  record: RecordClass;
  root: string;
  navigations: string[];
}

class FilterReader {
  #nodes = 0;
  #variables = 0;

  constructor(private readonly requireReadable: (record: RecordClass) => void) {}

  read(place: Place, filter: RecordFilter, at: string, depth: number): Expression {
    if (depth > filterDepthMax) throw refuse(at, `A filter has at most ${filterDepthMax} levels.`);
    const members = givenIn(filter);
    // an empty item of a list counts too
    if (members.length === 0) this.#count(at);
    const conditions = members.map(([name, value]) => {
      this.#count(at);
      return this.#readMember(place, name, value, `${at}.${name}`, depth + 1);
    });
    return join('and', conditions);
  }

  #count(at: string): void {
    if (++this.#nodes > filterNodesMax) throw refuse(at, `A filter has at most ${filterNodesMax} conditions.`);
  }

  #readMember(place: Place, name: string, value: unknown, at: string, depth: number): Expression {
    if (name === 'not') return { kind: 'isNotTrue', operand: this.read(place, value as RecordFilter, at, depth) };
    if (name === 'and' || name === 'or') {
      const items = (value as RecordFilter[]).map((item, index) => this.read(place, item, `${at}[${index}]`, depth));
      return join(name, items);
    }
    const properties = name === 'text' ? textFields.get(place.record) : undefined;
    if (properties) {
      const { root, navigations } = place;
      return { kind: 'words', root, navigations, properties, words: wordsOf(value as string, at) };
    }
    if (name === 'hasUnusualProfiles' && place.record === User) {
      const { root, navigations } = place;
      this.requireReadable(UserProfile);
      const set = usersWithUnusualProfiles;
      const member: Expression = { kind: 'memberOf', root, navigations, property: 'userId', set };
      return value === true ? member : { kind: 'isNotTrue', operand: member };
    }
    const relation = relationsFor(place.record, 'filter').find((candidate) => candidate.name === name);
    if (relation?.kind === 'toOne') {
      this.requireReadable(relation.target());
      const next = { ...place, record: relation.target(), navigations: [...place.navigations, name] };
      return this.read(next, value as RecordFilter, at, depth);
    }
    if (relation) return this.#readToMany(place, relation, value as Operators, at, depth);
    const field = fieldsFor(place.record, 'filter').find((candidate) => candidate.name === name);
    if (!field) throw refuse(at, 'There is no such field to filter by.');
    return this.#readField(place, field, value as Operators, at);
  }

  /** `some`: at least one related record matches; `none`: no related record matches. */
  #readToMany(place: Place, { name, target }: RelationDescription, operators: Operators, at: string, depth: number) {
    const conditions = givenIn(operators).map(([operator, nested]): Expression => {
      this.requireReadable(target());
      const variable = `v${++this.#variables}`;
      const members: Place = { record: target(), root: variable, navigations: [] };
      const condition = this.read(members, nested as RecordFilter, `${at}.${operator}`, depth);
      const { root, navigations } = place;
      const some: Expression = { kind: 'any', root, navigations, collection: name, lambda: { variable, condition } };
      return operator === 'none' ? { kind: 'isNotTrue', operand: some } : some;
    });
    return join('and', conditions);
  }

  #readField({ root, navigations }: Place, field: FieldDescription, operators: Operators, at: string) {
    const { ignoreCase, ...comparisons } = operators;
    // clients with types write null for each operator that is not set
    const given = givenIn(comparisons);
    if (given.length === 0 && Object.values(comparisons).includes(null))
      throw refuse(at, 'Null is no value to compare with: isNull finds the fields without a value.');
    const type = field.type as PropertyType;
    const nullable = field.nullable || navigations.length > 0;
    const path: Path = { kind: 'path', root, navigations, property: field.name, type, nullable };
    const fold = (value: Expression): Expression =>
      ignoreCase === true ? { kind: 'call', name: 'fold', arguments: [value], type: 'string' } : value;
    const conditions = given.map(([operator, value]) => {
      this.#count(at);
      return readOperator(type, fold(path), operator, value, fold, `${at}.${operator}`);
    });
    return join('and', conditions);
  }
}

/** The members that have a value. */
const givenIn = (members: object): [name: string, value: unknown][] =>
  Object.entries(members).filter(([, value]) => value !== null && value !== undefined);

const functions: { [operator: string]: FunctionName } = {
  contains: 'contains',
  startsWith: 'startswith',
  endsWith: 'endswith',
};

function readOperator(
  type: PropertyType,
  value: Expression,
  operator: string,
  operand: unknown,
  fold: (value: Expression) => Expression,
  at: string,
): Expression {
  if (operator === 'isNull') return { kind: 'compare', operator: operand ? 'eq' : 'ne', left: value, right: nothing };
  if (operator === 'in' || operator === 'notIn') {
    const items = (operand as unknown[]).filter((item) => item !== null);
    if (items.length > listItemsMax) throw refuse(at, `A list has at most ${listItemsMax} items.`);
    const isIn: Expression = { kind: 'in', value, items: items.map((item) => readValue(type, item, at)) };
    return operator === 'in' ? isIn : { kind: 'isNotTrue', operand: isIn };
  }
  const right = fold(readValue(type, operand, at));
  const name = functions[operator];
  if (!name) return { kind: 'compare', operator: operator as Comparison, left: value, right };
  return { kind: 'call', name, arguments: [value, right], type: 'boolean' };
}

/** A value for the database; GraphQL has checked its type. Throws BAD_USER_INPUT. */
function readValue(type: PropertyType, value: unknown, at: string): Literal {
  if (typeof value === 'string' && !isStorable(value)) throw refuse(at, 'The text contains a NUL or a lone surrogate.');
  if (type === 'bigint' && !isBigint(String(value))) throw refuse(at, 'A whole number is expected.');
  if (type === 'integer') return { kind: 'literal', type: 'number', value: value as number, text: String(value) };
  if (type === 'boolean') return { kind: 'literal', type, value: value as boolean };
  if (type === 'dateTime' && isDay(value as string)) throw refuse(at, 'A date-time with an offset is expected.');
  if (type === 'dateTime') return { kind: 'literal', type, value: value as string, finer: '' };
  return { kind: 'literal', type, value: String(value) };
}

/** All or any of the conditions; without conditions true or false. */
function join(kind: 'and' | 'or', conditions: readonly Expression[]): Expression {
  if (conditions.length === 0) return kind === 'and' ? always : never;
  return conditions.reduce((left, right) => ({ kind, left, right }));
}

const refuse = (at: string, problem: string) => badInput({ [at]: [problem] });

/** One member: a field with its direction, or a to-one relation with another member. */
export type RecordOrder = { [member: string]: unknown };

const termsMax = 10;

/** The terms of an ordering. Throws BAD_USER_INPUT keyed by path. */
export function readRecordOrders(record: RecordClass, orders: readonly RecordOrder[]): OrderTerm[] {
  const terms = orders.map((order, index) => readTerm(record, order, `orderBy[${index}]`, []));
  const names = new Set(terms.map(({ navigations, property }) => [...navigations, property].join('.')));
  if (names.size > termsMax) throw badInput({ orderBy: [`At most ${termsMax} orderings are accepted.`] });
  return terms;
}

function readTerm(record: RecordClass, order: RecordOrder, at: string, navigations: readonly string[]): OrderTerm {
  const [member, another] = givenIn(order);
  if (!member || another) throw refuse(at, 'Exactly one member is expected.');
  const [name, value] = member;
  const relation = relationsFor(record, 'filter').find((candidate) => candidate.name === name);
  if (relation?.kind === 'toOne')
    return readTerm(relation.target(), value as RecordOrder, `${at}.${name}`, [...navigations, name]);
  if (!fieldsFor(record, 'filter').some((field) => field.name === name))
    throw refuse(`${at}.${name}`, 'There is no such field to order by.');
  return { navigations, property: name, descending: value === 'DESC' };
}

/** Filters of a record, as GraphQL's input has them, into a condition; every value is bound. */
import {
  type FieldDescription,
  fieldsFor,
  type RecordClass,
  type RelationDescription,
  relationsFor,
} from '../../entities/description.js';
import { isStorable } from '../../entities/storableText.js';
import { badInput } from '../../errors.js';
import { leadsTo, namedRows, type Rows, type Statement, sqlTypes } from '../sql/select.js';
import { isBigint } from './orderBy.js';

export type RecordFilter = { [member: string]: unknown };
type Operators = { [operator: string]: unknown };

const filterNodesMax = 200;
const filterDepthMax = 12;
const listItemsMax = 1_000;

/** Everything about the filter being written. */
interface Writing {
  statement: Statement;
  nodes: number;
  subqueries: number;
  /** How many relations to many the condition being written is inside of. */
  level: number;
}

/** SQL that is true for the records that pass; empty when all do. Throws BAD_USER_INPUT keyed by path. */
export function filterCondition(rows: Rows, filter: RecordFilter | null | undefined, at = 'filter'): string {
  if (!filter) return '';
  return writeFilter({ statement: rows.statement, nodes: 0, subqueries: 0, level: 0 }, rows, filter, at, 0);
}

const refuse = (at: string, problem: string) => badInput({ [at]: [problem] });

function writeFilter(writing: Writing, rows: Rows, filter: RecordFilter, at: string, depth: number): string {
  if (depth > filterDepthMax) throw refuse(at, `A filter has at most ${filterDepthMax} levels.`);
  const conditions: string[] = [];
  const members = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined);
  // an item of a list costs, though it says nothing
  if (members.length === 0) countCondition(writing, at);
  for (const [name, value] of members) {
    countCondition(writing, at);
    const next = (nested: unknown, path: string, of = rows) =>
      writeFilter(writing, of, nested as RecordFilter, path, depth + 1);
    conditions.push(writeMember(writing, rows, name, value, `${at}.${name}`, next));
  }
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}

function countCondition(writing: Writing, at: string): void {
  if (++writing.nodes > filterNodesMax) throw refuse(at, `A filter has at most ${filterNodesMax} conditions.`);
}

type Next = (nested: unknown, path: string, of?: Rows) => string;

function writeMember(writing: Writing, rows: Rows, name: string, value: unknown, at: string, next: Next): string {
  if (name === 'not') return `(${next(value, at)}) is not true`;
  if (name === 'and' || name === 'or') {
    const parts = (value as unknown[]).map((item, index) => `(${next(item, `${at}[${index}]`)})`);
    return parts.length > 0 ? `(${parts.join(` ${name} `)})` : String(name === 'and');
  }
  const relation = relationsFor(rows.record, 'filter').find((candidate) => candidate.name === name);
  if (relation?.kind === 'toOne') return `(${next(value, at, rows.follow(name))})`;
  if (relation) return writeToMany(writing, rows, relation, value as Operators, at, next);
  const field = fieldsFor(rows.record, 'filter').find((candidate) => candidate.name === name);
  if (!field) throw refuse(at, 'There is no such field to filter by.');
  return writeField(writing, rows.column([], field.name), field, value as Operators, at);
}

/** `some`: at least one related record passes; `none`: not one does. */
function writeToMany(
  writing: Writing,
  rows: Rows,
  relation: RelationDescription,
  operators: Operators,
  at: string,
  next: Next,
): string {
  const conditions: string[] = [];
  for (const [operator, nested] of Object.entries(operators)) {
    if (nested === null || nested === undefined) continue;
    const members = namedRows(writing.statement, relation.target(), `s${++writing.subqueries}_`);
    writing.level += 1;
    const passes = next(nested, `${at}.${operator}`, members);
    writing.level -= 1;
    const some = leadsTo(relation, rows, members, passes, writing.level > 0);
    conditions.push(operator === 'none' ? `not ${some}` : some);
  }
  return conditions.length > 0 ? `(${conditions.join(' and ')})` : 'true';
}

function writeField(
  writing: Writing,
  column: string,
  field: FieldDescription,
  operators: Operators,
  at: string,
): string {
  const isText = field.type === 'string';
  const ignoreCase = operators.ignoreCase === true;
  const fold = (text: string) => (ignoreCase ? `lower(${text})` : text);
  const conditions: string[] = [];
  for (const [operator, value] of Object.entries(operators)) {
    if (operator === 'ignoreCase' || value === undefined || (value === null && operator !== 'eq' && operator !== 'ne'))
      continue;
    countCondition(writing, at);
    const path = `${at}.${operator}`;
    const bind = (item: unknown) => fold(writing.statement.bind(checkValue(field, item, path), sqlTypes[field.type]));
    const list = () => {
      const items = (value as unknown[]).filter((item) => item !== null);
      if (items.length > listItemsMax) throw refuse(path, `A list has at most ${listItemsMax} items.`);
      const checked = items.map((item) => checkValue(field, item, path));
      const array = writing.statement.bind(checked, `${sqlTypes[field.type]}[]`);
      return ignoreCase ? `array(select lower(item) from unnest(${array}) item)` : array;
    };
    conditions.push(writeOperator(operator, fold(column), isText, value, bind, list));
  }
  return conditions.length > 0 ? `(${conditions.join(' and ')})` : 'true';
}

const comparisons: { [operator: string]: string } = { gt: '>', ge: '>=', lt: '<', le: '<=' };

function writeOperator(
  operator: string,
  column: string,
  isText: boolean,
  value: unknown,
  bind: (item: unknown) => string,
  list: () => string,
): string {
  switch (operator) {
    case 'eq':
      return value === null ? `${column} is null` : `${column} = ${bind(value)}`;
    case 'ne':
      return value === null ? `${column} is not null` : `${column} is distinct from ${bind(value)}`;
    case 'in':
      return `${column} = any(${list()})`;
    case 'notIn':
      return `(${column} = any(${list()})) is not true`;
    case 'isNull':
      return value ? `${column} is null` : `${column} is not null`;
    case 'contains':
      return `strpos(${column}, ${bind(value)}) > 0`;
    case 'startsWith':
      return `starts_with(${column}, ${bind(value)})`;
    case 'endsWith': {
      // right(x, 0) is empty, as the end of every text
      const end = bind(value);
      return `right(${column}, length(${end})) = ${end}`;
    }
    default:
      // texts compare by code point, as in REST, whatever the database's collation
      return `${column}${isText ? ' collate "C"' : ''} ${comparisons[operator]} ${bind(value)}`;
  }
}

/** A value that the database takes; GraphQL has judged its type already. Throws BAD_USER_INPUT. */
function checkValue(field: FieldDescription, value: unknown, at: string): unknown {
  if (typeof value === 'string' && !isStorable(value)) throw refuse(at, 'The text holds a NUL or a lone surrogate.');
  if (field.type === 'bigint' && !isBigint(String(value))) throw refuse(at, 'A whole number is expected.');
  return value;
}

/** The fields and relations that a filter of the record may name. */
export const filterable = (record: RecordClass) => ({
  fields: fieldsFor(record, 'filter'),
  toOne: relationsFor(record, 'filter').filter(({ kind }) => kind === 'toOne'),
  toMany: relationsFor(record, 'filter').filter(({ kind }) => kind === 'toMany'),
});

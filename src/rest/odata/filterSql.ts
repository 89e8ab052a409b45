/**
 * Writes a filter as SQL with OData's meaning (filter.ts): comparisons are never null, other expressions have SQL's three values.
 * Every value is bound with its type; strings compare by code point.
 */
import type { Condition } from '../../services/read/listRecords.js';
import { leadsTo, Rows, relationOf, type SqlType, type Statement } from '../../services/read/select.js';
import type { Any, Call, Compare, Comparison, Expression, In, Literal } from './filter.js';
import { itVariable } from './filter.js';

/** The records in scope: the listed one, and the members that variables name. */
type Scope = ReadonlyMap<string, Rows>;

/** The condition that keeps the records for which the filter is true. */
export const filterCondition =
  (filter: Expression): Condition =>
  (rows) =>
    write(filter, new Map([[itVariable, rows]]));

function write(expression: Expression, scope: Scope): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return `(${write(expression.left, scope)} ${expression.kind} ${write(expression.right, scope)})`;
    case 'not':
      return `(not ${write(expression.operand, scope)})`;
    case 'compare':
      return compare(expression, scope);
    case 'in':
      return isIn(expression, scope);
    case 'any':
      return any(expression, scope);
    case 'call':
      return call(expression, scope);
    case 'path': {
      const column = rowsOf(expression.root, scope).column(expression.navigations, expression.property);
      return expression.type === 'string' ? `(${column} collate "C")` : column;
    }
    case 'literal':
      return bind(expression, statementOf(scope));
  }
}

function rowsOf(root: string, scope: Scope): Rows {
  const rows = scope.get(root);
  if (!rows) throw new Error(`nothing is named ${root}`);
  return rows;
}

const statementOf = (scope: Scope): Statement => rowsOf(itVariable, scope).statement;

const types: { [type in Literal['type']]: SqlType } = {
  // wherever null differs from a value it is written out; elsewhere it is a string's or a condition's
  null: 'boolean',
  boolean: 'boolean',
  string: 'text',
  number: 'float8',
  guid: 'uuid',
  dateTime: 'timestamptz',
};

function bind(literal: Literal, statement: Statement): string {
  const isInteger = literal.type === 'number' && literal.value === (literal.value | 0);
  return statement.bind(literal.value, isInteger ? 'integer' : types[literal.type]);
}

const signs: Record<Comparison, string> = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' };
const mirrored: Record<Comparison, Comparison> = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' };

function compare({ operator, left, right }: Compare, scope: Scope): string {
  if (isNull(left)) return isNull(right) ? String(holdsForNulls(operator)) : compareNull(operator, right, scope);
  if (isNull(right)) return compareNull(operator, left, scope);
  if (left.kind === 'literal') {
    return right.kind === 'literal'
      ? compareLiterals(operator, left, right, scope)
      : compareWith(mirrored[operator], right, left, scope);
  }
  if (right.kind === 'literal') return compareWith(operator, left, right, scope);
  return compareValues(operator, write(left, scope), write(right, scope), mayBeNull(left) && mayBeNull(right));
}

/** Compares with a literal. A date-time finer than the stored milliseconds equals nothing, and is later than its milliseconds. */
function compareWith(operator: Comparison, value: Expression, literal: Literal, scope: Scope): string {
  const column = write(value, scope);
  const isFiner = literal.type === 'dateTime' && literal.finer !== '';
  if (isFiner && (operator === 'eq' || operator === 'ne')) return String(operator === 'ne');
  const stored = isFiner ? ({ gt: 'gt', ge: 'gt', lt: 'le', le: 'le' } as const)[operator as 'gt'] : operator;
  const bound = bind(literal, statementOf(scope));
  if (!mayBeNull(value)) return `(${column} ${signs[stored]} ${bound})`;
  return compareValues(stored, column, bound, false);
}

/** Compares two values that may be null. @param bothNull whether both may be null at once */
function compareValues(operator: Comparison, left: string, right: string, bothNull: boolean): string {
  if (operator === 'eq') return `(${left} is not distinct from ${right})`;
  if (operator === 'ne') return `(${left} is distinct from ${right})`;
  const holds = `${left} ${signs[operator]} ${right}`;
  const forNulls = bothNull && holdsForNulls(operator) ? `${left} is null and ${right} is null` : 'false';
  return `coalesce(${holds}, ${forNulls})`;
}

function compareLiterals(operator: Comparison, left: Literal, right: Literal, scope: Scope): string {
  if (left.type !== 'dateTime' || right.type !== 'dateTime') {
    const statement = statementOf(scope);
    const collate = left.type === 'string' ? ' collate "C"' : '';
    return `(${bind(left, statement)}${collate} ${signs[operator]} ${bind(right, statement)}${collate})`;
  }
  // both are written alike: the order of the texts is that of the times
  const texts = [left, right].map(({ value, finer }) => value.replace('Z', finer));
  const sign = texts[0]! < texts[1]! ? -1 : Number(texts[0]! > texts[1]!);
  const results = { eq: sign === 0, ne: sign !== 0, gt: sign > 0, ge: sign >= 0, lt: sign < 0, le: sign <= 0 };
  return String(results[operator]);
}

function compareNull(operator: Comparison, value: Expression, scope: Scope): string {
  if (operator === 'ne') return `(${write(value, scope)} is not null)`;
  // a bind that the text doesn't name would have no type
  return holdsForNulls(operator) ? `(${write(value, scope)} is null)` : 'false';
}

const holdsForNulls = (operator: Comparison): boolean => operator === 'eq' || operator === 'ge' || operator === 'le';
const isNull = (expression: Expression): boolean => expression.kind === 'literal' && expression.type === 'null';

function mayBeNull(expression: Expression): boolean {
  if (expression.kind === 'path') return expression.nullable;
  return !['literal', 'compare', 'in', 'any'].includes(expression.kind) || isNull(expression);
}

function isIn({ value, items }: In, scope: Scope): string {
  if (value.kind === 'literal') return either(items.map((right) => compare(equal(value, right), scope)));
  const others = items.filter((item) => item.type !== 'null' && !(item.type === 'dateTime' && item.finer !== ''));
  const alternatives = items.some(isNull) ? [compare(equal(value, nothing), scope)] : [];
  if (others[0]) {
    const type = `${types[others[0].type]}[]` as SqlType;
    const values = others.map((item) => item.value);
    alternatives.push(`coalesce(${write(value, scope)} = any(${statementOf(scope).bind(values, type)}), false)`);
  }
  return either(alternatives);
}

const either = (conditions: string[]): string => (conditions.length > 0 ? `(${conditions.join(' or ')})` : 'false');
const equal = (left: Expression, right: Expression): Compare => ({ kind: 'compare', operator: 'eq', left, right });
const nothing = { kind: 'literal', type: 'null', value: null } as const;

function any({ root, navigations, collection, lambda }: Any, scope: Scope): string {
  const owner = rowsOf(root, scope).followAll(navigations);
  const relation = relationOf(owner.record, collection);
  const members = new Rows(owner.statement, relation.target());
  const condition = lambda ? write(lambda.condition, new Map([...scope, [lambda.variable, members]])) : 'true';
  const isNested = scope.size > 1;
  return leadsTo(relation, owner, members, condition, isNested && (!lambda || isClosed(lambda)));
}

/** Whether the condition names only rows of its own variables. */
function isClosed({ variable, condition }: NonNullable<Any['lambda']>): boolean {
  const variables = new Set([variable]);
  const roots = new Set<string>();
  JSON.stringify(condition, (key, value) => {
    if (key === 'variable') variables.add(value);
    if (key === 'root') roots.add(value);
    return value;
  });
  return roots.isSubsetOf(variables);
}

// what String.prototype.trim removes: ECMA-262 WhiteSpace and LineTerminator
const space =
  "E'\\t\\n\\u000b\\f\\r \\u00a0\\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005\\u2006\\u2007\\u2008\\u2009\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'";

function call({ name, arguments: given }: Call, scope: Scope): string {
  const [text = '', part = ''] = given.map((argument) => (isNull(argument) ? 'null::text' : write(argument, scope)));
  const results = {
    contains: () => `(strpos(${text}, ${part}) > 0)`,
    startswith: () => `starts_with(${text}, ${part})`,
    endswith: () => `(right(${text}, char_length(${part})) = ${part})`,
    // full case mapping of Unicode, as JavaScript's
    tolower: () => `(lower(${text} collate unicode_case) collate "C")`,
    toupper: () => `(upper(${text} collate unicode_case) collate "C")`,
    trim: () => `(btrim(${text}, ${space}) collate "C")`,
    length: () => `char_length(${text})`,
  };
  return results[name]();
}

/** Conditions on records: the tree into which OData's `$filter` and the graph's filters are parsed, and its SQL. */
import type { FieldType } from '../../entities/description.js';
import { containsWords } from './foldedText.js';
import { leadsTo, namedRows, type Rows, relationOf, type SqlType, sqlTypes } from './select.js';

/**
 * The tree, with OData's meaning (OData 4.01 part 2, §5.1.1): `and`, `or`, `not` and the functions treat null as unknown and
 * may yield null; comparisons, `in`, `any` and `isNotTrue` never do. A filter keeps the records for which it is true.
 */
export type Expression = Logical | Not | Compare | In | Any | Words | MemberOf | Call | Path | Literal;

export type PropertyType = Exclude<FieldType, 'bytes' | 'json'>;
/** `number` is the type of number literals, comparable with integers; `null` that of the literal null. */
export type ValueType = PropertyType | 'number' | 'null';

/** Left-associative, as written. */
interface Logical {
  kind: 'and' | 'or';
  left: Expression;
  right: Expression;
}

/** `isNotTrue` holds for what is false or unknown. */
interface Not {
  kind: 'not' | 'isNotTrue';
  operand: Expression;
}

export type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';

/** Null equals null and nothing else; `ge` and `le` hold for two nulls, `gt` and `lt` for none. Texts compare by code point. */
interface Compare {
  kind: 'compare';
  operator: Comparison;
  left: Expression;
  right: Expression;
}

/** True when `value` equals one of the items; null equals an item null. False without items. If the value is a `fold`, each item is folded too. */
interface In {
  kind: 'in';
  value: Expression;
  items: Literal[];
}

/** True when the lambda's condition is true for some member; without a lambda, when there is any member. */
export interface Any {
  kind: 'any';
  /** `$it`, the filtered record, or the variable of an enclosing `any`. */
  root: string;
  /** To-one relations from the root to the record that has the collection. */
  navigations: string[];
  /** The to-many relation. */
  collection: string;
  lambda?: { variable: string; condition: Expression };
}

/** True when the properties together contain every word, without accents and in lower case. */
interface Words {
  kind: 'words';
  root: string;
  navigations: string[];
  properties: readonly string[];
  words: readonly string[];
}

/** True when the property is in a set that other records define. */
interface MemberOf {
  kind: 'memberOf';
  root: string;
  navigations: string[];
  property: string;
  /** SQL of a query with one column. */
  set: string;
}

export type FunctionName = 'contains' | 'startswith' | 'endswith' | 'tolower' | 'toupper' | 'length' | 'trim' | 'fold';

/** `length` counts Unicode code points; `trim` removes what `String.prototype.trim` does; `fold` is the database's own `lower`. */
export interface Call {
  kind: 'call';
  name: FunctionName;
  arguments: Expression[];
  type: 'string' | 'integer' | 'boolean';
}

/** A field of the root, or of a record reached by to-one relations; null if there is no such record. */
export interface Path {
  kind: 'path';
  root: string;
  navigations: string[];
  property: string;
  type: PropertyType;
  /** True when the property may be null or is reached by a relation. */
  nullable: boolean;
}

export type Literal =
  | { kind: 'literal'; type: 'null'; value: null }
  | { kind: 'literal'; type: 'boolean'; value: boolean }
  /** Well-formed Unicode without NUL. */
  | { kind: 'literal'; type: 'string'; value: string }
  /** `value` is a finite IEEE double, as which numbers are compared; `text` is the literal as written. */
  | { kind: 'literal'; type: 'number'; value: number; text: string }
  /** A whole number of 64 bits, in decimal. */
  | { kind: 'literal'; type: 'bigint'; value: string }
  /** Lower case. */
  | { kind: 'literal'; type: 'uuid'; value: string }
  /** `value` is UTC, cut to milliseconds (`2024-01-31T23:59:59.123Z`); `finer` are the digits cut off, without trailing zeros. */
  | { kind: 'literal'; type: 'dateTime'; value: string; finer: string };

/** The root of paths that begin at the filtered record. */
export const itVariable = '$it';
export const nothing = { kind: 'literal', type: 'null', value: null } as const;

/** The type of an expression's value. */
export const typeOf = (expression: Expression): ValueType => ('type' in expression ? expression.type : 'boolean');

const isNull = (expression: Expression): boolean => expression.kind === 'literal' && expression.type === 'null';

/** SQL that is true for the rows for which the expression is, and false or null for all others. Every value is bound. */
export const conditionSql = (expression: Expression, rows: Rows): string =>
  new ConditionWriter(rows).condition(expression, new Map([[itVariable, rows]]));

/** The records in scope: the filtered one, and the members that variables name. */
type Scope = ReadonlyMap<string, Rows>;

const signs: Record<Comparison, string> = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' };
const mirrored: Record<Comparison, Comparison> = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' };
const holdsForNulls = (operator: Comparison): boolean => operator === 'eq' || operator === 'ge' || operator === 'le';
const isOrder = (operator: Comparison): boolean => operator !== 'eq' && operator !== 'ne';

const literalTypes: { [type in Literal['type']]: SqlType } = {
  ...sqlTypes,
  // null is written out where its type matters; elsewhere it is a string or a condition
  null: 'boolean',
  number: 'float8',
};
const isInteger = ({ type, value }: Literal): boolean => type === 'number' && value === (value | 0);

// what String.prototype.trim removes: ECMA-262 WhiteSpace and LineTerminator
const space =
  "E'\\t\\n\\u000b\\f\\r \\u00a0\\u1680\\u2000\\u2001\\u2002\\u2003\\u2004\\u2005\\u2006\\u2007\\u2008\\u2009\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'";

class ConditionWriter {
  #subqueries = 0;

  constructor(private readonly rows: Rows) {}

  /** SQL that is true where the expression is true, and false or null elsewhere, so that plain comparisons can use indexes. */
  condition(expression: Expression, scope: Scope): string {
    switch (expression.kind) {
      case 'and':
      case 'or': {
        const operands = operandsOf(expression).map((operand) => this.condition(operand, scope));
        return `(${operands.join(` ${expression.kind} `)})`;
      }
      case 'not':
        if (mayBeNull(expression.operand)) return this.#value(expression, scope);
        return this.#isNotTrue(expression.operand, scope);
      case 'isNotTrue':
        return this.#isNotTrue(expression.operand, scope);
      case 'compare':
        return this.#compare(expression, scope);
      case 'in':
        return this.#isIn(expression, scope);
      case 'any':
        return this.#any(expression, scope);
      case 'words': {
        const rows = rowsOf(expression.root, scope);
        const columns = expression.properties.map((property) => rows.column(expression.navigations, property));
        return containsWords(columns, expression.words, (word) => this.rows.statement.bind(word, 'text'));
      }
      case 'memberOf':
        return `${rowsOf(expression.root, scope).column(expression.navigations, expression.property)} in (${expression.set})`;
      default:
        return expression.kind === 'literal' && expression.type === 'boolean'
          ? String(expression.value)
          : this.#value(expression, scope);
    }
  }

  /** SQL of the exact value, null included. */
  #value(expression: Expression, scope: Scope): string {
    switch (expression.kind) {
      case 'and':
      case 'or':
        return `(${operandsOf(expression)
          .map((operand) => this.#value(operand, scope))
          .join(` ${expression.kind} `)})`;
      case 'not':
        return `(not ${this.#value(expression.operand, scope)})`;
      case 'compare':
      case 'in':
        return `coalesce(${this.condition(expression, scope)}, false)`;
      case 'call':
        return this.#call(expression, scope);
      case 'path':
        return rowsOf(expression.root, scope).column(expression.navigations, expression.property);
      case 'literal':
        return this.#bind(expression);
      default:
        return this.condition(expression, scope);
    }
  }

  #bind(literal: Literal): string {
    return this.rows.statement.bind(literal.value, isInteger(literal) ? 'int' : literalTypes[literal.type]);
  }

  #isNotTrue(operand: Expression, scope: Scope): string {
    // PostgreSQL plans only `not exists` as a join
    return operand.kind === 'any'
      ? `(not ${this.#any(operand, scope)})`
      : `(${this.condition(operand, scope)} is not true)`;
  }

  #compare({ operator, left, right }: Compare, scope: Scope): string {
    if (isNull(left))
      return isNull(right) ? String(holdsForNulls(operator)) : this.#compareNull(operator, right, scope);
    if (isNull(right)) return this.#compareNull(operator, left, scope);
    if (left.kind === 'literal' && right.kind === 'literal' && left.type === 'dateTime' && right.type === 'dateTime')
      return String(holds(operator, left, right));
    if (left.kind === 'literal' && right.kind !== 'literal')
      return this.#compare({ kind: 'compare', operator: mirrored[operator], left: right, right: left }, scope);
    // a date-time with more digits than milliseconds equals nothing, and is later than its milliseconds
    const isFiner = right.kind === 'literal' && right.type === 'dateTime' && right.finer !== '';
    if (isFiner && !isOrder(operator)) return String(operator === 'ne');
    const stored = isFiner ? ({ gt: 'gt', ge: 'gt', lt: 'le', le: 'le' } as const)[operator as 'gt'] : operator;
    return this.#compareValues(stored, left, right, scope);
  }

  #compareNull(operator: Comparison, value: Expression, scope: Scope): string {
    if (operator === 'ne') return `(${this.#value(value, scope)} is not null)`;
    // a bind value that the text doesn't use would have no type
    return holdsForNulls(operator) ? `(${this.#value(value, scope)} is null)` : 'false';
  }

  #compareValues(operator: Comparison, left: Expression, right: Expression, scope: Scope): string {
    const isText = typeOf(left) === 'string' || typeOf(right) === 'string';
    const collation = isText && isOrder(operator) ? ' collate "C"' : '';
    const [one, other] = [`${this.#value(left, scope)}${collation}`, this.#value(right, scope)];
    const bothNull = mayBeNull(left) && mayBeNull(right);
    if (operator === 'eq' && bothNull) return `(${one} is not distinct from ${other})`;
    if (operator === 'ne' && (mayBeNull(left) || mayBeNull(right))) return `(${one} is distinct from ${other})`;
    const compared = `(${one} ${signs[operator]} ${other})`;
    return bothNull && holdsForNulls(operator)
      ? `coalesce(${compared}, ${one} is null and ${other} is null)`
      : compared;
  }

  #isIn({ value, items }: In, scope: Scope): string {
    const equals = (right: Literal): string =>
      this.#compare({ kind: 'compare', operator: 'eq', left: value, right }, scope);
    if (value.kind === 'literal') return either(items.map(equals));
    const others = items.filter((item) => item.type !== 'null' && !(item.type === 'dateTime' && item.finer !== ''));
    const alternatives = items.some(isNull) ? [equals(nothing)] : [];
    if (others[0]) {
      const type = others.every(isInteger) ? 'int' : literalTypes[others[0].type];
      const values = others.map((item) => item.value);
      const bound = this.rows.statement.bind(values, `${type}[]` as SqlType);
      const isFolded = value.kind === 'call' && value.name === 'fold';
      const array = isFolded ? `array(select lower(item) from unnest(${bound}) item)` : bound;
      alternatives.push(`${this.#value(value, scope)} = any(${array})`);
    }
    return either(alternatives);
  }

  #any({ root, navigations, collection, lambda }: Any, scope: Scope): string {
    const owner = rowsOf(root, scope).followAll(navigations);
    const relation = relationOf(owner.record, collection);
    const members = namedRows(owner.statement, relation.target(), `s${++this.#subqueries}_`);
    const condition = lambda
      ? this.condition(lambda.condition, new Map([...scope, [lambda.variable, members]]))
      : 'true';
    const isNested = scope.size > 1;
    return leadsTo(relation, owner, members, condition, isNested && (!lambda || isClosed(lambda)));
  }

  #call({ name, arguments: operands }: Call, scope: Scope): string {
    const [text = '', part = ''] = operands.map((argument) =>
      isNull(argument) ? 'null::text' : this.#value(argument, scope),
    );
    const results = {
      contains: () => `(strpos(${text}, ${part}) > 0)`,
      startswith: () => `starts_with(${text}, ${part})`,
      // right(x, 0) is empty, and every text ends with it
      endswith: () => `(right(${text}, char_length(${part})) = ${part})`,
      // full case mapping of Unicode, as JavaScript's
      tolower: () => `(lower(${text} collate unicode_case) collate "C")`,
      toupper: () => `(upper(${text} collate unicode_case) collate "C")`,
      trim: () => `(btrim(${text}, ${space}) collate "C")`,
      length: () => `char_length(${text})`,
      fold: () => `lower(${text})`,
    };
    return results[name]();
  }
}

function rowsOf(root: string, scope: Scope): Rows {
  const rows = scope.get(root);
  if (!rows) throw new Error(`nothing is named ${root}`);
  return rows;
}

/** The operands of `a and b and c`, however they are nested. */
function operandsOf({ kind, left, right }: Logical): Expression[] {
  return [left, right].flatMap((operand) => (operand.kind === kind ? operandsOf(operand as Logical) : [operand]));
}

/** Whether the expression's value may be null. */
function mayBeNull(expression: Expression): boolean {
  switch (expression.kind) {
    case 'path':
      return expression.nullable;
    case 'and':
    case 'or':
      return operandsOf(expression).some(mayBeNull);
    case 'not':
      return mayBeNull(expression.operand);
    case 'call':
      return expression.arguments.some(mayBeNull);
    default:
      return isNull(expression);
  }
}

/** Compares two times. Both have the same format, so texts have the order of the times. */
function holds(operator: Comparison, ...moments: { value: string; finer: string }[]): boolean {
  const [one, other] = moments.map(({ value, finer }) => value.replace('Z', finer)) as [string, string];
  const results = {
    eq: one === other,
    ne: one !== other,
    gt: one > other,
    ge: one >= other,
    lt: one < other,
    le: one <= other,
  };
  return results[operator];
}

const either = (conditions: string[]): string => (conditions.length > 0 ? `(${conditions.join(' or ')})` : 'false');

/** Whether the condition refers only to its own variables. */
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

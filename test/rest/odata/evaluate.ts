/**
 * What the tree of conditions means, in JavaScript over plain objects: the one oracle that the SQL of OData's filters and of
 * the graph's is compared with. OData 4.01 part 2 §5.1.1; null stands for unknown.
 */
import type { Any, Call, Comparison, Expression, Literal, Path } from '../../../src/services/read/expression.js';

/** Keys are the model's names; a missing key is null, a to-many a list, a date-time a Date or its ISO text. */
export type Plain = { readonly [key: string]: unknown };
type Scope = ReadonlyMap<string, Plain>;
type Scalar = string | number | boolean | Moment | null;

/** Milliseconds of a date-time, and the digits behind them. */
interface Moment {
  milliseconds: number;
  finer: string;
}

/** True when the filter keeps the record. */
export function evaluate(expression: Expression, record: Plain): boolean {
  return scalarOf(expression, new Map([['$it', record]])) === true;
}

function scalarOf(expression: Expression, scope: Scope): Scalar {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return connect(expression.kind, scalarOf(expression.left, scope), scalarOf(expression.right, scope));
    case 'not':
      return negate(scalarOf(expression.operand, scope));
    case 'isNotTrue':
      return scalarOf(expression.operand, scope) !== true;
    case 'compare':
      return compare(expression.operator, scalarOf(expression.left, scope), scalarOf(expression.right, scope));
    case 'in': {
      const value = scalarOf(expression.value, scope);
      const isFolded = expression.value.kind === 'call' && expression.value.name === 'fold';
      return expression.items.some((item) => {
        const other = literalValue(item);
        return order(value, isFolded && typeof other === 'string' ? fold(other) : other) === 0;
      });
    }
    case 'words':
    case 'memberOf':
      throw new Error('OData has no such condition');
    case 'any':
      return any(expression, scope);
    case 'call':
      return call(expression, scope);
    case 'path':
      return pathValue(expression, scope);
    case 'literal':
      return literalValue(expression);
  }
}

function connect(operator: 'and' | 'or', left: Scalar, right: Scalar): boolean | null {
  const decisive = operator === 'or';
  if (left === decisive || right === decisive) return decisive;
  return left === null || right === null ? null : !decisive;
}

function negate(value: Scalar): boolean | null {
  return value === null ? null : value === false;
}

function compare(operator: Comparison, left: Scalar, right: Scalar): boolean {
  const sign = order(left, right);
  if (operator === 'eq') return sign === 0;
  if (operator === 'ne') return sign !== 0;
  if (operator === 'gt') return sign !== undefined && sign > 0;
  if (operator === 'ge') return sign !== undefined && sign >= 0;
  if (operator === 'lt') return sign !== undefined && sign < 0;
  return sign !== undefined && sign <= 0;
}

/** Negative, 0 or positive; undefined between null and anything else. */
function order(left: Scalar, right: Scalar): number | undefined {
  if (left === null || right === null) return left === right ? 0 : undefined;
  if (typeof left === 'object' && typeof right === 'object') {
    return left.milliseconds - right.milliseconds || orderText(left.finer, right.finer);
  }
  if (typeof left === 'string' && typeof right === 'string') return orderText(left, right);
  return Number(left) - Number(right);
}

/** By code point: JavaScript's own `<` would put U+1F600 before U+FF5E. */
function orderText(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  const at = a.findIndex((character, index) => character !== b[index]);
  if (at < 0) return a.length - b.length;
  return at >= b.length ? 1 : a[at]!.codePointAt(0)! - b[at]!.codePointAt(0)!;
}

function any({ root, navigations, collection, lambda }: Any, scope: Scope): boolean {
  const members = (follow(scope.get(root), navigations)?.[collection] ?? []) as readonly Plain[];
  if (lambda === undefined) return members.length > 0;
  return members.some((member) => scalarOf(lambda.condition, new Map([...scope, [lambda.variable, member]])) === true);
}

function call({ name, arguments: given }: Call, scope: Scope): Scalar {
  const values = given.map((argument) => scalarOf(argument, scope));
  if (values.includes(null)) return null;
  const [text = '', part = ''] = values as string[];
  const results = {
    contains: () => text.includes(part),
    startswith: () => text.startsWith(part),
    endswith: () => text.endsWith(part),
    tolower: () => text.toLowerCase(),
    toupper: () => text.toUpperCase(),
    trim: () => text.trim(),
    length: () => Array.from(text).length,
    fold: () => fold(text),
  };
  return results[name]();
}

/** Each character has one for itself in lower case, as in PostgreSQL's `lower` of the builtin provider. */
const fold = (text: string): string =>
  Array.from(text, (character) => {
    const [lower = character] = Array.from(character.toLowerCase());
    return lower;
  }).join('');

function pathValue({ root, navigations, property, type }: Path, scope: Scope): Scalar {
  const value = follow(scope.get(root), navigations)?.[property] ?? null;
  if (value === null) return null;
  if (type === 'dateTime') return { milliseconds: new Date(value as string | Date).getTime(), finer: '' };
  return type === 'uuid' ? String(value).toLowerCase() : (value as Scalar);
}

function follow(from: Plain | undefined, navigations: readonly string[]): Plain | undefined {
  return navigations.reduce((record, name) => (record?.[name] ?? undefined) as Plain | undefined, from);
}

function literalValue(literal: Literal): Scalar {
  if (literal.type !== 'dateTime') return literal.value;
  return { milliseconds: Date.parse(literal.value), finer: literal.finer };
}

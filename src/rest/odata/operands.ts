/** Which operands go together: OData knows no conversion between types, so what doesn't fit is a fault, not an empty list. */
import { type Expression, type Literal, typeOf, type ValueType } from './ast.js';
import { findDateTime, findGuid } from './literals.js';
import { quote } from './optionError.js';
import type { Placed, Reader } from './reader.js';

const names: Record<ValueType, string> = {
  string: 'a string',
  integer: 'a number',
  number: 'a number',
  boolean: 'a boolean',
  guid: 'a guid',
  dateTime: 'a date-time',
  null: 'null',
};

/** Refuses what is neither a boolean nor null. Throws OptionError. */
export function requireBoolean(reader: Reader, { node, at }: Placed<Expression>): Expression {
  const type = typeOf(node);
  if (type === 'boolean' || type === 'null') return node;
  throw reader.tokens.fault(`Expected a condition, found ${names[type]}`, at);
}

/** Refuses what is neither a string nor null. Throws OptionError. */
export function requireString(reader: Reader, { node, at }: Placed<Expression>): Expression {
  const type = typeOf(node);
  if (type === 'string' || type === 'null') return node;
  throw reader.tokens.fault(`Expected a string, found ${names[type]}`, at);
}

/**
 * Both operands of a comparison, a quoted guid or date-time read as what the other one is (old clients quote them).
 * Throws OptionError at the right operand, or at a literal on the left, when they don't compare.
 */
export function pair(reader: Reader, left: Placed<Expression>, right: Placed<Expression>): [Expression, Expression] {
  const fittingLeft = unquote(reader, left, typeOf(right.node));
  const fittingRight = unquote(reader, right, typeOf(left.node));
  const types = [typeOf(fittingLeft), typeOf(fittingRight)] as const;
  if (comparable(...types)) return [fittingLeft, fittingRight];
  const at = left.node.kind === 'literal' && right.node.kind !== 'literal' ? left.at : right.at;
  throw reader.tokens.fault(`Can't compare ${names[types[0]]} with ${names[types[1]]}`, at);
}

/** One item of an `in` list as the type of the value before `in`. Throws OptionError at the item. */
export function fitItem(reader: Reader, item: Placed<Literal>, type: ValueType): Literal {
  const literal = unquote(reader, item, type);
  if (comparable(type, literal.type)) return literal;
  throw reader.tokens.fault(`Can't compare ${names[type]} with ${names[literal.type]}`, item.at);
}

function comparable(left: ValueType, right: ValueType): boolean {
  return left === right || names[left] === names[right] || left === 'null' || right === 'null';
}

function unquote<Node extends Expression>(
  reader: Reader,
  { node, at }: Placed<Node>,
  wanted: ValueType,
): Node | Literal {
  if (node.kind !== 'literal' || node.type !== 'string') return node;
  if (wanted !== 'guid' && wanted !== 'dateTime') return node;
  const literal = wanted === 'guid' ? findGuid(node.value) : findDateTime(node.value);
  if (literal === undefined) throw reader.tokens.fault(`${quote(node.value)} is not ${names[wanted]}`, at);
  return literal;
}

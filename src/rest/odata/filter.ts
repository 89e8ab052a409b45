/**
 * Reads `$filter` into a checked tree, by recursive descent through OData's precedence (OData 4.01 part 2, §5.1.1.17):
 * or < and < eq ne < gt ge lt le < not < in < functions and paths. Keywords in any case, as 4.01 asks; names exactly.
 */
import { type Comparison, type Expression, type Literal, typeOf, type ValueType } from './ast.js';
import { readAny, readCall } from './calls.js';
import { findBareLiteral } from './literals.js';
import type { OdataModel } from './model.js';
import { fitItem, pair, requireBoolean } from './operands.js';
import { quote } from './optionError.js';
import { readPath } from './path.js';
import { type Placed, Reader } from './reader.js';
import type { Token, Tokens } from './tokens.js';

type Operator = 'and' | 'or' | Comparison;

const constants = {
  true: { kind: 'literal', type: 'boolean', value: true },
  false: { kind: 'literal', type: 'boolean', value: false },
  null: { kind: 'literal', type: 'null', value: null },
} as const satisfies Record<string, Literal>;

/** Binary operators, the loosest first. */
const levels: readonly (readonly Operator[])[] = [['or'], ['and'], ['eq', 'ne'], ['gt', 'ge', 'lt', 'le']];

/**
 * Reads a whole filter. Takes time in proportion to the text, and a stack of fixed depth.
 * @param text decoded, at most 8192 UTF-16 code units
 * Throws OptionError with the position of the first fault.
 */
export function readFilter(text: string, model: OdataModel): Expression {
  const reader = new Reader('$filter', text, model);
  const filter = readExpression(reader);
  if (reader.tokens.current.kind !== 'end') throw reader.tokens.unexpected('expected an operator or the end');
  return requireBoolean(reader, filter);
}

function readExpression(reader: Reader): Placed<Expression> {
  return readLevel(reader, 0);
}

function readLevel(reader: Reader, level: number): Placed<Expression> {
  const operators = levels[level];
  if (operators === undefined) return readNot(reader);
  let left = readLevel(reader, level + 1);
  for (;;) {
    const { at } = reader.tokens.current;
    const operator = reader.tokens.takeKeyword(operators);
    if (operator === undefined) return left;
    reader.count(at);
    left = { node: join(reader, operator, left, readLevel(reader, level + 1)), at: left.at };
  }
}

function join(reader: Reader, operator: Operator, left: Placed<Expression>, right: Placed<Expression>): Expression {
  if (operator === 'and' || operator === 'or') {
    return { kind: operator, left: requireBoolean(reader, left), right: requireBoolean(reader, right) };
  }
  const [fittingLeft, fittingRight] = pair(reader, left, right);
  return { kind: 'compare', operator, left: fittingLeft, right: fittingRight };
}

function readNot(reader: Reader): Placed<Expression> {
  const { at } = reader.tokens.current;
  if (reader.tokens.takeKeyword(['not']) === undefined) return readIn(reader);
  const operand = reader.deepen(at, () => requireBoolean(reader, readNot(reader)));
  return reader.place({ kind: 'not', operand }, at);
}

function readIn(reader: Reader): Placed<Expression> {
  let value = readOperand(reader);
  while (reader.tokens.takeKeyword(['in']) !== undefined) {
    const items = readItems(reader, typeOf(value.node));
    value = reader.place({ kind: 'in', value: value.node, items }, value.at);
  }
  return value;
}

/** An empty list is allowed (OData ABNF listExpr): clients write it for an empty choice. */
function readItems(reader: Reader, type: ValueType): Literal[] {
  const items: Literal[] = [];
  reader.tokens.require('(');
  if (reader.tokens.skip(')')) return items;
  do {
    items.push(fitItem(reader, readItem(reader), type));
  } while (reader.tokens.skip(','));
  reader.tokens.require(')');
  return items;
}

function readItem(reader: Reader): Placed<Literal> {
  const { at } = reader.tokens.current;
  const literal = takeLiteral(reader.tokens);
  if (literal === undefined) throw reader.tokens.unexpected('expected a literal');
  return reader.place(literal, at);
}

function readOperand(reader: Reader): Placed<Expression> {
  const { tokens } = reader;
  const { at } = tokens.current;
  if (tokens.skip('(')) return reader.deepen(at, () => readParenthesis(reader));
  const literal = takeLiteral(tokens);
  if (literal !== undefined) return reader.place(literal, at);
  if (tokens.current.kind !== 'word') throw tokens.unexpected('expected a name, a literal or a function');
  return readMember(reader, tokens.take());
}

function readParenthesis(reader: Reader): Placed<Expression> {
  const inner = readExpression(reader);
  reader.tokens.require(')');
  return inner;
}

function readMember(reader: Reader, first: Token): Placed<Expression> {
  const { kind, text } = reader.tokens.current;
  if (kind === 'mark' && text === '(') return readCall(reader, first, readExpression);
  const path = readPath(reader, first);
  return path.node.kind === 'path'
    ? reader.place(path.node, path.at)
    : readAny(reader, path.node, path.at, readExpression);
}

/** The literal that the current token is, and past it; undefined when it is none. Throws OptionError for a bad one. */
function takeLiteral(tokens: Tokens): Literal | undefined {
  const { kind, text, at } = tokens.current;
  const constant = tokens.takeKeyword(['true', 'false', 'null']);
  if (constant !== undefined) return constants[constant];
  if (kind !== 'string' && kind !== 'bare') return undefined;
  const literal: Literal | undefined =
    kind === 'bare' ? findBareLiteral(text) : { kind: 'literal', type: 'string', value: text };
  if (literal === undefined) throw tokens.fault(`${quote(text)} is no guid, date-time or number`, at);
  tokens.take();
  return literal;
}

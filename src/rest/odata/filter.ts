/** Parses `$filter` into a checked tree: every name is in the model, and every operand has the right type. */
import { isOnCalendar, parseGuid } from '../../entities/valueForms.js';
import {
  type Any,
  type Call,
  type Comparison,
  type Expression,
  type FunctionName,
  itVariable,
  type Literal,
  type Path,
  typeOf,
  type ValueType,
} from '../../services/read/expression.js';
import { followNavigation, type OdataModel, type Step } from './model.js';
import { type FilterToken, lambdasMax, nestingMax, nodesMax, quote, Tokens } from './tokens.js';

const numberForm = /^[+-]?\d{1,9999}(?:\.\d{1,9999})?(?:e[+-]?\d{1,9999})?$/i; // OData ABNF decimalLiteral, without INF and NaN
const dateTimeForm = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9999}))?)?(Z|[+-]\d\d:\d\d))?$/i;
const offsetMinutesMax = 14 * 60; // XML Schema part 2 §3.3.7

/** A literal without quotes; undefined for any other text. */
function findBareLiteral(text: string): Literal | undefined {
  return text.startsWith('{') ? undefined : (findGuid(text) ?? findNumber(text) ?? findDateTime(text));
}

/** A guid in any case, with or without braces. The value is in lower case without braces. */
export function findGuid(text: string): Literal | undefined {
  const value = parseGuid(text);
  return value === undefined ? undefined : { kind: 'literal', type: 'uuid', value };
}

/** A finite number; undefined if it is too large for a double. */
export function findNumber(text: string): Literal | undefined {
  if (!numberForm.test(text)) return undefined;
  const value = Number(text) || 0; // -0 is 0
  return Number.isFinite(value) ? { kind: 'literal', type: 'number', value, text } : undefined;
}

/** A date-time on the calendar, years 0001 to 9999 in UTC; a date without time is midnight in UTC. Seconds are optional. */
function findDateTime(text: string): Literal | undefined {
  const [, date, time = '00:00', seconds = '00', fraction = '', zone = 'Z'] = dateTimeForm.exec(text) ?? [];
  if (date === undefined) return undefined;
  const local = `${date}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const offset = offsetMinutes(zone);
  // Date.parse takes 24:00 for the next day
  if (!isOnCalendar(date) || time > '23:59' || Number.isNaN(Date.parse(local)) || offset === undefined)
    return undefined;
  const value = new Date(Date.parse(local) - offset * 60_000).toISOString();
  if (!/^(?!0000)\d{4}-/.test(value)) return undefined;
  return { kind: 'literal', type: 'dateTime', value, finer: withoutLastZeros(fraction.slice(3)) };
}

function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

function offsetMinutes(zone: string): number | undefined {
  if (zone.length === 1) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  const total = hours * 60 + minutes;
  if (minutes > 59 || total > offsetMinutesMax) return undefined;
  return zone.startsWith('-') ? -total : total;
}

/** A node of the tree with its position in the text. */
interface Placed<Node> {
  node: Node;
  at: number;
}

export class FilterReader {
  readonly tokens: Tokens;
  /** The records at which a path may begin: `$it` and the lambda variables in scope. */
  readonly #roots: Map<string, OdataModel>;
  #depth = 0;
  #nodes = 0;

  /** Throws OptionError when the text is too long or contains what the database can't store. */
  constructor(option: string, text: string, model: OdataModel) {
    this.tokens = new Tokens(option, text);
    this.#roots = new Map([[itVariable, model]]);
  }

  findRoot(name: string): OdataModel | undefined {
    return this.#roots.get(name);
  }

  /** The number of lambda variables in scope. */
  get lambdas(): number {
    return this.#roots.size - 1;
  }

  /** Counts a node of the tree. Throws OptionError beyond 100 nodes. */
  count(at: number): void {
    this.#nodes += 1;
    if (this.#nodes > nodesMax) throw this.tokens.fault(`More than ${nodesMax} operators, names and values`, at);
  }

  /** Counts a node and adds its position. */
  place<Node>(node: Node, at: number): Placed<Node> {
    this.count(at);
    return { node, at };
  }

  /** Reads one level deeper. Throws OptionError beyond 15 levels, which limits the depth of the stack. */
  deepen<Result>(at: number, read: () => Result): Result {
    if (this.#depth === nestingMax) throw this.tokens.fault(`Nested deeper than ${nestingMax} levels`, at);
    this.#depth += 1;
    const result = read();
    this.#depth -= 1;
    return result;
  }

  /** Reads with a lambda variable in scope. */
  withVariable<Result>(variable: string, model: OdataModel, read: () => Result): Result {
    this.#roots.set(variable, model);
    const result = read();
    this.#roots.delete(variable);
    return result;
  }
}

/** A path to many records, which `any` must follow. */
interface CollectionPath {
  kind: 'collection';
  root: string;
  navigations: string[];
  collection: string;
  /** The model of the members. */
  members: OdataModel;
}

/**
 * Reads a path whose first word has just been taken. A path without a root begins at the listed record, also inside of
 * `any` (OData 4.01 part 2 §5.1.1.13). A lambda variable hides a property with the same name.
 * Throws OptionError with the name that is unknown or does not fit.
 */
function readPath(reader: FilterReader, first: FilterToken): Placed<Path | CollectionPath> {
  const { tokens } = reader;
  const model = reader.findRoot(first.text);
  if (model === undefined) return { node: walk(tokens, itVariable, reader.findRoot(itVariable)!, first), at: first.at };
  if (!tokens.skip('/')) throw tokens.fault(`${quote(first.text)} is a record, not a value`, first.at);
  return { node: walk(tokens, first.text, model, tokens.takeName()), at: first.at };
}

/** Reads a path that ends at a scalar. Throws OptionError also for a collection. */
export function readScalarPath(reader: FilterReader): Placed<Path> {
  const first = reader.tokens.takeName();
  const { node, at } = readPath(reader, first);
  if (node.kind === 'path') return { node, at };
  throw reader.tokens.fault(`${quote(node.collection)} leads to many records, not to one value`, at);
}

function walk(tokens: Tokens, root: string, model: OdataModel, first: FilterToken): Path | CollectionPath {
  let step: Step = { model, navigations: [], lists: 0 };
  let name = first;
  for (;;) {
    const { text, at } = name;
    const { navigations } = step;
    const property = step.model.properties.get(text);
    if (property) {
      const nullable = property.nullable || navigations.length > 0;
      return { kind: 'path', root, navigations, property: text, type: property.type, nullable };
    }
    const navigation = step.model.navigations.get(text);
    if (navigation?.isList)
      return { kind: 'collection', root, navigations, collection: text, members: navigation.target() };
    step = followNavigation(tokens, step, name, nestingMax, `A path of more than ${nestingMax} records`);
    if (!tokens.skip('/')) throw tokens.fault(`${quote(text)} is a record, name a property of it`, at);
    name = tokens.takeName();
  }
}

const names: Record<ValueType, string> = {
  string: 'a string',
  integer: 'a number',
  number: 'a number',
  boolean: 'a boolean',
  uuid: 'a guid',
  bigint: 'a number',
  dateTime: 'a date-time',
  null: 'null',
};

/** Throws OptionError unless the value is of this type or null. */
function requireType(
  reader: FilterReader,
  { node, at }: Placed<Expression>,
  expected: 'boolean' | 'string',
): Expression {
  const type = typeOf(node);
  if (type === expected || type === 'null') return node;
  throw reader.tokens.fault(`Expected a ${expected === 'boolean' ? 'condition' : expected}, found ${names[type]}`, at);
}

/**
 * Returns both operands of a comparison. Old clients quote guids and date-times: such a string is read as the type of the other
 * operand. Throws OptionError at the right operand, or at a literal on the left, if the types cannot be compared.
 */
function pair(reader: FilterReader, left: Placed<Expression>, right: Placed<Expression>): [Expression, Expression] {
  const fittingLeft = unquote(reader, left, typeOf(right.node));
  const fittingRight = unquote(reader, right, typeOf(left.node));
  const types = [typeOf(fittingLeft), typeOf(fittingRight)] as const;
  if (comparable(...types)) return [fittingLeft, fittingRight];
  const at = left.node.kind === 'literal' && right.node.kind !== 'literal' ? left.at : right.at;
  throw reader.tokens.fault(`Can't compare ${names[types[0]]} with ${names[types[1]]}`, at);
}

/** Reads an item of an `in` list as the type of the value before `in`. Throws OptionError at the item. */
function fitItem(reader: FilterReader, item: Placed<Literal>, type: ValueType): Literal {
  const literal = unquote(reader, item, type);
  if (comparable(type, literal.type)) return literal;
  throw reader.tokens.fault(`Can't compare ${names[type]} with ${names[literal.type]}`, item.at);
}

function comparable(left: ValueType, right: ValueType): boolean {
  return left === right || names[left] === names[right] || left === 'null' || right === 'null';
}

function unquote<Node extends Expression>(
  reader: FilterReader,
  { node, at }: Placed<Node>,
  type: ValueType,
): Node | Literal {
  if (node.kind !== 'literal' || node.type !== 'string') return node;
  if (type !== 'uuid' && type !== 'dateTime') return node;
  const literal = type === 'uuid' ? findGuid(node.value) : findDateTime(node.value);
  if (literal === undefined) throw reader.tokens.fault(`${quote(node.value)} is not ${names[type]}`, at);
  return literal;
}

const functions: readonly { name: FunctionName; arity: 1 | 2; type: Call['type'] }[] = [
  { name: 'contains', arity: 2, type: 'boolean' },
  { name: 'startswith', arity: 2, type: 'boolean' },
  { name: 'endswith', arity: 2, type: 'boolean' },
  { name: 'tolower', arity: 1, type: 'string' },
  { name: 'toupper', arity: 1, type: 'string' },
  { name: 'trim', arity: 1, type: 'string' },
  { name: 'length', arity: 1, type: 'integer' },
];

const reservedWords = ['true', 'false', 'null', 'not'];

/** Reads `(argument, …)` behind a function's name, which may be in any case. All arguments are strings. Throws OptionError. */
function readCall(reader: FilterReader, { text, at }: FilterToken): Placed<Call> {
  const definition = functions.find(({ name }) => name === text.toLowerCase());
  if (definition === undefined) throw reader.tokens.fault(`The function ${quote(text)} is not supported`, at);
  reader.tokens.require('(');
  const values = reader.deepen(at, () => readArguments(reader, definition.arity));
  return reader.place({ kind: 'call', name: definition.name, arguments: values, type: definition.type }, at);
}

function readArguments(reader: FilterReader, arity: number): Expression[] {
  const values = [requireType(reader, readExpression(reader), 'string')];
  while (values.length < arity) {
    reader.tokens.require(',');
    values.push(requireType(reader, readExpression(reader), 'string'));
  }
  reader.tokens.require(')');
  return values;
}

/** Reads `/any(variable: condition)` or `/any()` behind the path of a collection. Throws OptionError, for `all` too. */
function readAny(reader: FilterReader, path: CollectionPath, pathAt: number): Placed<Any> {
  const { tokens } = reader;
  const { root, navigations, collection } = path;
  if (!tokens.skip('/')) throw tokens.fault(`${quote(collection)} leads to many records, any(…) must follow`, pathAt);
  const { text, at } = tokens.current;
  if (tokens.takeKeyword(['any']) === undefined) throw tokens.fault(`${quote(text)} is not supported, only any(…)`, at);
  tokens.require('(');
  const any: Any = { kind: 'any', root, navigations, collection };
  if (tokens.skip(')')) return reader.place(any, pathAt);
  const lambda = reader.deepen(at, () => readLambda(reader, path));
  return reader.place({ ...any, lambda }, pathAt);
}

function readLambda(reader: FilterReader, { members }: CollectionPath): Any['lambda'] & object {
  const variable = takeVariable(reader);
  reader.tokens.require(':');
  const condition = reader.withVariable(variable, members, () =>
    requireType(reader, readExpression(reader), 'boolean'),
  );
  reader.tokens.require(')');
  return { variable, condition };
}

/** Takes the name of a new variable, which must not hide an enclosing one or be a reserved word. */
function takeVariable(reader: FilterReader): string {
  const { tokens } = reader;
  if (tokens.current.kind !== 'word') throw tokens.unexpected('expected the name of a variable');
  const { text, at } = tokens.take();
  if (reader.lambdas === lambdasMax) throw tokens.fault(`More than ${lambdasMax} any(…) inside each other`, at);
  const isTaken =
    text.startsWith(itVariable[0]!) ||
    reservedWords.includes(text.toLowerCase()) ||
    reader.findRoot(text) !== undefined;
  if (isTaken) throw tokens.fault(`The variable ${quote(text)} is used already`, at);
  return text;
}

type Operator = 'and' | 'or' | Comparison;

const constants = {
  true: { kind: 'literal', type: 'boolean', value: true },
  false: { kind: 'literal', type: 'boolean', value: false },
  null: { kind: 'literal', type: 'null', value: null },
} as const satisfies Record<string, Literal>;

/**
 * Binary operators, the loosest first (OData 4.01 part 2, §5.1.1.17); tighter than all of them are `not`, then `in`, then
 * functions and paths. Keywords are accepted in any case, as 4.01 requires; names must match exactly.
 */
const levels: readonly (readonly Operator[])[] = [['or'], ['and'], ['eq', 'ne'], ['gt', 'ge', 'lt', 'le']];

/**
 * Reads a whole filter. Takes time in proportion to the text, and a stack of fixed depth.
 * @param text decoded, at most 8192 UTF-16 code units
 * Throws OptionError with the position of the first fault.
 */
export function readFilter(text: string, model: OdataModel): Expression {
  const reader = new FilterReader('$filter', text, model);
  const filter = readExpression(reader);
  if (reader.tokens.current.kind !== 'end') throw reader.tokens.unexpected('expected an operator or the end');
  return requireType(reader, filter, 'boolean');
}

function readExpression(reader: FilterReader): Placed<Expression> {
  return readLevel(reader, 0);
}

function readLevel(reader: FilterReader, level: number): Placed<Expression> {
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

function join(
  reader: FilterReader,
  operator: Operator,
  left: Placed<Expression>,
  right: Placed<Expression>,
): Expression {
  if (operator === 'and' || operator === 'or') {
    return { kind: operator, left: requireType(reader, left, 'boolean'), right: requireType(reader, right, 'boolean') };
  }
  const [fittingLeft, fittingRight] = pair(reader, left, right);
  return { kind: 'compare', operator, left: fittingLeft, right: fittingRight };
}

function readNot(reader: FilterReader): Placed<Expression> {
  const { at } = reader.tokens.current;
  if (reader.tokens.takeKeyword(['not']) === undefined) return readIn(reader);
  const operand = reader.deepen(at, () => requireType(reader, readNot(reader), 'boolean'));
  return reader.place({ kind: 'not', operand }, at);
}

function readIn(reader: FilterReader): Placed<Expression> {
  let value = readOperand(reader);
  while (reader.tokens.takeKeyword(['in']) !== undefined) {
    const items = readItems(reader, typeOf(value.node));
    value = reader.place({ kind: 'in', value: value.node, items }, value.at);
  }
  return value;
}

/** Reads the items of `in`. The list may be empty (OData ABNF listExpr): clients send that if nothing is chosen. */
function readItems(reader: FilterReader, type: ValueType): Literal[] {
  const items: Literal[] = [];
  reader.tokens.require('(');
  if (reader.tokens.skip(')')) return items;
  do {
    items.push(fitItem(reader, readItem(reader), type));
  } while (reader.tokens.skip(','));
  reader.tokens.require(')');
  return items;
}

function readItem(reader: FilterReader): Placed<Literal> {
  const { at } = reader.tokens.current;
  const literal = takeLiteral(reader.tokens);
  if (literal === undefined) throw reader.tokens.unexpected('expected a literal');
  return reader.place(literal, at);
}

function readOperand(reader: FilterReader): Placed<Expression> {
  const { tokens } = reader;
  const { at } = tokens.current;
  if (tokens.skip('(')) return reader.deepen(at, () => readParenthesis(reader));
  const literal = takeLiteral(tokens);
  if (literal !== undefined) return reader.place(literal, at);
  if (tokens.current.kind !== 'word') throw tokens.unexpected('expected a name, a literal or a function');
  return readMember(reader, tokens.take());
}

function readParenthesis(reader: FilterReader): Placed<Expression> {
  const inner = readExpression(reader);
  reader.tokens.require(')');
  return inner;
}

function readMember(reader: FilterReader, first: FilterToken): Placed<Expression> {
  const { kind, text } = reader.tokens.current;
  if (kind === 'mark' && text === '(') return readCall(reader, first);
  const path = readPath(reader, first);
  return path.node.kind === 'path' ? reader.place(path.node, path.at) : readAny(reader, path.node, path.at);
}

/** Takes the current token if it is a literal. Throws OptionError for a malformed one. */
function takeLiteral(tokens: Tokens): Literal | undefined {
  const { kind, text, at } = tokens.current;
  const constant = tokens.takeKeyword(['true', 'false', 'null']);
  if (constant !== undefined) return constants[constant];
  if (kind !== 'string' && kind !== 'bare') return undefined;
  const literal: Literal | undefined =
    kind === 'bare' ? findBareLiteral(text) : { kind: 'literal', type: 'string', value: text };
  if (literal === undefined) throw tokens.fault(`${quote(text)} is not a guid, date-time or number`, at);
  tokens.take();
  return literal;
}

/** Reads what has an argument list: the string functions, and `any` over a collection. */
import type { Any, Call, Expression, FunctionName } from './ast.js';
import { lambdasMax } from './limits.js';
import { requireBoolean, requireString } from './operands.js';
import { quote } from './optionError.js';
import type { CollectionPath } from './path.js';
import { itVariable, type Placed, type Reader } from './reader.js';
import type { Token } from './tokens.js';

/** How an argument is read: given by the filter, which these functions are a part of. */
type ReadExpression = (reader: Reader) => Placed<Expression>;

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
export function readCall(reader: Reader, { text, at }: Token, readExpression: ReadExpression): Placed<Call> {
  const known = functions.find(({ name }) => name === text.toLowerCase());
  if (known === undefined) throw reader.tokens.fault(`The function ${quote(text)} is not supported`, at);
  reader.tokens.require('(');
  const values = reader.deepen(at, () => readArguments(reader, known.arity, readExpression));
  return reader.place({ kind: 'call', name: known.name, arguments: values, type: known.type }, at);
}

function readArguments(reader: Reader, arity: number, readExpression: ReadExpression): Expression[] {
  const values = [requireString(reader, readExpression(reader))];
  while (values.length < arity) {
    reader.tokens.require(',');
    values.push(requireString(reader, readExpression(reader)));
  }
  reader.tokens.require(')');
  return values;
}

/** Reads `/any(variable: condition)` or `/any()` behind the path of a collection. Throws OptionError, for `all` too. */
export function readAny(
  reader: Reader,
  path: CollectionPath,
  pathAt: number,
  readExpression: ReadExpression,
): Placed<Any> {
  const { tokens } = reader;
  const { root, navigations, collection } = path;
  if (!tokens.skip('/')) throw tokens.fault(`${quote(collection)} leads to many records, any(…) must follow`, pathAt);
  const { text, at } = tokens.current;
  if (tokens.takeKeyword(['any']) === undefined) throw tokens.fault(`${quote(text)} is not supported, only any(…)`, at);
  tokens.require('(');
  const any: Any = { kind: 'any', root, navigations, collection };
  if (tokens.skip(')')) return reader.place(any, pathAt);
  const lambda = reader.deepen(at, () => readLambda(reader, path, readExpression));
  return reader.place({ ...any, lambda }, pathAt);
}

function readLambda(
  reader: Reader,
  { members }: CollectionPath,
  readExpression: ReadExpression,
): Any['lambda'] & object {
  const variable = takeVariable(reader);
  reader.tokens.require(':');
  const condition = reader.withVariable(variable, members, () => requireBoolean(reader, readExpression(reader)));
  reader.tokens.require(')');
  return { variable, condition };
}

/** A name of its own: an enclosing variable can't be hidden, nor a word be taken that means something else. */
function takeVariable(reader: Reader): string {
  const { tokens } = reader;
  if (tokens.current.kind !== 'word') throw tokens.unexpected('expected the name of a variable');
  const { text, at } = tokens.take();
  if (reader.lambdas === lambdasMax) throw tokens.fault(`More than ${lambdasMax} any(…) inside each other`, at);
  const taken =
    text.startsWith(itVariable[0]!) ||
    reservedWords.includes(text.toLowerCase()) ||
    reader.findRoot(text) !== undefined;
  if (taken) throw tokens.fault(`The variable ${quote(text)} is taken`, at);
  return text;
}

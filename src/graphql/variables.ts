/** The variables of a request, judged against the operation: all faults at once, by input path, without the values. */
import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromAST,
} from 'graphql';
import { badInput, type Problems } from '../errors.js';
import { withoutValues } from './errors.js';

const depthMax = 40;
const problemsMax = 100;

/** The given ones, coerced. Throws BAD_USER_INPUT. */
export function requireVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  requireStorable(given);
  const problems: Problems = {};
  const coerced: [string, unknown][] = [];
  for (const { variable, type: node, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node as never);
    if (!type || !isInputType(type)) continue; // told by the validation
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      if (defaultValue) coerced.push([name, valueFromAST(defaultValue, type)]);
      else if (isNonNullType(type)) problems[name] = ['A value is required.'];
      continue;
    }
    const told = (path: readonly (string | number)[], _value: unknown, error: GraphQLError) =>
      addProblem(problems, pathText([name, ...path]), error);
    coerced.push([name, coerceInputValue(value, type, told)]);
  }
  if (Object.keys(problems).length > 0) throw badInput(problems);
  return Object.fromEntries(coerced);
}

function addProblem(problems: Problems, path: string, error: GraphQLError): void {
  if (Object.keys(problems).length >= problemsMax) return;
  problems[path] = [...(problems[path] ?? []), problemText(error)];
}

const problemText = ({ message, originalError }: GraphQLError): string =>
  withoutValues(originalError?.message ?? message);

export function pathText(path: readonly (string | number)[]): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index > 0 ? `.${key}` : key)).join('');
}

/** No text that PostgreSQL can't hold, and no nesting that would exhaust the stack; walked without recursion. */
function requireStorable(given: object): void {
  const problems: Problems = {};
  const rest: { value: object; path: (string | number)[] }[] = [{ value: given, path: [] }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, path } = next;
    if (path.length > depthMax) throw badInput({ [String(path[0])]: [`At most ${depthMax} levels are taken.`] });
    const isList = Array.isArray(value);
    for (const [key, member] of Object.entries(value)) {
      const here = () => [...path, isList ? Number(key) : key];
      if (typeof member === 'object' && member !== null) rest.push({ value: member, path: here() });
      if (typeof member === 'string' && (member.includes('\0') || !member.isWellFormed()))
        problems[pathText(here())] = ['The text holds a NUL or a lone surrogate.'];
    }
  }
  if (Object.keys(problems).length > 0) throw badInput(problems);
}

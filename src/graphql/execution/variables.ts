/** The variables of a request, read by the operation's definitions; what it doesn't declare is never looked at. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromAST,
} from 'graphql';
import { badInput, type Problems } from '../../errors.js';
import { Coercion } from './coercion.js';
import { isRequired, ProblemList, TooManyProblems } from './inputFaults.js';
import { variablePlaces } from './inputPlaces.js';

const problemsMax = 50;

export type ReadVariables = { values: Record<string, unknown> } | { errors: GraphQLError[] };

/**
 * The given variables as resolvers get them, or what is wrong with them: an error for each root field that they are for,
 * with problems by input path. Throws TOO_LARGE for more values than `valuesMax`.
 */
export function readVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
  valuesMax: number,
): ReadVariables {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return { values: {} };
  const places = variablePlaces(document, operation);
  const found = new ProblemList(problemsMax);
  const coercion = new Coercion(found, valuesMax);
  const values: [string, unknown][] = [];
  let isWhole = true;
  try {
    for (const { variable, type: node, defaultValue } of definitions) {
      const name = variable.name.value;
      const type = typeFromAST(schema, node as never) as GraphQLInputType;
      const place = places.get(name)!;
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value !== undefined) values.push([name, coercion.read(value, type, place)]);
      else if (defaultValue) values.push([name, valueFromAST(defaultValue, type)]);
      else if (isNonNullType(type)) found.add(place, isRequired(place.path));
    }
  } catch (error) {
    if (!(error instanceof TooManyProblems)) throw error;
    isWhole = false;
  }
  const errors = found.problems().map(([root, problems]) => invalid(root, problems, isWhole));
  return errors.length > 0 ? { errors } : { values: Object.fromEntries(values) };
}

/** As a service's refusal of the same input would be: at the field, by input path. */
function invalid(root: string | undefined, problems: Problems, isWhole: boolean): GraphQLError {
  const cause = badInput(problems, isWhole);
  return new GraphQLError(cause.message, { path: root === undefined ? null : [root], originalError: cause });
}

/** Executes operations: compiled if that preserves their meaning, otherwise interpreted. Both give the same answer. */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { hasPermission } from '../../auth/caller.js';
import type { Config } from '../../config/config.js';
import { toGatehouseError } from '../../errors.js';
import type { AnswerBytes } from '../../services/read/answerBytes.js';
import { type GraphContext, graphContext, withRefusals } from '../resolving/loaders.js';
import { type Compiling, openCompiledQueries } from './compiledQueries.js';
import { asGraphqlError } from './documents.js';
import { type ReadVariables, readVariables } from './inputs.js';
import { costOf, requireFewRecords } from './limits.js';

/** An operation of a validated document. */
interface Operation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Readonly<Record<string, unknown>> | undefined;
  /** The memory of the compiled document in bytes. */
  weight: number;
  /** Whether the answer contains the cost of the operation. */
  tellsCost?: boolean;
}

type Execute = (context: GraphContext, operation: Operation, answer: AnswerBytes) => Promise<ExecutionResult>;

/** The maximum for queries, and for callers without admin:write; a change may have ten thousand items. */
const valuesMax = 10_000;
const valuesMaxOfChange = 100_000;

/** An executor for the schema. */
export function openExecutor(schema: GraphQLSchema, config: Config, compiling: Compiling): Execute {
  const findCompiled = openCompiledQueries(schema, compiling);

  const readOperationVariables = (
    context: GraphContext,
    { document, operation, variables = {} }: Operation,
  ): ReadVariables => {
    const mayChange = operation.operation === 'mutation' && hasPermission(context.caller, 'admin:write');
    return readVariables(schema, document, operation, variables, mayChange ? valuesMaxOfChange : valuesMax);
  };

  /** Returns the cost, also of a refused operation; undefined if its variables are invalid. */
  function findCost(context: GraphContext, request: Operation): object | undefined {
    try {
      const read = readOperationVariables(context, request);
      return 'values' in read ? costOf(schema, config, request.document, request.operation, read.values) : undefined;
    } catch {
      return undefined;
    }
  }

  function prepare(context: GraphContext, request: Operation): ReadVariables {
    try {
      const read = readOperationVariables(context, request);
      if ('values' in read) requireFewRecords(schema, config, request.document, request.operation, read.values);
      return read;
    } catch (error) {
      return { errors: [asGraphqlError(error)] };
    }
  }

  const answerTo: Execute = async (context, request, answer) => {
    const { document, operation, weight } = request;
    const prepared = prepare(context, request);
    // no data at all: nothing was executed
    if ('errors' in prepared) return prepared;
    const { values } = prepared;
    // a query is answered without data, because it can be sent again; a mutation is answered with what it did
    const refuseUnavailable = ({ errors = [] }: ExecutionResult): ExecutionResult | undefined => {
      const away = operation.operation === 'query' ? errors.find(isUnavailable) : undefined;
      return away && { errors: [asGraphqlError(away.originalError, away.path)] };
    };
    const run = findCompiled(document, operation, weight);
    if (run) {
      const result = await run(context, values, answer);
      if (!result.errors) return withRefusals(result, context);
      // a database that is unavailable is not queried a second time
      const refused = refuseUnavailable(result);
      if (refused) return refused;
    }
    const operationName = operation.name?.value;
    const contextValue = graphContext(context);
    const result = await execute({
      schema,
      document: withoutTypes(document, operation),
      contextValue,
      variableValues: values,
      ...(operationName && { operationName }),
    });
    return refuseUnavailable(result) ?? withRefusals(result, contextValue);
  };

  return async (context, request, answer) => {
    const result = await answerTo(context, request, answer);
    const cost = request.tellsCost ? findCost(context, request) : undefined;
    return cost ? { ...result, extensions: { cost } } : result;
  };
}

/** The document with variables that graphql-js passes on unchanged, because they were read by their types before. */
const untyped = new WeakMap<OperationDefinitionNode, DocumentNode>();
function withoutTypes(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const cached = untyped.get(operation);
  if (cached) return cached;
  const variableDefinitions = (operation.variableDefinitions ?? []).map(({ kind, variable }) => ({
    kind,
    variable,
    type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'JSON' } } as const,
  }));
  const definitions = document.definitions.map((definition) =>
    definition === operation ? { ...operation, variableDefinitions } : definition,
  );
  const copy = { ...document, definitions };
  untyped.set(operation, copy);
  return copy;
}

const isUnavailable = ({ originalError }: GraphQLError): boolean =>
  originalError !== undefined && toGatehouseError(originalError).code === 'UNAVAILABLE';

/** Executes operations. */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { hasPermission } from '../../auth/caller.js';
import type { Config } from '../../config/config.js';
import type { AnswerBytes } from '../../engine/answerBytes.js';
import { withBytesFields, withPlainNodes } from '../../engine/plainNodes.js';
import { toGatehouseError } from '../../errors.js';
import { type GraphContext, withRefusals } from '../resolving/loaders.js';
import { edgeTemplateOf, templateOf, unconditional } from '../resolving/selection.js';
import { asGraphqlError } from './documents.js';
import { type ReadVariables, readVariables } from './inputs.js';
import { costOf, requireFewRecords } from './limits.js';

/** An operation of a validated document. */
interface Operation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Readonly<Record<string, unknown>> | undefined;
  /** Whether the answer contains the cost of the operation. */
  tellsCost?: boolean;
}

type Execute = (context: GraphContext, operation: Operation, answer: AnswerBytes) => Promise<ExecutionResult>;

/** The maximum for queries, and for callers without admin:write; a change may have ten thousand items. */
const valuesMax = 10_000;
const valuesMaxOfChange = 100_000;

/** An executor for the schema. @param writesBytes whether plain nodes are written from the columns of the database */
export function openExecutor(schema: GraphQLSchema, config: Config, writesBytes: boolean): Execute {
  const prepareDocument = openPreparation(schema, writesBytes);

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
    const { document, operation } = request;
    const prepared = prepare(context, request);
    // no data at all: nothing was executed
    if ('errors' in prepared) return prepared;
    const { values } = prepared;
    // a query is answered without data, because it can be sent again; a mutation is answered with what it did
    const refuseUnavailable = ({ errors = [] }: ExecutionResult): ExecutionResult | undefined => {
      const away = operation.operation === 'query' ? errors.find(isUnavailable) : undefined;
      return away && { errors: [asGraphqlError(away.originalError, away.path)] };
    };
    const contextValue = { ...context, answer };
    const result = await execute({ ...prepareDocument(document, operation), contextValue, variableValues: values });
    return refuseUnavailable(result) ?? withRefusals(result, contextValue);
  };

  return async (context, request, answer) => {
    const result = await answerTo(context, request, answer);
    const cost = request.tellsCost ? findCost(context, request) : undefined;
    return cost ? { ...result, extensions: { cost } } : result;
  };
}

/** A document as graphql-js executes it, with its schema. */
interface Prepared {
  schema: GraphQLSchema;
  document: DocumentNode;
}

/** Prepares an operation at its first use. */
function openPreparation(schema: GraphQLSchema, writesBytes: boolean) {
  const bytesSchema = writesBytes ? withBytesFields(schema, { nodes: templateOf, edges: edgeTemplateOf }) : schema;
  const prepare = (document: DocumentNode, { operation }: OperationDefinitionNode): Prepared => {
    let asksForSchema = false;
    let hasDirectives = false;
    visit(document, {
      Directive: () => {
        hasDirectives = true;
      },
      Field: ({ name }) => {
        asksForSchema ||= name.value === '__schema' || name.value === '__type';
      },
    });
    // the schema that clients see has no fields of bytes
    const plain = writesBytes && operation === 'query' && !asksForSchema;
    const prepared = plain ? { schema: bytesSchema, document: withPlainNodes(schema, document) } : { schema, document };
    if (!hasDirectives) unconditional.add(prepared.document.definitions[0] as OperationDefinitionNode);
    return prepared;
  };
  const cache = new WeakMap<OperationDefinitionNode, Prepared>();
  return (document: DocumentNode, operation: OperationDefinitionNode): Prepared => {
    const prepared = cache.get(operation) ?? prepare(withoutTypes(document, operation), operation);
    cache.set(operation, prepared);
    return prepared;
  };
}

/** The operation alone, with variables that graphql-js passes on unchanged, because they were read by their types before. */
function withoutTypes(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const variableDefinitions = (operation.variableDefinitions ?? []).map(({ kind, variable }) => ({
    kind,
    variable,
    type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'JSON' } } as const,
  }));
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return { kind: Kind.DOCUMENT, definitions: [{ ...operation, variableDefinitions }, ...fragments] };
}

const isUnavailable = ({ originalError }: GraphQLError): boolean =>
  originalError !== undefined && toGatehouseError(originalError).code === 'UNAVAILABLE';

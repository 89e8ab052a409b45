/** Execution of operations: compiled to JavaScript once seen a second time, else interpreted. Both give the same answer. */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  GraphQLNonNull,
  type GraphQLSchema,
  GraphQLString,
  getNullableType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.js';
import { badInput } from '../errors.js';
import { bytesOf } from './keptDocuments.js';
import { requireWithinLimits } from './limits.js';
import type { GraphContext } from './loaders.js';
import { whileTextNodes, withTextNodes } from './textNodes.js';
import { requireVariables } from './variables.js';

export interface Operation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Readonly<Record<string, unknown>> | undefined;
}

export type Execute = (context: GraphContext, operation: Operation) => Promise<ExecutionResult>;

/** Of compiled operations with their documents, together. */
const compiledBytesMax = 32_000_000;
/** Of the JavaScript that a selection becomes, and what the engine makes of it. */
const bytesOfSelection = 2_000;

/** An executor for the schema. */
export function openExecutor(schema: GraphQLSchema, config: Config): Execute {
  const compiled = new LRUCache<OperationDefinitionNode, CompiledQuery>({ maxSize: compiledBytesMax });
  const seen = new WeakMap<OperationDefinitionNode, 'once' | 'interpreted'>();

  /** The compiled form, from the second use on, where compiling keeps the meaning. */
  function findCompiled({ document, operation }: Operation, selections: number): CompiledQuery | undefined {
    const found = compiled.get(operation);
    if (found) return found;
    if (seen.get(operation) !== 'once') {
      if (!seen.has(operation)) seen.set(operation, 'once');
      return undefined;
    }
    const made = compile(schema, document, operation);
    if (made === 'interpreted') {
      seen.set(operation, made);
      return undefined;
    }
    // should it be pushed out, it has to be seen twice again
    seen.delete(operation);
    compiled.set(operation, made, { size: bytesOf(document) + selections * bytesOfSelection });
    return made;
  }

  return async (contextValue, given) => {
    const { document, operation, variables = {} } = given;
    let variableValues: Record<string, unknown>;
    let selections: number;
    try {
      variableValues = requireVariables(schema, operation, variables);
      selections = requireWithinLimits(schema, config, document, operation.name?.value, variableValues);
    } catch (error) {
      // no data at all: nothing was executed
      return { errors: [asGraphqlError(error)] };
    }
    const query = findCompiled(given, selections)?.query;
    if (query) return withProperErrors(await query(undefined, contextValue, variableValues));
    const operationName = operation.name?.value;
    return execute({ schema, document, contextValue, variableValues, ...(operationName && { operationName }) });
  };
}

/** NUL and lone surrogates in a document's texts, which escapes can make. Throws BAD_USER_INPUT. */
export function requireStorableTexts(document: DocumentNode): void {
  visit(document, {
    StringValue({ value, loc }) {
      if (value.includes('\0') || !value.isWellFormed())
        throw badInput({ [`query at ${loc?.start ?? 0}`]: ['The text holds a NUL or a lone surrogate.'] });
    },
  });
}

function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledQuery | 'interpreted' {
  if (operation.operation !== 'query' || !keepsMeaning(document)) return 'interpreted';
  const { definitions } = document;
  const untyped = {
    ...document,
    definitions: definitions.map((definition) => (definition === operation ? withoutTypes(operation) : definition)),
  };
  const prepared = withTextNodes(schema, untyped);
  const compiled = whileTextNodes(schema, () =>
    withPlainScalars(schema, () =>
      compileQuery(schema, prepared, operation.name?.value, { disableLeafSerialization: true }),
    ),
  );
  return isCompiledQuery(compiled) ? compiled : 'interpreted';
}

/**
 * Runs `compile` while every answered guid, time and JSON value passes for a String. Rows bear them as they leave, yet
 * graphql-jit would call a serializer, with a path made for it, at each value of a scalar that is not GraphQL's own.
 */
function withPlainScalars<T>(schema: GraphQLSchema, compile: () => T): T {
  const own = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => Object.values(type.getFields()))
    .filter(({ type }) => plainScalars.has(String(getNullableType(type))))
    .map((field) => ({ field, type: field.type }));
  try {
    for (const { field, type } of own)
      field.type = isNonNullType(type) ? new GraphQLNonNull(GraphQLString) : GraphQLString;
    return compile();
  } finally {
    for (const { field, type } of own) field.type = type;
  }
}
const plainScalars = new Set(['UUID', 'DateTime', 'JSON']);

/**
 * The variables are coerced already, defaults too: graphql-jit would write out their types, without end for filters that
 * hold themselves. JSON passes everything through.
 */
const withoutTypes = (operation: OperationDefinitionNode): OperationDefinitionNode => ({
  ...operation,
  variableDefinitions: (operation.variableDefinitions ?? []).map(({ kind, variable }) => ({
    kind,
    variable,
    type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'JSON' } },
  })),
});

/**
 * graphql-jit marks the nodes of a document with the conditions of @skip and @include, wrongly where a fragment is
 * spread twice; a response key `__proto__` would be lost; introspection gains nothing.
 */
function keepsMeaning(document: DocumentNode): boolean {
  let keeps = true;
  visit(document, {
    enter(node) {
      if (node.kind === Kind.DIRECTIVE) keeps = false;
      if (
        node.kind === Kind.NAME &&
        (node.value === '__proto__' || node.value === '__schema' || node.value === '__type')
      )
        keeps = false;
    },
  });
  return keeps;
}

/** graphql-jit's errors have no extensions and no place in Apollo's formatting. */
function withProperErrors(result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result;
  const errors = result.errors.map(({ message, path, originalError, locations }) => {
    const error = new GraphQLError(message, { path: path ?? null, originalError: originalError ?? null });
    Object.defineProperty(error, 'locations', { value: locations, enumerable: true });
    return error;
  });
  return { ...result, errors };
}

const asGraphqlError = (error: unknown): GraphQLError =>
  new GraphQLError((error as Error).message, { originalError: error as Error });

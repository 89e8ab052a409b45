/**
 * Queries compiled to JavaScript by graphql-jit, from their second use on, where compiling keeps their meaning. The
 * entrance of this folder: what is compiled answers as the interpreter would, or isn't compiled.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { GraphContext } from '../resolving/loaders.js';
import type { AnswerBytes } from './answerBytes.js';
import { type CompiledContext, compiledSchema } from './compiledSchema.js';
import { withPlainNodes } from './plainNodes.js';

export interface Compiling {
  /** Whether queries are compiled at all. */
  compiles: boolean;
  /** Whether nodes that hold only fields and relations to one are written as bytes, from the database's columns. */
  writesBytes: boolean;
}

/** A compiled query. Its errors are not those of the specification, nor as many: whoever gets one has the query interpreted. */
type Run = (
  context: GraphContext,
  variableValues: Record<string, unknown>,
  answer: AnswerBytes,
) => Promise<ExecutionResult> | ExecutionResult;

/** The compiled form of an operation, if it has one. `weight`: bytes that it takes, compiled. */
type FindCompiled = (document: DocumentNode, operation: OperationDefinitionNode, weight: number) => Run | undefined;

/** Of all compiled operations with their documents. */
const compiledBytesMax = 32_000_000;

export function openCompiledQueries(schema: GraphQLSchema, { compiles, writesBytes }: Compiling): FindCompiled {
  if (!compiles) return () => undefined;
  const target = compiledSchema(schema);
  const compiled = new LRUCache<OperationDefinitionNode, Run>({ maxSize: compiledBytesMax });
  const seen = new WeakMap<OperationDefinitionNode, 'once' | 'interpreted'>();

  return (document, operation, weight) => {
    const found = compiled.get(operation);
    if (found) return found;
    if (seen.get(operation) !== 'once') {
      if (!seen.has(operation)) seen.set(operation, 'once');
      return undefined;
    }
    const prepared = keepsMeaning(document, operation) && prepare(schema, document, operation, writesBytes);
    const made = prepared && compile(target, prepared, operation.name?.value);
    if (!made) {
      seen.set(operation, 'interpreted');
      return undefined;
    }
    // should it be pushed out, it has to be seen twice again
    seen.delete(operation);
    compiled.set(operation, made, { size: weight });
    return made;
  };
}

function prepare(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  writesBytes: boolean,
): DocumentNode {
  // variables are read by the compiled schema's own resolvers
  const bare: OperationDefinitionNode = { ...operation, variableDefinitions: [] };
  const definitions = document.definitions.map((definition) => (definition === operation ? bare : definition));
  return writesBytes ? withPlainNodes(schema, { ...document, definitions }) : { ...document, definitions };
}

function compile(target: GraphQLSchema, document: DocumentNode, operationName: string | undefined): Run | undefined {
  const compiled = compileQuery(target, document, operationName);
  if (!isCompiledQuery(compiled)) return undefined;
  return (context, variableValues, answer) => {
    const compiledContext: CompiledContext = { ...context, variableValues, argumentsAt: new Map(), answer };
    return compiled.query(undefined, compiledContext, {});
  };
}

/**
 * graphql-jit runs the fields of mutations otherwise; marks the nodes of a document with the conditions of @skip and
 * @include, wrongly where a fragment is spread twice; would lose a response key `__proto__`; and joins the keys of a path
 * by underscores, so that two paths may become one. Introspection gains nothing.
 */
function keepsMeaning(document: DocumentNode, { operation }: OperationDefinitionNode): boolean {
  let keeps = operation === 'query';
  visit(document, {
    Directive: () => {
      keeps = false;
    },
    Field: ({ alias, name }) => {
      const isIntrospection = name.kind === Kind.NAME && (name.value === '__schema' || name.value === '__type');
      if (isIntrospection || alias?.value.includes('_')) keeps = false;
    },
  });
  return keeps;
}

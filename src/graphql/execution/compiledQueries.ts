/** Compiles queries with graphql-jit, on a schema of its own. */
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  GraphQLBoolean,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  getArgumentValues,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { graphRecords } from '../../entities/all.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { DateTime, Uuid } from '../../entities/scalars.js';
import type { AnswerBytes, Template } from '../../services/read/answerBytes.js';
import type { Page } from '../../services/read/projection.js';
import type { GraphContext } from '../resolving/loaders.js';
import { asBytes, collect, type FieldInfo, once, responseKey } from '../resolving/selection.js';

/** The context that the resolvers of a compiled query receive. */
interface CompiledContext extends GraphContext {
  variableValues: Record<string, unknown>;
  /** Arguments of each place in the query, read when the first of its parents asks. */
  argumentsAt: Map<readonly FieldNode[], Record<string, unknown>>;
  answer: AnswerBytes;
}
type Resolve = GraphQLFieldResolver<unknown, CompiledContext>;

/**
 * The schema that graphql-jit sees has the names and shapes of the real one. Its fields have no arguments, because graphql-jit
 * would write arguments into its code, some texts as expressions, and would take absent variables inside input objects for
 * null. The resolvers get arguments that graphql-js has read. Leaves have the types of the real schema, so that a compiled query
 * serializes their values as the interpreter does.
 */
function compiledSchema(schema: GraphQLSchema): GraphQLSchema {
  const types = new Map<GraphQLCompositeType, GraphQLCompositeType>();
  const typeFor = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(typeFor(type.ofType));
    if (isListType(type)) return new GraphQLList(typeFor(type.ofType));
    if (isLeafType(type)) return type;
    const made = types.get(type) ?? make(type);
    types.set(type, made);
    return made;
  };
  const typesFor = <Type extends GraphQLCompositeType>(originals: readonly Type[]) => originals.map(typeFor) as Type[];
  const make = (type: GraphQLCompositeType): GraphQLCompositeType => {
    const { name } = type;
    // records have `__typename`, because graphql-jit does not wait for a promise of the type
    if (isUnionType(type)) return new GraphQLUnionType({ name, types: () => typesFor(type.getTypes()) });
    const shape = { name, interfaces: () => typesFor(type.getInterfaces()), fields: () => fieldsFor(type) };
    return isObjectType(type) ? new GraphQLObjectType(shape) : new GraphQLInterfaceType(shape);
  };
  const fieldsFor = (type: GraphQLObjectType | GraphQLInterfaceType) => {
    const fields = Object.values(type.getFields()).map(
      (field) => [field.name, { type: typeFor(field.type), ...withArguments(field) }] as const,
    );
    const record = connectionRecord(type.name);
    if (!record) return Object.fromEntries(fields);
    const bytes = {
      [asBytes.nodes]: bytesField(record, templateOf),
      [asBytes.edges]: bytesField(record, edgeTemplateOf),
    };
    return { ...Object.fromEntries(fields), ...bytes };
  };
  const query = typeFor(schema.getQueryType()!) as GraphQLObjectType;
  return new GraphQLSchema({ query, assumeValid: true });
}

/** The record that a connection type leads to; undefined for any other type. */
const connectionRecord = (typeName: string): RecordClass | undefined =>
  graphRecords.find(({ name }) => typeName === `${name}Connection`);

/** The type of leaves that are JSON already; the real schema does not have it. */
const Written = new GraphQLScalarType({ name: 'Written' });

const bytesField = (record: RecordClass, template: typeof templateOf): GraphQLFieldConfig<Page, CompiledContext> => ({
  type: new GraphQLNonNull(Written),
  resolve: (page, _given, { answer }, info) => answer.records(page, template(info, record)),
});

function withArguments(field: GraphQLField<unknown, unknown>): { resolve?: Resolve } {
  const resolve = field.resolve as Resolve | undefined;
  if (!resolve) return {};
  return {
    resolve: (parent, _none, context, info) => {
      // made for this call; a compiled query declares no variables
      const called = Object.assign(info, { variableValues: context.variableValues });
      return resolve(parent, argumentsOf(field, context, info.fieldNodes), context, called);
    },
  };
}

function argumentsOf(
  field: GraphQLField<unknown, unknown>,
  { argumentsAt, variableValues }: CompiledContext,
  nodes: readonly FieldNode[],
): Record<string, unknown> {
  const cached = argumentsAt.get(nodes);
  if (cached) return cached;
  const values = getArgumentValues(field, nodes[0]!, variableValues);
  argumentsAt.set(nodes, values);
  return values;
}

/** The selection of the records that the field resolves to. */
const templateOf = once(buildTemplate);

function buildTemplate(info: FieldInfo, record: RecordClass, nodes: readonly FieldNode[]): Template {
  const { name: typename, relations } = describe(record);
  return [...collect(info, nodes, typename, responseKey)].map(([key, sameKeyNodes]) => {
    const name = sameKeyNodes[0]!.name.value;
    const relation = relations.find((candidate) => candidate.name === name);
    if (relation) {
      const template = buildTemplate(info, relation.target(), sameKeyNodes);
      return { key, says: { relation: name, template } };
    }
    return { key, says: name === '__typename' ? { json: JSON.stringify(typename) } : { field: name } };
  });
}

/** The selection of the edges that the field resolves to. */
const edgeTemplateOf = once(
  (info, record, nodes): Template =>
    [...collect(info, nodes, `${describe(record).name}Edge`, responseKey)].map(([key, sameKeyNodes]) => {
      const name = sameKeyNodes[0]!.name.value;
      if (name === 'node') return { key, says: { node: buildTemplate(info, record, sameKeyNodes) } };
      return {
        key,
        says: name === 'cursor' ? { cursor: true } : { json: JSON.stringify(`${describe(record).name}Edge`) },
      };
    }),
);

/**
 * Makes one leaf of the `nodes` or `edges` of a connection whose nodes contain only columns and relations to one record: their
 * JSON is written from the columns that PostgreSQL returned. Before compiling, such fields are renamed to fields that only the
 * compiled schema has, with the same selection. Fields that GraphQL may merge are all renamed, or none of them.
 */
function withPlainNodes(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const types = new TypeInfo(schema);
  const isPlain = plainness(document);
  const mixed = new Set<string>();
  /** Connections whose pages may contain records that no statement returned. */
  const inMemory = new Set<string>();
  const placeOf = (node: FieldNode): string | undefined => {
    const parent = types.getParentType();
    if (!isListed(node.name.value) || !parent || !connectionRecord(parent.name)) return undefined;
    if (inMemory.has(parent.name)) return undefined;
    return `${parent.name} ${(node.alias ?? node.name).value}`;
  };
  const find = {
    Field(node: FieldNode) {
      if (types.getFieldDef()?.extensions.isPagedInMemory) inMemory.add(String(getNamedType(types.getType())));
      const place = placeOf(node);
      const type = getNamedType(types.getType());
      if (place && !(isObjectType(type) && isPlain(node.selectionSet!, type))) mixed.add(place);
    },
  };
  const rename = {
    Field: {
      leave(node: FieldNode) {
        const place = placeOf(node);
        if (!place || mixed.has(place)) return undefined;
        const value = asBytes[node.name.value as keyof typeof asBytes];
        return { ...node, alias: node.alias ?? node.name, name: { kind: Kind.NAME, value } };
      },
    },
  };
  visit(document, visitWithTypeInfo(types, find));
  return visit(document, visitWithTypeInfo(types, rename));
}

const isListed = (name: string): name is keyof typeof asBytes => Object.hasOwn(asBytes, name);

/** Types whose serializers return the value of a column unchanged. Leaves of other types are not written as bytes. */
const columnScalars: readonly GraphQLNamedType[] = [
  GraphQLString,
  GraphQLInt,
  GraphQLBoolean,
  GraphQLID,
  Uuid,
  DateTime,
];

/** Whether selections contain only fields that are columns of the records, at any depth. */
function plainness(document: DocumentNode) {
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition.selectionSet]] : [],
    ),
  );
  const isPlain = ({ selections }: SelectionSetNode, type: GraphQLObjectType): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return isPlain(fragments.get(selection.name.value)!, type);
      if (selection.kind === Kind.INLINE_FRAGMENT) return isPlain(selection.selectionSet, type);
      if (selection.name.value === '__typename') return true;
      const field = type.getFields()[selection.name.value];
      if (!field || field.resolve || field.args.length > 0) return false;
      const inner = getNamedType(field.type);
      if (isObjectType(inner)) return isPlain(selection.selectionSet!, inner);
      return columnScalars.includes(inner);
    });
  return isPlain;
}

/** Queries compiled to JavaScript by graphql-jit, from their second use on. A query is compiled only if its answer is the same as that of the interpreter. */
export interface Compiling {
  /** Whether queries are compiled at all. */
  compiles: boolean;
  /** Whether nodes with only columns and relations to one record are written as bytes, from the database's columns. */
  writesBytes: boolean;
}

/** A compiled query. Its errors are incomplete and differ from those of the specification, so after an error the query is interpreted. */
type Run = (
  context: GraphContext,
  variableValues: Record<string, unknown>,
  answer: AnswerBytes,
) => Promise<ExecutionResult> | ExecutionResult;

/** Returns the compiled form of an operation, if there is one. @param weight bytes of memory that the compiled form takes */
type FindCompiled = (document: DocumentNode, operation: OperationDefinitionNode, weight: number) => Run | undefined;

/** The maximum memory of all compiled operations with their documents. */
const compiledBytesMax = 32_000_000;

export function openCompiledQueries(schema: GraphQLSchema, { compiles, writesBytes }: Compiling): FindCompiled {
  if (!compiles) return () => undefined;
  const target = compiledSchema(schema);
  const compiled = new LRUCache<OperationDefinitionNode, Run>({ maxSize: compiledBytesMax });
  const seen = new WeakMap<OperationDefinitionNode, 'once' | 'interpreted'>();

  return (document, operation, weight) => {
    const run = compiled.get(operation);
    if (run) return run;
    if (seen.get(operation) !== 'once') {
      if (!seen.has(operation)) seen.set(operation, 'once');
      return undefined;
    }
    const prepared = isCompilable(document, operation) && prepare(schema, document, operation, writesBytes);
    const compiledQuery = prepared && compile(target, prepared, operation.name?.value);
    if (!compiledQuery) {
      seen.set(operation, 'interpreted');
      return undefined;
    }
    // after an eviction, the second use compiles the operation again
    seen.delete(operation);
    compiled.set(operation, compiledQuery, { size: weight });
    return compiledQuery;
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
 * Whether graphql-jit answers an operation as the interpreter does. It executes the fields of mutations in another way. For @skip
 * and @include it marks the nodes of the document, wrongly where a fragment is spread twice. It would lose a response key
 * `__proto__`, and it joins the keys of a path with underscores, so that two paths may become one. Introspection would not be
 * faster.
 */
function isCompilable(document: DocumentNode, { operation }: OperationDefinitionNode): boolean {
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

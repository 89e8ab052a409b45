/**
 * The schema that graphql-jit sees: the names and shapes of the real one, made once. Fields have no arguments, since it
 * would write them into its code (as expressions, for some texts), and take absent variables inside input objects for
 * null; resolvers get what GraphQL's own reading of the arguments gives. Leaves have the types of the real schema, so that
 * a compiled query serializes their values as the interpreter does.
 */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLUnionType,
  getArgumentValues,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { allRecords, allViews } from '../../entities/all.js';
import type { RecordClass } from '../../entities/description.js';
import type { Connection } from '../resolving/connection.js';
import type { GraphContext } from '../resolving/loaders.js';
import { asBytes } from '../resolving/selection.js';
import type { AnswerBytes } from './answerBytes.js';
import { edgeTemplateOf, templateOf } from './template.js';

/** What the resolvers of a compiled query receive. */
export interface CompiledContext extends GraphContext {
  variableValues: Record<string, unknown>;
  /** Arguments of each place in the query, read when the first of its parents asks. */
  argumentsAt: Map<readonly FieldNode[], Record<string, unknown>>;
  answer: AnswerBytes;
}
type Resolve = GraphQLFieldResolver<unknown, CompiledContext>;

export function compiledSchema(schema: GraphQLSchema): GraphQLSchema {
  const made = new Map<string, GraphQLObjectType | GraphQLInterfaceType | GraphQLUnionType>();
  const typeFor = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(typeFor(type.ofType));
    if (isListType(type)) return new GraphQLList(typeFor(type.ofType));
    if (isLeafType(type)) return type;
    if (isUnionType(type)) return unionFor(type);
    return isObjectType(type) ? objectFor(type) : interfaceFor(type);
  };
  const once = <Type extends GraphQLObjectType | GraphQLInterfaceType | GraphQLUnionType>(
    name: string,
    make: () => Type,
  ): Type => {
    const type = (made.get(name) as Type | undefined) ?? make();
    made.set(name, type);
    return type;
  };
  const objectFor = (type: GraphQLObjectType): GraphQLObjectType =>
    once(type.name, () => new GraphQLObjectType({ ...shapeOf(type), fields: () => fieldsFor(type) }));
  const interfaceFor = (type: GraphQLInterfaceType): GraphQLInterfaceType =>
    once(type.name, () => new GraphQLInterfaceType({ ...shapeOf(type), fields: () => fieldsFor(type) }));
  const shapeOf = (type: GraphQLObjectType | GraphQLInterfaceType) => ({
    name: type.name,
    interfaces: () => type.getInterfaces().map(interfaceFor),
  });
  // records say by `__typename` what they are: graphql-jit waits for no promise of it
  const unionFor = (type: GraphQLUnionType): GraphQLUnionType =>
    once(type.name, () => new GraphQLUnionType({ name: type.name, types: () => type.getTypes().map(objectFor) }));
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
  return new GraphQLSchema({ query: objectFor(schema.getQueryType()!), assumeValid: true });
}

/** The record that a connection type leads to; undefined for any other type. */
export const connectionRecord = (typeName: string): RecordClass | undefined =>
  ([...allRecords, ...allViews] as RecordClass[]).find(({ name }) => typeName === `${name}Connection`);

/** Leaves as JSON. It is named nowhere. */
const Written = new GraphQLScalarType({ name: 'Written' });

const bytesField = (
  record: RecordClass,
  template: typeof templateOf,
): GraphQLFieldConfig<Connection, CompiledContext> => ({
  type: new GraphQLNonNull(Written),
  resolve: (connection, _given, { answer }, info) => answer.records(connection, template(info, record)),
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
  const known = argumentsAt.get(nodes);
  if (known) return known;
  const values = getArgumentValues(field, nodes[0]!, variableValues);
  argumentsAt.set(nodes, values);
  return values;
}

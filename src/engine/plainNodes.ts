/**
 * Answers the `nodes` and `edges` of a connection as JSON that is written from the columns of PostgreSQL, where they select only
 * columns and relations to one record (docs/decisions/0014).
 */
import {
  type DocumentNode,
  extendSchema,
  type FieldNode,
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { graphRecords } from '../entities/all.js';
import type { RecordClass } from '../entities/description.js';
import { DateTime, Uuid } from '../entities/scalars.js';
import type { AnswerBytes, RecordsOfPage, Template } from './answerBytes.js';

/** The fields of a connection that return its `nodes` and `edges` as bytes. */
export const asBytes = { nodes: 'nodesAsBytes', edges: 'edgesAsBytes' } as const;

/** What the resolvers of such a query need of their context. */
interface BytesContext {
  answer: AnswerBytes;
}

/** Reads what the nodes, or the edges, of a field select. */
type ReadTemplate = (info: GraphQLResolveInfo, record: RecordClass) => Template;

/** The schema with the fields that return bytes, which no client sees. */
export function withBytesFields(
  schema: GraphQLSchema,
  templates: Record<keyof typeof asBytes, ReadTemplate>,
): GraphQLSchema {
  const connections = graphRecords.flatMap((record) => {
    const name = `${record.name}Connection`;
    return schema.getType(name) ? [{ name, record }] : [];
  });
  if (connections.length === 0) return schema;
  const fields = `{ ${asBytes.nodes}: Written! ${asBytes.edges}: Written! }`;
  const additions = ['scalar Written', ...connections.map(({ name }) => `extend type ${name} ${fields}`)];
  const target = extendSchema(schema, parse(additions.join('\n')), { assumeValid: true, assumeValidSDL: true });
  for (const { name, record } of connections) {
    const fieldsOf = (target.getType(name) as GraphQLObjectType<RecordsOfPage, BytesContext>).getFields();
    for (const plain of ['nodes', 'edges'] as const)
      fieldsOf[asBytes[plain]]!.resolve = (page, _none, { answer }, info) =>
        answer.records(page, templates[plain](info, record));
  }
  return target;
}

/** The record that a connection type leads to; undefined for any other type. */
const connectionRecord = (typeName: string): RecordClass | undefined =>
  graphRecords.find(({ name }) => typeName === `${name}Connection`);

/**
 * Makes one leaf of the `nodes` or `edges` of a connection whose nodes contain only columns and relations to one record: such
 * fields are renamed to those that return bytes, with the same selection. Fields that GraphQL may merge are all renamed, or none
 * of them.
 */
export function withPlainNodes(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
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

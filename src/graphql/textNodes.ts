/**
 * Nodes of a connection that hold nothing but fields and relations to one are one leaf of a compiled query: their JSON is
 * made of the columns that PostgreSQL gave. Before compiling, such `nodes` are given the name of a field that exists only
 * then, with their selection below it.
 */
import {
  type DocumentNode,
  type FieldNode,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { recordNamed } from '../entities/fields.js';
import type { Connection } from './connection.js';
import { nodesAsText, templateOf } from './selection.js';

const connectionName = /^(.+)Connection$/;

/** The document with such leaves. Places that may be merged into one are leaves together or not at all. */
export function withTextNodes(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const types = new TypeInfo(schema);
  const isPlain = plainness(document);
  const mixed = new Set<string>();
  const placeOf = (node: FieldNode): string | undefined => {
    const parent = types.getParentType();
    if (node.name.value !== 'nodes' || !parent || !connectionName.test(parent.name)) return undefined;
    return `${parent.name} ${(node.alias ?? node.name).value}`;
  };
  const find = {
    Field(node: FieldNode) {
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
        return { ...node, alias: node.alias ?? node.name, name: { kind: Kind.NAME, value: nodesAsText } };
      },
    },
  };
  visit(document, visitWithTypeInfo(types, find));
  return visit(document, visitWithTypeInfo(types, rename));
}

/** Judges selections: whether they hold only fields that a record's own columns answer, at any depth. */
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
      return isLeafType(inner) && inner.name !== 'JSON';
    });
  return isPlain;
}

/** Runs `compile` while the connections have that field. */
export function whileTextNodes<T>(schema: GraphQLSchema, compile: () => T): T {
  const connections = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => connectionName.test(name));
  try {
    for (const connection of connections) connection.getFields()[nodesAsText] = fieldFor(connection);
    return compile();
  } finally {
    for (const connection of connections) delete connection.getFields()[nodesAsText];
  }
}

function fieldFor({ name }: GraphQLObjectType) {
  const record = recordNamed(connectionName.exec(name)![1]!);
  return {
    name: nodesAsText,
    description: undefined,
    type: new GraphQLNonNull(GraphQLString),
    args: [],
    resolve: (connection: Connection, _given: unknown, _context: unknown, info: Parameters<typeof templateOf>[0]) =>
      connection.nodesAsText(templateOf(info, record)),
    deprecationReason: undefined,
    extensions: {},
    astNode: undefined,
  };
}

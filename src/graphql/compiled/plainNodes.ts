/**
 * Nodes of a connection that hold nothing but fields and relations to one are one leaf of a compiled query, and edges with
 * such nodes: their JSON is made of the columns that PostgreSQL gave. Before compiling, such `nodes` and `edges` are given
 * the name of a field that the compiled schema alone has, with their selection below it.
 */
import {
  type DocumentNode,
  type FieldNode,
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { DateTime, Uuid } from '../../entities/scalars.js';
import { asBytes } from '../resolving/selection.js';
import { connectionRecord } from './compiledSchema.js';

/** The document with such leaves. Places that may be merged into one are leaves together or not at all. */
export function withPlainNodes(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const types = new TypeInfo(schema);
  const isPlain = plainness(document);
  const mixed = new Set<string>();
  const placeOf = (node: FieldNode): string | undefined => {
    const parent = types.getParentType();
    if (!isListed(node.name.value) || !parent || !connectionRecord(parent.name)) return undefined;
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
        const value = asBytes[node.name.value as keyof typeof asBytes];
        return { ...node, alias: node.alias ?? node.name, name: { kind: Kind.NAME, value } };
      },
    },
  };
  visit(document, visitWithTypeInfo(types, find));
  return visit(document, visitWithTypeInfo(types, rename));
}

const isListed = (name: string): name is keyof typeof asBytes => Object.hasOwn(asBytes, name);

/** Their serializers leave the values of columns as they are; a leaf of any other type is not written as bytes. */
const columnScalars: readonly GraphQLNamedType[] = [
  GraphQLString,
  GraphQLInt,
  GraphQLBoolean,
  GraphQLID,
  Uuid,
  DateTime,
];

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
      return columnScalars.includes(inner);
    });
  return isPlain;
}

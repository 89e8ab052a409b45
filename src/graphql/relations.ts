/** The relations of every record as fields: to-one ones come with their parent's row, to-many ones are connections. */
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { isObjectType } from 'graphql';
import { Field } from 'type-graphql';
import { allRecords } from '../entities/all.js';
import { describe, fieldsFor, type RecordClass, type RelationDescription, relationsFor } from '../entities/fields.js';
import type { PageArguments } from '../services/reading.js';
import { connectionOf, declarePageArguments } from './connection.js';
import { filterOf } from './filter.js';
import { type GraphContext, loadPage } from './loaders.js';
import { orderByOf } from './orderBy.js';

// biome-ignore lint/suspicious/noExplicitAny: the arguments of a field are what the schema says
export type Resolver = GraphQLFieldResolver<any, GraphContext, any>;

const resolvers: { type: string; field: string; resolve: Resolver }[] = [];

/**
 * Has a field answered by a plain function. Not by type-graphql's own way, which makes an instance of the parent and of
 * each argument at every call.
 */
export function resolveBy(type: string, field: string, resolve: Resolver): void {
  resolvers.push({ type, field, resolve });
}

/** Puts the plain functions where they belong. */
export function attachResolvers(schema: GraphQLSchema): void {
  for (const { type, field, resolve } of resolvers) {
    const target = schema.getType(type);
    const definition = isObjectType(target) ? target.getFields()[field] : undefined;
    if (!definition) throw new Error(`the schema has no field ${type}.${field}`);
    definition.resolve = resolve;
  }
}

/** Declares the relations that GraphQL shows, and the types that they and their arguments need. */
export function declareRelations(): void {
  const shown = (allRecords as RecordClass[]).filter((record) => fieldsFor(record, 'graph').length > 0);
  for (const record of shown) {
    // type-graphql takes no type that is made after it began
    connectionOf(record);
    filterOf(record);
    orderByOf(record);
    for (const relation of relationsFor(record, 'graph')) declareRelation(record, relation);
  }
}

function declareRelation(record: RecordClass, relation: RelationDescription): void {
  const { name, doc: description, nullable, kind, target, from, to } = relation;
  if (kind === 'toOne') {
    Field(target, { description, nullable })(record.prototype, name);
    return;
  }
  Field(() => connectionOf(target()), { description })(record.prototype, name);
  declarePageArguments(record.prototype, name, target());
  resolveBy(describe(record).name, name, (parent, given: PageArguments, context, info) =>
    loadPage(context, info, target(), to, parent[from], given),
  );
}

/**
 * The relations of every record as fields: to-one ones come with their parent's row, to-many ones are connections. They are
 * answered by plain functions: type-graphql's own resolvers make an instance of the arguments for each record.
 */
import { type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { Args, Field } from 'type-graphql';
import { allRecords, allViews } from '../../entities/all.js';
import {
  describe,
  fieldsFor,
  type RecordClass,
  type RelationDescription,
  relationsFor,
} from '../../entities/description.js';
import { mayRead, needsAnother } from '../../services/read/projection.js';
import { type GraphContext, loadPage } from '../resolving/loaders.js';
import { refuse } from '../resolving/refusals.js';
import { connectionOf, pageArgumentsOf } from './connection.js';
import { filterOf, orderByOf } from './inputs.js';

const shown = ([...allRecords, ...allViews] as RecordClass[]).filter((record) => fieldsFor(record, 'graph').length > 0);

/** Declares the relations that GraphQL shows, and the types that they and their arguments need. */
export function declareRelations(): void {
  for (const record of shown) {
    // type-graphql ignores types that are declared while it builds the schema
    connectionOf(record);
    pageArgumentsOf(record);
    filterOf(record);
    orderByOf(record);
    for (const { name, doc: description, kind, target, nullable } of relationsFor(record, 'graph')) {
      const options = { description, nullable: nullable || needsAnother(record, target()) };
      if (kind === 'toOne') Field(target, options)(record.prototype, name);
      else {
        Field(() => connectionOf(target()), options)(record.prototype, name);
        Args(() => pageArgumentsOf(target()))(record.prototype, name, 0);
      }
    }
  }
}

/** Gives each relation its resolver, except where a resolver class has one for it. */
export function attachRelations(schema: GraphQLSchema): void {
  for (const record of shown) {
    const type = schema.getType(describe(record).name);
    if (!isObjectType(type)) throw new Error(`the schema has no type ${describe(record).name}`);
    for (const relation of relationsFor(record, 'graph')) {
      const field = type.getFields()[relation.name]!;
      const resolve = resolverOf(record, relation);
      if (resolve) field.resolve ??= resolve;
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: parents and arguments are what the schema says
type Resolve = GraphQLFieldResolver<any, GraphContext, any>;

function resolverOf(record: RecordClass, { name, kind, target, from, to }: RelationDescription): Resolve | undefined {
  const isGuarded = needsAnother(record, target());
  if (kind === 'toOne' && !isGuarded) return undefined;
  const resolve: Resolve =
    kind === 'toOne'
      ? (parent) => parent[name]
      : (parent, page, context, info) => loadPage(context, info, target(), to, parent[from], page);
  if (!isGuarded) return resolve;
  return (parent, args, context, info) =>
    mayRead(context, target()) ? resolve(parent, args, context, info) : refuse(context, info, target());
}

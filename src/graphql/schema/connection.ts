/**
 * The relations of every record as fields. To-one relations come with their parent's row, to-many ones are Relay connections.
 * Relations are resolved by plain functions: type-graphql's own resolvers make an instance of the arguments for each record.
 */
import { type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { Args, ArgsType, Field, Int } from 'type-graphql';
import { graphRecords } from '../../entities/all.js';
import { describe, type RecordClass, type RelationDescription, relationsFor } from '../../entities/description.js';
import type { RecordFilter, RecordOrder } from '../../services/read/graphInputs.js';
import { mayRead, needsAnother } from '../../services/read/projection.js';
import { type PageArguments, pageSizeDefault } from '../../services/read/readPages.js';
import { type GraphContext, loadPage, refuseField } from '../resolving/loaders.js';
import { filterOf, oncePerRecord, orderByOf } from './inputs.js';
import { Member, MemberOrNull, Result } from './operations.js';

@Result('The position of a page among all records.')
class PageInfo {
  @Member(Boolean, 'Whether there are records after the page.') hasNextPage!: boolean;
  @Member(Boolean, 'Whether there are records before the page.') hasPreviousPage!: boolean;
  @MemberOrNull(String, 'Cursor of the first record; null on an empty page.') startCursor!: string | null;
  @MemberOrNull(String, 'Cursor of the last record; null on an empty page.') endCursor!: string | null;
}

/** The connection type of records or results, such as `ApplicationConnection`. */
export const connectionOf = oncePerRecord((item): RecordClass => {
  const { name } = item;
  @Result('A record of the page and its cursor.', `${name}Edge`)
  class Edge {
    @Member(String, 'Cursor of the record, for the arguments `after` and `before`.') cursor!: string;
    @Member(item, 'The record.') node!: object;
  }
  @Result(`A page of ${name} records.`, `${name}Connection`)
  class Connection {
    @Member([item], 'The records of the page.') nodes!: object[];
    @Member([Edge], 'The records of the page with their cursors.') edges!: Edge[];
    @Member(PageInfo, 'The position of the page.') pageInfo!: PageInfo;
    @Member(Int, 'The total number of records. They are counted only if this field is requested.') totalCount!: number;
  }
  return Connection;
});

/** The arguments of a list with `first`, `after` and `offset`. */
@ArgsType()
export class SliceOfList {
  @MemberOrNull(Int, `The number of items to return; absent: ${pageSizeDefault}.`) first?: number | null;
  @MemberOrNull(String, 'Returns only items after this cursor.') after?: string | null;
  @MemberOrNull(Int, 'The number of items to skip. Cannot be combined with after.') offset?: number | null;
}

export type SliceArguments<Filter> = SliceOfList & { filter?: Filter | null; orderBy?: RecordOrder[] | null };

/** The arguments of a list of records with a filter class of its own. */
export function sliceOf<Filter>(record: RecordClass, filter: new () => Filter) {
  @ArgsType()
  class OfRecord extends SliceOfList {
    @Field(() => filter, { nullable: true, description: 'Returns only records that match the filter.' })
    filter?: Filter | null;
    @OrderBy(record) orderBy?: RecordOrder[] | null;
  }
  return OfRecord;
}

const OrderBy = (record: RecordClass) =>
  Field(() => [orderByOf(record)], {
    nullable: true,
    description: 'The sort order, most significant first; absent: by primary key.',
  });

@ArgsType()
abstract class PlaceOfPage {
  @MemberOrNull(Int, `The number of records to return from the start. Without first and last: ${pageSizeDefault}.`)
  first?: number | null;
  @MemberOrNull(String, 'Returns only records after this cursor.') after?: string | null;
  @MemberOrNull(Int, 'The number of records to return from the end. Cannot be combined with first.')
  last?: number | null;
  @MemberOrNull(String, 'Returns only records before this cursor.') before?: string | null;
  @MemberOrNull(Int, 'The number of records to skip. Not with after, before or last.') offset?: number | null;
}

/** The class of the arguments of a connection of the record, for `@Args`. */
export const pageArgumentsOf = oncePerRecord((record): RecordClass<PageArguments> => {
  @ArgsType()
  class OfRecord extends PlaceOfPage {
    @MemberOrNull(filterOf(record), 'Returns only records that match the filter.')
    filter?: RecordFilter | null;
    @OrderBy(record) orderBy?: RecordOrder[] | null;
  }
  return OfRecord;
});

/** Declares the relations that GraphQL shows, and the types that they and their arguments need. */
export function declareRelations(): void {
  for (const record of graphRecords) {
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
  for (const record of graphRecords) {
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
    mayRead(context, target()) ? resolve(parent, args, context, info) : refuseField(context, info, target());
}

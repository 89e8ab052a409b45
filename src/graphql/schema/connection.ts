/** Relay connections in the schema: for each record its connection and edge types, and the arguments. */
import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { describe, type RecordClass } from '../../entities/description.js';
import type { RecordFilter } from '../../services/read/graphInputs.js';
import { type PageArguments, pageSizeDefault } from '../../services/read/readPages.js';
import { filterOf, namedClass, orderByOf } from './inputs.js';

@ObjectType({ description: 'The position of a page among all records.', simpleResolvers: true })
class PageInfo {
  @Field(() => Boolean, { description: 'Whether there are records after the page.' }) hasNextPage!: boolean;
  @Field(() => Boolean, { description: 'Whether there are records before the page.' }) hasPreviousPage!: boolean;
  @Field(() => String, { nullable: true, description: 'Cursor of the first record; null on an empty page.' })
  startCursor!: string | null;
  @Field(() => String, { nullable: true, description: 'Cursor of the last record; null on an empty page.' })
  endCursor!: string | null;
}

const connections = new Map<string, RecordClass>();

/** The connection type of a record, `ApplicationConnection`. */
export const connectionOf = (record: RecordClass): RecordClass => connectionNamed(describe(record).name, () => record);

/** The connection type of items that are no records. @param name of the type of an item */
export function connectionNamed(name: string, item: () => unknown): RecordClass {
  const cached = connections.get(name);
  if (cached) return cached;
  const edge = namedClass(`${name}Edge`);
  ObjectType(`${name}Edge`, { description: 'A record of the page and its cursor.', simpleResolvers: true })(edge);
  Field(() => String, { description: 'Cursor of the record, for the arguments `after` and `before`.' })(
    edge.prototype,
    'cursor',
  );
  Field(item as never, { description: 'The record.' })(edge.prototype, 'node');
  const connection = namedClass(`${name}Connection`);
  ObjectType(`${name}Connection`, { description: `A page of ${name} records.`, simpleResolvers: true })(connection);
  const { prototype } = connection;
  Field(() => [item()] as never, { description: 'The records of the page.' })(prototype, 'nodes');
  Field(() => [edge], { description: 'The records of the page with their cursors.' })(prototype, 'edges');
  Field(() => PageInfo, { description: 'The position of the page.' })(prototype, 'pageInfo');
  Field(() => Int, { description: 'The total number of records. They are counted only if this field is requested.' })(
    prototype,
    'totalCount',
  );
  connections.set(name, connection);
  return connection;
}

/** The arguments of a list that is counted as a whole. */
@ArgsType()
export class SliceOfList {
  @Field(() => Int, { nullable: true, description: `The number of items to return; absent: ${pageSizeDefault}.` })
  first?: number | null;
  @Field(() => String, { nullable: true, description: 'Returns only items after this cursor.' }) after?: string | null;
  @Field(() => Int, {
    nullable: true,
    description: 'The number of items to skip. Cannot be combined with after.',
  })
  offset?: number | null;
}

@ArgsType()
abstract class PlaceOfPage {
  @Field(() => Int, {
    nullable: true,
    description: `The number of records to return from the start. Without first and last: ${pageSizeDefault}.`,
  })
  first?: number | null;
  @Field(() => String, { nullable: true, description: 'Returns only records after this cursor.' }) after?:
    | string
    | null;
  @Field(() => Int, {
    nullable: true,
    description: 'The number of records to return from the end. Cannot be combined with first.',
  })
  last?: number | null;
  @Field(() => String, { nullable: true, description: 'Returns only records before this cursor.' }) before?:
    | string
    | null;
  @Field(() => Int, {
    nullable: true,
    description: 'The number of records to skip. Requires first.',
  })
  offset?: number | null;
}

const pageArguments = new Map<RecordClass, RecordClass<PageArguments>>();

/** The class of the arguments of a connection of the record, for `@Args`. */
export function pageArgumentsOf(record: RecordClass): RecordClass<PageArguments> {
  const cached = pageArguments.get(record);
  if (cached) return cached;
  @ArgsType()
  class OfRecord extends PlaceOfPage {
    @Field(() => filterOf(record), { nullable: true, description: 'Returns only records that match the filter.' })
    filter?: RecordFilter | null;
    @Field(() => [orderByOf(record)], {
      nullable: true,
      description: 'The sort order, most significant first; absent: by primary key.',
    })
    orderBy?: RecordFilter[] | null;
  }
  pageArguments.set(record, OfRecord);
  return OfRecord;
}

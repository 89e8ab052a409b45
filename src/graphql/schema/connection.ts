/** Relay connections in the schema: for each record its connection and edge types, and the arguments. */
import { Arg, Field, Int, ObjectType } from 'type-graphql';
import { describe, type RecordClass } from '../../entities/description.js';
import { pageSizeDefault } from '../../services/read/readPages.js';
import { filterOf, namedClass, orderByOf } from './inputs.js';

@ObjectType({ description: 'Where a page lies among all records.', simpleResolvers: true })
class PageInfo {
  @Field(() => Boolean, { description: 'Whether records follow.' }) hasNextPage!: boolean;
  @Field(() => Boolean, { description: 'Whether records come before.' }) hasPreviousPage!: boolean;
  @Field(() => String, { nullable: true, description: 'Cursor of the first record; null on an empty page.' })
  startCursor!: string | null;
  @Field(() => String, { nullable: true, description: 'Cursor of the last record; null on an empty page.' })
  endCursor!: string | null;
}

const connections = new Map<RecordClass, RecordClass>();

/** The connection type of a record, `ApplicationConnection`. */
export function connectionOf(record: RecordClass): RecordClass {
  const known = connections.get(record);
  if (known) return known;
  const { name } = describe(record);
  const edge = namedClass(`${name}Edge`);
  ObjectType(`${name}Edge`, { description: 'A record of the page with its cursor.', simpleResolvers: true })(edge);
  Field(() => String, { description: 'Cursor, for after and before.' })(edge.prototype, 'cursor');
  Field(() => record, { description: 'The record.' })(edge.prototype, 'node');
  const connection = namedClass(`${name}Connection`);
  ObjectType(`${name}Connection`, { description: `A page of ${name} records.`, simpleResolvers: true })(connection);
  const { prototype } = connection;
  Field(() => [record], { description: 'The records of the page.' })(prototype, 'nodes');
  Field(() => [edge], { description: 'The records of the page with their cursors.' })(prototype, 'edges');
  Field(() => PageInfo, { description: 'Where the page lies.' })(prototype, 'pageInfo');
  Field(() => Int, { description: 'How many records there are in all; counted only when asked for.' })(
    prototype,
    'totalCount',
  );
  connections.set(record, connection);
  return connection;
}

/** Gives the field the arguments of a connection. */
/** @param others that it has already */
export function declarePageArguments(prototype: object, field: string, record: RecordClass, others = 0): void {
  let index = others;
  const argument = (name: string, type: () => unknown, description: string) =>
    Arg(name, type as never, { nullable: true, description })(prototype, field, index++);
  argument('first', () => Int, `The first so many. Without first and last: ${pageSizeDefault}.`);
  argument('after', () => String, 'Only records after this cursor.');
  argument('last', () => Int, 'The last so many. Not together with first.');
  argument('before', () => String, 'Only records before this cursor.');
  argument('filter', () => filterOf(record), 'Only records that pass.');
  argument('orderBy', () => [orderByOf(record)], 'Orderings, the first one decides; absent: by primary key.');
}

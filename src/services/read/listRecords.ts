/** Streams a REST list: statement, batches and bytes, with the catalogue version of its ETag. */
import type { Context } from '../../context.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import { comparableVersion, versionStatement } from '../../entities/CatalogueVersion.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { notFound } from '../../errors.js';
import { permit } from '../permit.js';
import { columnsOf, jsonOf, listedShape, type Shape } from './listShape.js';
import { BatchColumns, type BatchRow } from './listStatement.js';
import { Rows, Statement } from './select.js';

/** The catalogue's version as the lists' ETags have it. */

/** The version of everything administered, to be compared: read before a list, so that the list is never older than it says. */
export async function catalogueVersion(context: Context): Promise<string> {
  permit(context, 'admin:read');
  const [row] = await context.reads.rows<{ version: string }>(versionStatement);
  return row!.version;
}

/** The same, and the number of an application. Throws NOT_FOUND. */
export async function catalogueVersionFor(
  context: Context,
  applicationGuid: string,
): Promise<{ version: string; applicationId: number }> {
  permit(context, 'admin:read');
  const [row] = await context.reads.rows<{ version: string; applicationId: number }>(
    `select ${comparableVersion} as version, application_id as "applicationId" from catalogue_version, applications where application_guid = $1`,
    [applicationGuid],
  );
  if (!row) throw notFound('The application');
  return row;
}

/**
 * What is read of applications and their mappings for the REST face: each record as JSON text, rows streamed from one
 * cursor. One statement a list, whatever its length; one more for the catalogue version, and one for a count.
 */

/** SQL of a condition over the listed records; every value in it is bound. */
export type Condition = (rows: Rows) => string;

interface OrderTerm {
  /** To-one relations from the listed record. */
  navigations: readonly string[];
  property: string;
  descending: boolean;
}

export interface ListQuery {
  shape: Shape;
  filter?: Condition | undefined;
  orderBy?: readonly OrderTerm[];
  top?: number | undefined;
  skip?: number | undefined;
}

/** Texts of JSON objects; or, in UTF-8, each behind a comma. */
export type JsonBatch = string[] | Buffer;
/** Some records at a time. Reading begins with the first; leaving the loop closes the cursor. */
export type JsonBatches = AsyncIterable<JsonBatch>;

/** Records that are read at once, of some ten kilobytes each: more of them are no faster, and leave more for the collector. */
const batchSize = 10;

/** The applications, by default in the order of their numbers. */
export function listApplications(context: Context, query: ListQuery): JsonBatches {
  permit(context, 'admin:read');
  const known = statements.get(query) ?? selectList(Application, query);
  statements.set(query, known);
  return known(context);
}

/** Of lists of applications: a query without options is always the same one. */
const statements = new WeakMap<ListQuery, Read>();

type Read = (context: Context) => JsonBatches;

/** Records that hold lists come as columns of bytes (docs/decisions/0014), others as rows of JSON. */
function selectList(record: RecordClass, query: ListQuery): Read {
  const holdsLists = query.shape.relations.some(({ relation, shape }) => shape && relation.kind === 'toMany');
  if (holdsLists) {
    const columns = selectColumns(record, query);
    return (context) => streamColumns(context, columns);
  }
  const rows = selectRows(record, query);
  return (context) => streamRows(context, rows);
}

/** The mappings of an application to access scopes. */
export function listMappings(context: Context, applicationId: number, query: ListQuery): JsonBatches {
  permit(context, 'admin:read');
  return streamRows(context, selectRows(AccessScopeApplicationsMapper, query, ofApplication(applicationId)));
}

/** Mappings by their numbers, in the order of these. */
export function listMappingsByKey(context: Context, keys: readonly number[]): JsonBatches {
  permit(context, 'admin:read');
  const shape = listedShape(AccessScopeApplicationsMapper);
  return streamRows(context, selectRows(AccessScopeApplicationsMapper, { shape }, undefined, keys));
}

/** How many applications the filter keeps. */
export function countApplications(context: Context, { filter }: ListQuery): Promise<number> {
  permit(context, 'admin:read');
  return count(context, Application, filter);
}

/** How many mappings of the application the filter keeps. */
export function countMappings(context: Context, applicationId: number, { filter }: ListQuery): Promise<number> {
  permit(context, 'admin:read');
  const own = ofApplication(applicationId);
  const both: Condition = filter ? (rows) => `${own(rows)} and (${filter(rows)})` : own;
  return count(context, AccessScopeApplicationsMapper, both);
}

/** One application as JSON text. Throws NOT_FOUND. */
export async function getApplication(context: Context, applicationGuid: string): Promise<string> {
  permit(context, 'admin:read');
  const filter: Condition = (rows) =>
    `${rows.column([], 'applicationGuid')} = ${rows.statement.bind(applicationGuid, 'uuid')}`;
  const { text, values } = selectRows(Application, { shape: listedShape(Application), filter });
  const [row] = await context.reads.rows<JsonRow>(text, values);
  if (!row) throw notFound('The application');
  return row.json;
}

const ofApplication =
  (applicationId: number): Condition =>
  (rows) =>
    `${rows.column([], 'applicationId')} = ${rows.statement.bind(applicationId, 'integer')}`;

interface Query {
  text: string;
  values: unknown[];
}
interface JsonRow {
  json: string;
}

/** Rows are chosen and put in order inside, and made JSON outside, as they are fetched: a sort never holds their JSON. */
function selectRows(record: RecordClass, query: ListQuery, also?: Condition, keys?: readonly number[]): Query {
  const statement = new Statement();
  const { chosen, order } = choose(statement, record, query, also, keys);
  const json = jsonOf(query.shape, 'chosen', statement);
  return {
    text: `select ${json}::text as json from (${chosen}) chosen order by ${order}`,
    values: statement.values,
  };
}

async function* streamRows({ reads }: Context, { text, values }: Query): JsonBatches {
  for await (const rows of reads.stream<JsonRow>(text, values, batchSize)) yield rows.map(({ json }) => json);
}

interface ColumnsQuery extends Query {
  columns: BatchColumns;
}

function selectColumns(record: RecordClass, query: ListQuery): ColumnsQuery {
  const statement = new Statement();
  const areAll = !query.filter && query.top === undefined && !query.skip;
  const { chosen, order } = choose(statement, record, query);
  const columns = new BatchColumns(statement, query.shape, areAll);
  return { text: columns.text({ chosen, order, batchSize }), values: statement.values, columns };
}

async function* streamColumns({ reads }: Context, { text, values, columns }: ColumnsQuery): JsonBatches {
  const write = columns.openWriter();
  for await (const rows of reads.stream<BatchRow>(text, values, 1, 'binary')) for (const row of rows) yield* write(row);
}

/** SQL of the listed rows, with what they are ordered by and what their JSON is made of. */
function choose(
  statement: Statement,
  record: RecordClass,
  { shape, filter, orderBy = [], top, skip }: ListQuery,
  also?: Condition,
  keys?: readonly number[],
): { chosen: string; order: string } {
  const rows = new Rows(statement, record);
  const key = describe(record).primaryKey.column;
  const orders = orderBy.map((term, index) => ({ name: `order${index}`, ...orderOf(rows, term) }));
  const conditions = [also, filter].flatMap((condition) => (condition ? [`(${condition(rows)})`] : []));
  const columns = [...new Set([key, ...columnsOf(shape)])].map((column) => `${rows.alias}.${column}`);
  for (const { name, value } of orders) columns.push(`${value} as ${name}`);
  let from = rows.from();
  if (keys) {
    columns.push('given.place as order0');
    orders.push({ name: 'order0', value: 'given.place', direction: 'asc' });
    from = `unnest(${statement.bind(keys, 'integer[]')}) with ordinality given (key, place) join ${from} on ${rows.alias}.${key} = given.key`;
  }
  const chosen = [`select ${columns.join(', ')} from ${from}`];
  if (conditions.length > 0) chosen.push(`where ${conditions.join(' and ')}`);
  chosen.push(
    `order by ${[...orders.map(({ value, direction }) => `${value} ${direction}`), `${rows.alias}.${key}`].join(', ')}`,
  );
  if (top !== undefined) chosen.push(`limit ${statement.bind(top, 'bigint')}`);
  if (skip) chosen.push(`offset ${statement.bind(skip, 'bigint')}`);
  const order = [...orders.map(({ name, direction }) => `chosen.${name} ${direction}`), `chosen.${key}`].join(', ');
  return { chosen: chosen.join(' '), order };
}

/** Nulls are the least (OData 4.01 part 2 §5.1.1.1.12); strings go by code point. */
function orderOf(rows: Rows, { navigations, property, descending }: OrderTerm): { value: string; direction: string } {
  const column = rows.column(navigations, property);
  const isText = rows.field(navigations, property).type === 'string';
  return {
    value: isText ? `(${column} collate "C")` : column,
    direction: descending ? 'desc nulls last' : 'asc nulls first',
  };
}

async function count({ reads }: Context, record: RecordClass, filter: Condition | undefined): Promise<number> {
  const rows = new Rows(new Statement(), record);
  const where = filter ? ` where ${filter(rows)}` : '';
  const [row] = await reads.rows<{ count: string }>(
    `select count(*) from ${rows.from()}${where}`,
    rows.statement.values,
  );
  return Number(row!.count);
}

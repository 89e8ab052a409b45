/**
 * What is read of applications and their mappings for the REST face: each record as JSON text, rows streamed from one
 * cursor. One statement a list, whatever its length; one more for the catalogue version, and one for a count.
 */
import type { Context } from '../../context.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import { comparableVersion } from '../../entities/CatalogueVersion.js';
import { describe, type RecordClass } from '../../entities/fields.js';
import { notFound } from '../../errors.js';
import { permit } from '../permit.js';
import { Rows, Statement } from '../sql/select.js';
import { listedShape, type Shape } from './answerShape.js';
import { columnsOf, jsonOf } from './jsonSql.js';
import { SharedJson } from './sharedJson.js';

/** SQL of a condition over the listed records; every value in it is bound. */
export type Condition = (rows: Rows) => string;

export interface OrderTerm {
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

/** Texts of JSON objects, some at a time. Reading begins with the first; leaving the loop closes the cursor. */
export type JsonBatches = AsyncIterable<string[]>;

/** Rows that a cursor gives at once, of some ten kilobytes each: more of them are no faster, and leave more for the collector. */
const batchRows = 10;

/** The applications, by default in the order of their numbers. */
export function listApplications(context: Context, query: ListQuery): JsonBatches {
  permit(context, 'admin:read');
  const known = statements.get(query) ?? selectSharing(Application, query);
  statements.set(query, known);
  return stream(context, known);
}

/** Of lists of applications: a query without options is always the same one. */
const statements = new WeakMap<ListQuery, Query>();

/** The mappings of an application to access scopes. */
export function listMappings(context: Context, applicationId: number, query: ListQuery): JsonBatches {
  permit(context, 'admin:read');
  return stream(context, select(AccessScopeApplicationsMapper, query, ofApplication(applicationId)));
}

/** Mappings by their numbers, in the order of these. */
export function listMappingsByKey(context: Context, keys: readonly number[]): JsonBatches {
  permit(context, 'admin:read');
  const shape = listedShape(AccessScopeApplicationsMapper);
  return stream(context, select(AccessScopeApplicationsMapper, { shape }, undefined, keys));
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
  const { text, values, openReader } = select(Application, { shape: listedShape(Application), filter });
  const [row] = await context.reads.rows<Row>(text, values);
  if (!row) throw notFound('The application');
  return openReader()(row);
}

/** The version of everything administered, to be compared: read before a list, so that the list is never older than it says. */
export async function catalogueVersion(context: Context): Promise<string> {
  permit(context, 'admin:read');
  const [row] = await context.reads.rows<{ version: string }>(
    `select ${comparableVersion} as version from catalogue_version`,
  );
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

const ofApplication =
  (applicationId: number): Condition =>
  (rows) =>
    `${rows.column([], 'applicationId')} = ${rows.statement.bind(applicationId, 'integer')}`;

interface Query {
  text: string;
  values: unknown[];
  /** For the rows of one list: gives the JSON of each, the first one first. */
  openReader(): (row: Row) => string;
}

/** Texts by the names of columns. */
type Row = Record<string, string | null>;

/** Rows are chosen and put in order inside, and made JSON outside, as they are fetched: a sort never holds their JSON. */
function select(record: RecordClass, query: ListQuery, also?: Condition, keys?: readonly number[]): Query {
  const statement = new Statement();
  const { chosen, order } = choose(statement, record, query, also, keys);
  const json = jsonOf(query.shape, 'chosen', statement);
  const text = `select ${json}::text as json from (${chosen}) chosen order by ${order}`;
  return {
    text,
    values: statement.values,
    openReader:
      () =>
      ({ json }) =>
        json!,
  };
}

/** The same, with records that stand in many rows written once. */
function selectSharing(record: RecordClass, query: ListQuery): Query {
  const statement = new Statement();
  const areAll = !query.filter && query.top === undefined && !query.skip;
  const shared = new SharedJson(record, statement, areAll);
  const { chosen, order } = choose(statement, record, query);
  const json = jsonOf(query.shape, 'chosen', statement, { shared });
  if (shared.isEmpty) return select(record, query);
  const columns = [`${json}::text as json`, ...shared.columnsIn('chosen.place = 1')].join(', ');
  const numbered = `select *, row_number() over (order by ${order}) as place from chosen`;
  const text = `with chosen as materialized (${chosen}), ${shared.parts.join(', ')} select ${columns} from (${numbered}) chosen order by ${order}`;
  return { text, values: statement.values, openReader: () => shared.filler() };
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

async function* stream({ reads }: Context, { text, values, openReader }: Query): AsyncGenerator<string[]> {
  const read = openReader();
  for await (const batch of reads.stream<Row>(text, values, batchRows)) yield batch.map(read);
}

/**
 * Reads applications and their mappings for REST: each record as JSON, streamed from one cursor. A list of any length is one
 * statement, with one more for the catalogue version of its ETag and one for a count.
 */
import type { Context } from '../../context.js';
import { BatchColumns, type BatchRow } from '../../engine/listStatement.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import { comparableVersion, versionStatement } from '../../entities/catalogueVersion.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { notFound } from '../../errors.js';
import { permit } from '../permit.js';
import { conditionSql, type Expression, itVariable, type Literal, type PropertyType } from './expression.js';
import { columnsOf, jsonOf, type ListShape, listedShape, listSql } from './listShape.js';
import { Ordering, type OrderTerm } from './ordering.js';
import { Rows, Statement } from './select.js';

/** The catalogue version, read before a list, so that the list is never older than its version. */
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

export interface ListQuery {
  shape: ListShape;
  filter?: Expression | undefined;
  orderBy?: readonly OrderTerm[];
  top?: number | undefined;
  skip?: number | undefined;
}

/** Texts of JSON objects; or, in UTF-8, each after a comma. */
export type JsonBatch = string[] | Buffer;
/** Batches of records. Reading begins with the first batch; leaving the loop closes the cursor. */
export type JsonBatches = AsyncIterable<JsonBatch>;

/** Records in a batch, of about ten kilobytes each. Larger batches are not faster and create more garbage. */
const batchSize = 10;

/** The applications, by default in the order of their numbers. */
export function listApplications(context: Context, query: ListQuery): JsonBatches {
  permit(context, 'admin:read');
  const cached = statements.get(query) ?? selectList(Application, query);
  statements.set(query, cached);
  return cached(context);
}

/** Lists of applications by query: one without options is always the same. */
const statements = new WeakMap<ListQuery, Read>();

type Read = (context: Context) => JsonBatches;

/** Records with lists are read as columns of bytes (docs/decisions/0014), others as rows of JSON. */
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
  const filter = applicationFilter(applicationId, query.filter);
  return streamRows(context, selectRows(AccessScopeApplicationsMapper, { ...query, filter }));
}

/** Mappings by their numbers, in that order. */
export function listMappingsByKey(context: Context, keys: readonly number[]): JsonBatches {
  permit(context, 'admin:read');
  const shape = listedShape(AccessScopeApplicationsMapper);
  return streamRows(context, selectRows(AccessScopeApplicationsMapper, { shape }, keys));
}

/** The number of applications that match the filter. */
export function countApplications(context: Context, { filter }: ListQuery): Promise<number> {
  permit(context, 'admin:read');
  return count(context, Application, filter);
}

/** The number of mappings of the application that match the filter. */
export function countMappings(context: Context, applicationId: number, { filter }: ListQuery): Promise<number> {
  permit(context, 'admin:read');
  return count(context, AccessScopeApplicationsMapper, applicationFilter(applicationId, filter));
}

/** One application as JSON text. Throws NOT_FOUND. */
export async function getApplication(context: Context, applicationGuid: string): Promise<string> {
  permit(context, 'admin:read');
  const filter = equals('uuid', 'applicationGuid', { kind: 'literal', type: 'uuid', value: applicationGuid });
  const { text, values } = selectRows(Application, { shape: listedShape(Application), filter });
  const [row] = await context.reads.rows<JsonRow>(text, values);
  if (!row) throw notFound('The application');
  return row.json;
}

/** The records whose field has the value. */
const equals = (type: PropertyType, property: string, right: Literal): Expression => ({
  kind: 'compare',
  operator: 'eq',
  left: { kind: 'path', root: itVariable, navigations: [], property, type, nullable: false },
  right,
});

function applicationFilter(applicationId: number, filter: Expression | undefined): Expression {
  const literal: Literal = { kind: 'literal', type: 'number', value: applicationId, text: `${applicationId}` };
  const own = equals('integer', 'applicationId', literal);
  return filter ? { kind: 'and', left: own, right: filter } : own;
}

interface Query {
  text: string;
  values: unknown[];
}
interface JsonRow {
  json: string;
}

/** The inner query selects and sorts the rows, the outer one makes JSON as they are fetched, so that a sort never contains JSON. */
function selectRows(record: RecordClass, query: ListQuery, keys?: readonly number[]): Query {
  const statement = new Statement();
  const { chosen, order } = choose(statement, record, query, keys);
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
  const columns = new BatchColumns(listSql(statement), query.shape, areAll);
  return { text: columns.text({ chosen, order, batchSize }), values: statement.values, columns };
}

async function* streamColumns({ reads }: Context, { text, values, columns }: ColumnsQuery): JsonBatches {
  const write = columns.openWriter();
  for await (const rows of reads.stream<BatchRow>(text, values, 1, 'binary')) for (const row of rows) yield* write(row);
}

/** SQL of the listed rows, with the columns for their order and their JSON. @param keys the order of the rows */
function choose(
  statement: Statement,
  record: RecordClass,
  { shape, filter, orderBy = [], top, skip }: ListQuery,
  keys?: readonly number[],
): { chosen: string; order: string } {
  const rows = new Rows(statement, record);
  const key = describe(record).primaryKey.column;
  const ordering = new Ordering(rows, orderBy);
  const condition = filter && conditionSql(filter, rows);
  const columns = [...new Set([key, ...columnsOf(shape)])].map((column) => `${rows.alias}.${column}`);
  for (const [index, { expression, isKey }] of ordering.terms.entries())
    if (!isKey) columns.push(`${expression} as order${index}`);
  let from = rows.from();
  let inside = ordering.text();
  let outside = ordering.text({ expressionOf: ({ isKey }, index) => `chosen.${isKey ? key : `order${index}`}` });
  if (keys) {
    columns.push('given.place');
    [inside, outside] = ['given.place', 'chosen.place'];
    from = `unnest(${statement.bind(keys, 'integer[]')}) with ordinality given (key, place) join ${from} on ${rows.alias}.${key} = given.key`;
  }
  const chosen = [`select ${columns.join(', ')} from ${from}`];
  if (condition) chosen.push(`where ${condition}`);
  chosen.push(`order by ${inside}`);
  if (top !== undefined) chosen.push(`limit ${statement.bind(top, 'bigint')}`);
  if (skip) chosen.push(`offset ${statement.bind(skip, 'bigint')}`);
  return { chosen: chosen.join(' '), order: outside };
}

async function count({ reads }: Context, record: RecordClass, filter: Expression | undefined): Promise<number> {
  const rows = new Rows(new Statement(), record);
  const where = filter ? ` where ${conditionSql(filter, rows)}` : '';
  const statement = `select count(*) from ${rows.from()}${where}`;
  const [row] = await reads.rows<{ count: string }>(statement, rows.statement.values);
  return Number(row!.count);
}

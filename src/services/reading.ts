/**
 * Reads of records for the graph: plain rows with only the columns asked for, to-one relations joined, no entities.
 * Whatever the number of parents, a page of each is one statement. Permission is asked for every record touched.
 */
import type { Context } from '../context.js';
import { describe, fieldOf, type RecordClass } from '../entities/fields.js';
import { badInput, type Problems } from '../errors.js';
import { filterCondition, type RecordFilter } from './recordFilter.js';
import { type RecordOrder, RowOrder } from './rowOrder.js';
import { Binds, columnAt, Joins, Projection, type Row, type Selection, sqlTypes } from './rowQuery.js';

export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  filter?: RecordFilter | null;
  orderBy?: RecordOrder[] | null;
}

/** What is asked of a connection: nothing else is read. */
export interface PageWish {
  /** Of the nodes; undefined: none are asked for. */
  nodes: Selection | undefined;
  cursors: boolean;
  totalCount: boolean;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

export interface Page {
  rows: Row[];
  cursors: string[];
  totalCount?: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** The parents whose pages are asked for: values of `field` of the records read. */
export interface Parents {
  field: string;
  keys: readonly unknown[];
}

/** Without `first` and `last`. */
export const pageSizeDefault = 100;

/** The record whose field has each of the keys. */
export async function readByKeys(
  context: Context,
  selection: Selection,
  field: string,
  keys: readonly unknown[],
): Promise<Map<unknown, Row>> {
  const wanted = { ...selection, fields: new Set(selection.fields).add(field) };
  const projection = new Projection(context, wanted);
  const { table } = describe(selection.record);
  const place = { alias: 't', record: selection.record };
  const type = sqlTypes[fieldOf(selection.record, field).type];
  const { columns, joins } = projection.outer();
  const rows = await context.reads.rows<Row>(
    `select ${columns.join(', ')} from (select ${projection.inner(place).join(', ')} from ${table} t where ${columnAt(place, field)} = any($1::${type}[])) p ${joins}`,
    [keys],
  );
  projection.nest(rows);
  return new Map(rows.map((row) => [row[field], row]));
}

/** A page for each of the parents, in their order; without parents one page of all records. */
export async function readPages(
  context: Context,
  record: RecordClass,
  given: PageArguments,
  wish: PageWish,
  parents?: Parents,
): Promise<Page[]> {
  const request: Request = { context, record, given, wish, parents, ...requirePageSize(context, given) };
  const [rows, counts, beyond] = await Promise.all([readRows(request), readCounts(request), readBeyond(request)]);
  return (parents?.keys ?? [null]).map((_, index) => {
    const { rows: found, cursors } = rows[index]!;
    const hasMore = found.length > request.size;
    if (hasMore) {
      found.pop();
      cursors.pop();
    }
    if (request.backwards) {
      found.reverse();
      cursors.reverse();
    }
    const onOtherSide = beyond.has(index);
    return {
      rows: found,
      cursors,
      ...(wish.totalCount && { totalCount: counts.get(index) ?? 0 }),
      hasNextPage: request.backwards ? onOtherSide : hasMore,
      hasPreviousPage: request.backwards ? hasMore : onOtherSide,
    };
  });
}

interface Request {
  context: Context;
  record: RecordClass;
  given: PageArguments;
  wish: PageWish;
  parents: Parents | undefined;
  size: number;
  backwards: boolean;
}

function requirePageSize({ config }: Context, { first, last }: PageArguments): { size: number; backwards: boolean } {
  const problems: Problems = {};
  const pageSizeMax = config.graphqlPageSizeMax;
  for (const [name, value] of Object.entries({ first, last }))
    if (typeof value === 'number' && (value < 0 || value > pageSizeMax))
      problems[name] = [`A page has from 0 to ${pageSizeMax} records.`];
  if (typeof first === 'number' && typeof last === 'number') problems.last = ['Not together with first.'];
  if (Object.keys(problems).length > 0) throw badInput(problems);
  return { size: first ?? last ?? Math.min(pageSizeDefault, pageSizeMax), backwards: typeof last === 'number' };
}

/** The parts that the statements about one connection share. */
function begin({ context, record, given, parents }: Request) {
  const binds = new Binds();
  const place = { alias: 't', record };
  const joins = new Joins(context, place);
  const conditions: string[] = [];
  let keys = '';
  if (parents) {
    const { type } = fieldOf(record, parents.field);
    keys = `unnest(${binds.add(parents.keys, `${sqlTypes[type]}[]`)}) with ordinality as k (key, n)`;
    conditions.push(`${columnAt(place, parents.field)} = k.key`);
  }
  const filter = filterCondition(binds, joins, given.filter);
  if (filter) conditions.push(`(${filter})`);
  return { binds, place, joins, conditions, keys, table: describe(record).table };
}

interface Found {
  rows: Row[];
  cursors: string[];
}

async function readRows(request: Request): Promise<Found[]> {
  const { context, record, given, wish, parents, size, backwards } = request;
  const pages: Found[] = (parents?.keys ?? [null]).map(() => ({ rows: [], cursors: [] }));
  const looksFurther = backwards ? wish.hasPreviousPage : wish.hasNextPage;
  const { binds, place, joins, conditions, keys, table } = begin(request);
  const order = new RowOrder(joins, given.orderBy);
  if (given.after) conditions.push(order.beyond(binds, given.after, 'after'));
  if (given.before) conditions.push(order.beyond(binds, given.before, 'before'));
  const selection = wish.nodes ?? { record, fields: new Set<string>(), toOne: new Map() };
  const projection = new Projection(context, selection);
  const limit = size + Number(looksFurther);
  if (limit === 0 || !(wish.nodes || wish.cursors || looksFurther)) return pages;
  const by = order.text(backwards);
  const inner = [
    ...projection.inner(place),
    ...(wish.cursors ? order.columns() : []),
    `(row_number() over (order by ${by}))::int as "rank"`,
  ];
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const page = `(select ${inner.join(', ')} from ${table} t ${joins.text()} ${where} order by ${by} limit ${binds.add(limit, 'int')}) p`;
  const { columns, joins: outer } = projection.outer();
  const ordering = wish.cursors ? order.terms.map((_, index) => `p."o${index}"`) : [];
  const list = [...columns, ...ordering, 'p."rank"', ...(parents ? ['k.n::int as "n"'] : [])];
  const from = parents ? `${keys} cross join lateral ${page}` : page;
  const rows = await context.reads.rows<Row>(`select ${list.join(', ')} from ${from} ${outer}`, binds.values);
  projection.nest(rows);
  for (const row of rows) {
    const target = pages[parents ? (row.n as number) - 1 : 0]!;
    const index = (row.rank as number) - 1;
    target.rows[index] = row;
    if (wish.cursors) target.cursors[index] = order.cursorOf(row);
  }
  return pages;
}

/** How many records each parent has in all, by the parent's place. */
async function readCounts(request: Request): Promise<Map<number, number>> {
  if (!request.wish.totalCount) return new Map();
  const { binds, joins, conditions, keys, table } = begin(request);
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const from = `${table} t ${joins.text()} ${where}`;
  const text = request.parents
    ? `select k.n::int as n, total from ${keys} cross join lateral (select count(*)::int as total from ${from}) counted`
    : `select 1 as n, count(*)::int as total from ${from}`;
  const rows = await request.context.reads.rows<{ n: number; total: number }>(text, binds.values);
  return new Map(rows.map(({ n, total }) => [n - 1, total]));
}

/** The places of the parents that have records on the other side of the cursor. */
async function readBeyond(request: Request): Promise<Set<number>> {
  const { given, wish, backwards } = request;
  const cursor = backwards ? given.before : given.after;
  if (!cursor || !(backwards ? wish.hasNextPage : wish.hasPreviousPage)) return new Set();
  const { binds, joins, conditions, keys, table } = begin(request);
  const order = new RowOrder(joins, given.orderBy);
  conditions.push(`(${order.beyond(binds, cursor, backwards ? 'before' : 'after')}) is not true`);
  const exists = `exists (select 1 from ${table} t ${joins.text()} where ${conditions.join(' and ')})`;
  const text = request.parents ? `select k.n::int as n from ${keys} where ${exists}` : `select 1 as n where ${exists}`;
  const rows = await request.context.reads.rows<{ n: number }>(text, binds.values);
  return new Set(rows.map(({ n }) => n - 1));
}

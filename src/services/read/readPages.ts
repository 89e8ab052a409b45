/**
 * Reads pages of records for GraphQL, with filter, ordering and cursors: plain rows with only the selected columns, to-one
 * relations joined, no entities. The pages of any number of parents are one statement. The permission of every record is checked.
 */
import type { Context } from '../../context.js';
import { describe, fieldOf, type RecordClass } from '../../entities/description.js';
import { badInput, type Problems } from '../../errors.js';
import { permit } from '../permit.js';
import { conditionSql } from './expression.js';
import { type RecordFilter, type RecordOrder, readRecordFilter, readRecordOrders } from './graphInputs.js';
import { Ordering } from './ordering.js';
import { type FurtherColumn, Page, Projection, type ResultSet, readResultSet } from './projection.js';
import { columnAt, namedRows, type Row, type Rows, type Selection, Statement, sqlTypes } from './select.js';

export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  /** The number of records to skip; only with `first`. */
  offset?: number | null;
  filter?: RecordFilter | null;
  orderBy?: RecordOrder[] | null;
}

/** The requested parts of a connection; nothing else is read. */
export interface ConnectionSelection {
  /** Undefined if the query selects no nodes. */
  nodes: Selection | undefined;
  cursors: boolean;
  totalCount: boolean;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** The parents whose pages are requested, as values of `field` of the records. */
interface Parents {
  field: string;
  keys: readonly unknown[];
}

/** Without `first` and `last`. */
export const pageSizeDefault = 100;

/** The record whose field has each of the keys. @param isOwn they are the caller's own, which needs no permission; their related records do */
export async function readByKeys(
  context: Context,
  selection: Selection,
  field: string,
  keys: readonly unknown[],
  { isOwn = false } = {},
): Promise<Map<unknown, Row>> {
  const withKey = { ...selection, fields: new Set(selection.fields).add(field) };
  const projection = new Projection(context, withKey, { isOwn });
  const { table } = describe(selection.record);
  const type = sqlTypes[fieldOf(selection.record, field).type];
  const columns = projection.inner({ record: selection.record, alias: 't' }).join(', ');
  const statement = `select ${columns} from ${table} t where ${columnAt(selection.record, 't', field)} = any($1::${type}[])`;
  const { rows } = await readResultSet(context, projection, projection.text(statement), [keys]);
  return new Map(rows.map((row) => [row[field], row]));
}

/** SQL condition on the records; its text contains no input. */
export type Condition = (statement: Statement, alias: string) => string;

/** A page for each parent, in their order; without parents one page of all records, or of those that meet a condition. */
export async function readPages(
  context: Context,
  record: RecordClass,
  page: PageArguments,
  wish: ConnectionSelection,
  { parents, condition }: { parents?: Parents; condition?: Condition } = {},
): Promise<Page[]> {
  const request: Request = { context, record, page, wish, parents, condition, ...requirePageSize(context, page) };
  const [rows, counts, beyond] = await Promise.all([readRows(request), readCounts(request), readBeyond(request)]);
  return (parents?.keys ?? [null]).map((_, index) => {
    const members = rows.pages[index]!;
    const hasMore = members.length > request.size;
    if (hasMore) members.pop();
    if (request.backwards) members.reverse();
    const onOtherSide = beyond.has(index);
    const place = {
      ...(wish.totalCount && { totalCount: counts.get(index) ?? 0 }),
      hasNextPage: request.backwards ? onOtherSide : hasMore,
      hasPreviousPage: request.backwards ? hasMore : onOtherSide || (page.offset ?? 0) > 0,
    };
    return new Page(place, members, rows.records);
  });
}

interface Request {
  context: Context;
  record: RecordClass;
  page: PageArguments;
  wish: ConnectionSelection;
  parents: Parents | undefined;
  condition: Condition | undefined;
  size: number;
  backwards: boolean;
}

function requirePageSize(
  { config }: Context,
  { first, after, last, before, offset }: PageArguments,
): { size: number; backwards: boolean } {
  const problems: Problems = {};
  const pageSizeMax = config.graphqlPageSizeMax;
  for (const [name, value] of Object.entries({ first, last }))
    if (typeof value === 'number' && (value < 0 || value > pageSizeMax))
      problems[name] = [`A page has from 0 to ${pageSizeMax} records.`];
  if (typeof first === 'number' && typeof last === 'number') problems.last = ['Cannot be combined with first.'];
  if (typeof offset === 'number' && (offset < 0 || after || last || before))
    problems.offset = ['The offset must be 0 or more, and cannot be combined with after, last and before.'];
  if (Object.keys(problems).length > 0) throw badInput(problems);
  return { size: first ?? last ?? Math.min(pageSizeDefault, pageSizeMax), backwards: typeof last === 'number' };
}

/** The parts that the statements of one connection share. */
function begin({ context, record, page, parents, condition }: Request) {
  const statement = new Statement((joined) => permit(context, describe(joined).readWith));
  const rows = namedRows(statement, record, 't');
  const conditions: string[] = [];
  let keys = '';
  if (parents) {
    const { type } = fieldOf(record, parents.field);
    keys = `unnest(${statement.bind(parents.keys, `${sqlTypes[type]}[]`)}) with ordinality as k (key, n)`;
    conditions.push(`${rows.column([], parents.field)} = k.key`);
  }
  if (condition) conditions.push(condition(statement, rows.alias));
  if (page.filter)
    conditions.push(conditionSql(readRecordFilter(record, page.filter, statement.requireReadable), rows));
  return { statement, rows, conditions, keys };
}

const orderingOf = (rows: Rows, { orderBy }: PageArguments): Ordering =>
  new Ordering(rows, orderBy ? readRecordOrders(rows.record, orderBy) : []);

interface PageRows {
  records?: ResultSet;
  /** For each parent the numbers of its records, in order. */
  pages: number[][];
}

async function readRows(request: Request): Promise<PageRows> {
  const { context, record, page: given, wish, parents, size, backwards } = request;
  const pages: PageRows['pages'] = (parents?.keys ?? [null]).map(() => []);
  const looksFurther = backwards ? wish.hasPreviousPage : wish.hasNextPage;
  const { statement, rows, conditions, keys } = begin(request);
  const order = orderingOf(rows, given);
  if (given.after) conditions.push(order.beyond(statement, given.after, 'after'));
  if (given.before) conditions.push(order.beyond(statement, given.before, 'before'));
  const selection = wish.nodes ?? { record, fields: new Set<string>(), toOne: new Map() };
  const projection = new Projection(context, selection);
  const limit = size + Number(looksFurther);
  if (limit === 0 || !(wish.nodes || wish.cursors || looksFurther)) return { pages };
  const by = order.text({ backwards });
  const inner = [...projection.inner(rows), ...(wish.cursors ? order.columns() : [])];
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const page = `select ${inner.join(', ') || 'null'} from ${rows.from()} ${where} order by ${by} limit ${statement.bind(limit, 'int')}${given.offset ? ` offset ${statement.bind(given.offset, 'int')}` : ''}`;
  const further: FurtherColumn[] = [];
  if (parents) further.push({ name: 'n', type: 'integer', nullable: false });
  if (wish.cursors)
    further.push(...order.terms.map(({ field: { type }, nullable }, index) => ({ name: `o${index}`, type, nullable })));
  const perParent = parents ? `select p.*, k.n::int as "n" from ${keys} cross join lateral (${page}) p` : page;
  const records = await readResultSet(context, projection, projection.text(perParent, further), statement.values);
  if (wish.cursors) records.cursors = order.cursorsOf((name) => records.values(name));
  const numbers = parents && (records.values('n') as number[]);
  // parents are in their order, and the records of each in theirs, because only aggregates follow the page's order
  for (let member = 0; member < records.count; member++) pages[numbers ? numbers[member]! - 1 : 0]!.push(member);
  return { records, pages };
}

/** The total number of records of each parent, by the parent's index. */
async function readCounts(request: Request): Promise<Map<number, number>> {
  if (!request.wish.totalCount) return new Map();
  const { statement, rows, conditions, keys } = begin(request);
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const from = `${rows.from()} ${where}`;
  const text = request.parents
    ? `select k.n::int as n, total from ${keys} cross join lateral (select count(*)::int as total from ${from}) counted`
    : `select 1 as n, count(*)::int as total from ${from}`;
  const counts = await request.context.reads.rows<{ n: number; total: number }>(text, statement.values);
  return new Map(counts.map(({ n, total }) => [n - 1, total]));
}

/** The indexes of the parents that have records on the other side of the cursor. */
async function readBeyond(request: Request): Promise<Set<number>> {
  const { page, wish, backwards } = request;
  const cursor = backwards ? page.before : page.after;
  if (!cursor || !(backwards ? wish.hasNextPage : wish.hasPreviousPage)) return new Set();
  const { statement, rows, conditions, keys } = begin(request);
  const order = orderingOf(rows, page);
  conditions.push(`(${order.beyond(statement, cursor, backwards ? 'before' : 'after')}) is not true`);
  const exists = `exists (select 1 from ${rows.from()} where ${conditions.join(' and ')})`;
  const text = request.parents ? `select k.n::int as n from ${keys} where ${exists}` : `select 1 as n where ${exists}`;
  const counts = await request.context.reads.rows<{ n: number }>(text, statement.values);
  return new Set(counts.map(({ n }) => n - 1));
}

/** A page of records in memory: those of a dry run, which are no longer in the database. */
class MemoryPage extends Page {
  constructor(
    private readonly records: readonly Row[],
    private readonly start: number,
    total: number,
  ) {
    super({ totalCount: total, hasNextPage: start + records.length < total, hasPreviousPage: start > 0 });
  }

  override get cursors(): string[] {
    return this.records.map((_, index) => cursorAt(this.start + index));
  }

  override get nodes(): Row[] {
    return [...this.records];
  }
}

const cursorAt = (index: number): string => Buffer.from(JSON.stringify(['dry run', index])).toString('base64url');

/** The page of a list that is counted as a whole: by cursor or offset. */
interface SliceArguments {
  first?: number | null;
  after?: string | null;
  offset?: number | null;
}

/** The start of a page of such a list, and its size. Throws BAD_USER_INPUT. */
export function requireSlice(
  { config: { graphqlPageSizeMax: max } }: Pick<Context, 'config'>,
  { first, after, offset }: SliceArguments,
): { start: number; first: number } {
  const size = first ?? Math.min(pageSizeDefault, max);
  if (size < 0 || size > max) throw badInput({ first: [`A page has from 0 to ${max} records.`] });
  if ((offset ?? 0) < 0) throw badInput({ offset: ['The offset field must be 0 or more.'] });
  if (!after) return { start: offset ?? 0, first: size };
  if (typeof offset === 'number') throw badInput({ offset: ['Cannot be combined with after.'] });
  const place = /^\["dry run",(\d{1,9})\]$/.exec(Buffer.from(after, 'base64url').toString());
  if (!place) throw badInput({ after: ['The cursor is not one of this list.'] });
  return { start: Number(place[1]) + 1, first: size };
}

/** A part of a list: `start` items come before it. */
export interface Slice<Item> {
  items: Item[];
  start: number;
  total: number;
}

/** The part of a list in memory. */
export const sliceFrom = <Item>(all: readonly Item[], { start, first }: { start: number; first: number }) => {
  const slice: Slice<Item> = { items: all.slice(start, start + first), start, total: all.length };
  return slice;
};

export const pageOfSlice = ({ items, start, total }: Slice<object>): Page =>
  new MemoryPage(items as Row[], start, total);

/** A page of all records of a dry run; only forward. Throws BAD_USER_INPUT. */
export function pageInMemory(context: Pick<Context, 'config'>, records: readonly Row[], page: PageArguments): Page {
  const { last, before, filter, orderBy } = page;
  if (last || before || filter || orderBy)
    throw badInput({ $: ['The list of a dry run accepts only first, after and offset.'] });
  return pageOfSlice(sliceFrom(records, requireSlice(context, page)));
}

/** Reads pages of records for GraphQL: filter, ordering, cursors, one statement per relation. */
import type { Context } from '../../context.js';
import { isWrittenInFourDigits } from '../../entities/calendar.js';
import {
  describe,
  type FieldDescription,
  fieldOf,
  fieldsFor,
  type RecordClass,
  type RelationDescription,
  relationsFor,
} from '../../entities/description.js';
import { isGuid } from '../../entities/guid.js';
import { integerMax } from '../../entities/postgresTypes.js';
import { isStorable } from '../../entities/storableText.js';
import { badInput, type Problems } from '../../errors.js';
import { permit } from '../permit.js';
import { type FurtherColumn, Projection } from './projection.js';
import { Page, type ResultSet, readResultSet } from './resultSet.js';
import { columnAt, leadsTo, namedRows, type Row, type Rows, type Selection, Statement, sqlTypes } from './select.js';

/** Filters of a record, as GraphQL's input has them, into a condition; every value is bound. */

export type RecordFilter = { [member: string]: unknown };
type Operators = { [operator: string]: unknown };

const filterNodesMax = 200;
const filterDepthMax = 12;
const listItemsMax = 1_000;

/** Everything about the filter being written. */
interface Writing {
  statement: Statement;
  nodes: number;
  subqueries: number;
  /** How many relations to many the condition being written is inside of. */
  level: number;
}

/** SQL that is true for the records that pass; empty when all do. Throws BAD_USER_INPUT keyed by path. */
export function filterCondition(rows: Rows, filter: RecordFilter | null | undefined, at = 'filter'): string {
  if (!filter) return '';
  return writeFilter({ statement: rows.statement, nodes: 0, subqueries: 0, level: 0 }, rows, filter, at, 0);
}

const refuse = (at: string, problem: string) => badInput({ [at]: [problem] });

function writeFilter(writing: Writing, rows: Rows, filter: RecordFilter, at: string, depth: number): string {
  if (depth > filterDepthMax) throw refuse(at, `A filter has at most ${filterDepthMax} levels.`);
  const conditions: string[] = [];
  const members = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined);
  // an item of a list costs, though it says nothing
  if (members.length === 0) countCondition(writing, at);
  for (const [name, value] of members) {
    countCondition(writing, at);
    const next = (nested: unknown, path: string, of = rows) =>
      writeFilter(writing, of, nested as RecordFilter, path, depth + 1);
    conditions.push(writeMember(writing, rows, name, value, `${at}.${name}`, next));
  }
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}

function countCondition(writing: Writing, at: string): void {
  if (++writing.nodes > filterNodesMax) throw refuse(at, `A filter has at most ${filterNodesMax} conditions.`);
}

type Next = (nested: unknown, path: string, of?: Rows) => string;

function writeMember(writing: Writing, rows: Rows, name: string, value: unknown, at: string, next: Next): string {
  if (name === 'not') return `(${next(value, at)}) is not true`;
  if (name === 'and' || name === 'or') {
    const parts = (value as unknown[]).map((item, index) => `(${next(item, `${at}[${index}]`)})`);
    return parts.length > 0 ? `(${parts.join(` ${name} `)})` : String(name === 'and');
  }
  const relation = relationsFor(rows.record, 'filter').find((candidate) => candidate.name === name);
  if (relation?.kind === 'toOne') return `(${next(value, at, rows.follow(name))})`;
  if (relation) return writeToMany(writing, rows, relation, value as Operators, at, next);
  const field = fieldsFor(rows.record, 'filter').find((candidate) => candidate.name === name);
  if (!field) throw refuse(at, 'There is no such field to filter by.');
  return writeField(writing, rows.column([], field.name), field, value as Operators, at);
}

/** `some`: at least one related record passes; `none`: not one does. */
function writeToMany(
  writing: Writing,
  rows: Rows,
  relation: RelationDescription,
  operators: Operators,
  at: string,
  next: Next,
): string {
  const conditions: string[] = [];
  for (const [operator, nested] of Object.entries(operators)) {
    if (nested === null || nested === undefined) continue;
    const members = namedRows(writing.statement, relation.target(), `s${++writing.subqueries}_`);
    writing.level += 1;
    const passes = next(nested, `${at}.${operator}`, members);
    writing.level -= 1;
    const some = leadsTo(relation, rows, members, passes, writing.level > 0);
    conditions.push(operator === 'none' ? `not ${some}` : some);
  }
  return conditions.length > 0 ? `(${conditions.join(' and ')})` : 'true';
}

function writeField(
  writing: Writing,
  column: string,
  field: FieldDescription,
  operators: Operators,
  at: string,
): string {
  const isText = field.type === 'string';
  const ignoreCase = operators.ignoreCase === true;
  const fold = (text: string) => (ignoreCase ? `lower(${text})` : text);
  const conditions: string[] = [];
  for (const [operator, value] of Object.entries(operators)) {
    if (operator === 'ignoreCase' || value === undefined || (value === null && operator !== 'eq' && operator !== 'ne'))
      continue;
    countCondition(writing, at);
    const path = `${at}.${operator}`;
    const bind = (item: unknown) => fold(writing.statement.bind(checkValue(field, item, path), sqlTypes[field.type]));
    const list = () => {
      const items = (value as unknown[]).filter((item) => item !== null);
      if (items.length > listItemsMax) throw refuse(path, `A list has at most ${listItemsMax} items.`);
      const checked = items.map((item) => checkValue(field, item, path));
      const array = writing.statement.bind(checked, `${sqlTypes[field.type]}[]`);
      return ignoreCase ? `array(select lower(item) from unnest(${array}) item)` : array;
    };
    conditions.push(writeOperator(operator, fold(column), isText, value, bind, list));
  }
  return conditions.length > 0 ? `(${conditions.join(' and ')})` : 'true';
}

const comparisons: { [operator: string]: string } = { gt: '>', ge: '>=', lt: '<', le: '<=' };

function writeOperator(
  operator: string,
  column: string,
  isText: boolean,
  value: unknown,
  bind: (item: unknown) => string,
  list: () => string,
): string {
  switch (operator) {
    case 'eq':
      return value === null ? `${column} is null` : `${column} = ${bind(value)}`;
    case 'ne':
      return value === null ? `${column} is not null` : `${column} is distinct from ${bind(value)}`;
    case 'in':
      return `${column} = any(${list()})`;
    case 'notIn':
      return `(${column} = any(${list()})) is not true`;
    case 'isNull':
      return value ? `${column} is null` : `${column} is not null`;
    case 'contains':
      return `strpos(${column}, ${bind(value)}) > 0`;
    case 'startsWith':
      return `starts_with(${column}, ${bind(value)})`;
    case 'endsWith': {
      // right(x, 0) is empty, as the end of every text
      const end = bind(value);
      return `right(${column}, length(${end})) = ${end}`;
    }
    default:
      // texts compare by code point, as in REST, whatever the database's collation
      return `${column}${isText ? ' collate "C"' : ''} ${comparisons[operator]} ${bind(value)}`;
  }
}

/** A value that the database takes; GraphQL has judged its type already. Throws BAD_USER_INPUT. */
function checkValue(field: FieldDescription, value: unknown, at: string): unknown {
  if (typeof value === 'string' && !isStorable(value)) throw refuse(at, 'The text holds a NUL or a lone surrogate.');
  if (field.type === 'bigint' && !isBigint(String(value))) throw refuse(at, 'A whole number is expected.');
  return value;
}

/**
 * Orderings and the cursors made from them: a cursor is the ordering's values of its row with the primary key, so it
 * stays right while rows come and go. Nulls come first when ascending, last when descending, as in REST.
 */

/** As GraphQL's input has it: one member, a field with its direction or a to-one relation with the same again. */
type RecordOrder = { [member: string]: unknown };

interface Term {
  field: FieldDescription;
  /** The field and the way to it, such as `accessScope.name`; with `-` in front when descending. */
  name: string;
  /** Text compares by code point. */
  expression: string;
  descending: boolean;
  nullable: boolean;
}

const termsMax = 10;

class RowOrder {
  readonly terms: Term[] = [];

  constructor(rows: Rows, orders: readonly RecordOrder[] | null | undefined) {
    for (const [index, order] of (orders ?? []).entries()) {
      const term = readTerm(rows, order, `orderBy[${index}]`);
      if (!this.terms.some(({ expression }) => expression === term.expression)) this.terms.push(term);
    }
    if (this.terms.length > termsMax) throw badInput({ orderBy: [`At most ${termsMax} orderings are taken.`] });
    const { primaryKey } = describe(rows.record);
    const last = readField(rows, primaryKey, 'ASC', primaryKey.name, false);
    if (!this.terms.some(({ expression }) => expression === last.expression)) this.terms.push(last);
  }

  /** For `order by`. */
  text(backwards: boolean): string {
    return this.terms
      .map(({ expression, descending, nullable }) => {
        const down = descending !== backwards;
        return `${expression}${down ? ' desc' : ''}${nullable ? (down ? ' nulls last' : ' nulls first') : ''}`;
      })
      .join(', ');
  }

  /** What a cursor is made of, as columns `o0`, `o1`, …. */
  columns(): string[] {
    return this.terms.map(({ expression }, index) => `${expression} as "o${index}"`);
  }

  /** The cursors of records, from those columns of them. */
  cursorsOf(column: (name: string) => unknown[]): string[] {
    const signature = this.#signature();
    const columns = this.terms.map((_, index) => column(`o${index}`));
    return columns[0]!.map((_, record) => {
      const values = columns.map((values) => values[record]);
      return Buffer.from(JSON.stringify([signature, ...values])).toString('base64url');
    });
  }

  /** SQL that is true for the rows after (or before) the cursor's. Throws BAD_USER_INPUT for a cursor of another ordering. */
  beyond(statement: Statement, cursor: string, side: 'after' | 'before'): string {
    const values = this.#readCursor(cursor, side);
    let same = '';
    const ways: string[] = [];
    this.terms.forEach((term, index) => {
      const { expression, descending, field, nullable } = term;
      const value = values[index];
      const bound = value === null ? 'null' : statement.bind(value, sqlTypes[field.type]);
      // null is less than every value
      const wantsGreater = (side === 'after') !== descending;
      const past = pastValue(expression, bound, value === null, wantsGreater, nullable);
      if (past) ways.push(`${same}${past}`);
      same += value === null ? `${expression} is null and ` : `${expression} = ${bound} and `;
    });
    return ways.length > 0 ? `(${ways.map((way) => `(${way})`).join(' or ')})` : 'false';
  }

  #signature(): string {
    return this.terms.map(({ name }) => name).join();
  }

  #readCursor(cursor: string, side: string): unknown[] {
    let read: unknown;
    try {
      read = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    } catch {
      read = undefined;
    }
    const [signature, ...values] = Array.isArray(read) ? read : [];
    const fits =
      signature === this.#signature() &&
      values.length === this.terms.length &&
      values.every((value, index) => isOfType(this.terms[index]!, value));
    if (!fits) throw badInput({ [side]: ['The cursor is not one of this connection and ordering.'] });
    return values;
  }
}

function pastValue(
  expression: string,
  bound: string,
  isNull: boolean,
  wantsGreater: boolean,
  nullable: boolean,
): string | undefined {
  if (isNull) return wantsGreater ? `${expression} is not null` : undefined;
  if (wantsGreater) return `${expression} > ${bound}`;
  return nullable ? `(${expression} < ${bound} or ${expression} is null)` : `${expression} < ${bound}`;
}

const bigintMax = 2n ** 63n - 1n;
const isWithin = (value: number | bigint, max: number | bigint): boolean => value <= max && -value <= BigInt(max) + 1n;

/** Whether a text is a whole number that PostgreSQL's bigint holds. */
const isBigint = (text: string): boolean => /^-?\d{1,19}$/.test(text) && isWithin(BigInt(text), bigintMax);

function isOfType({ field, nullable }: Term, value: unknown): boolean {
  if (value === null) return nullable;
  if (field.type === 'integer') return Number.isInteger(value) && isWithin(value as number, integerMax);
  if (field.type === 'boolean') return typeof value === 'boolean';
  if (typeof value !== 'string' || !isStorable(value)) return false;
  if (field.type === 'bigint') return isBigint(value);
  if (field.type === 'uuid') return isGuid(value);
  return field.type !== 'dateTime' || isTime(value);
}

/** Whether the text is how a time is written in cursors, of a day that there is. */
function isTime(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text && isWrittenInFourDigits(time);
}

function readTerm(rows: Rows, order: RecordOrder, at: string, way = '', optional = false): Term {
  const members = Object.entries(order).filter(([, value]) => value !== null && value !== undefined);
  const [member] = members;
  if (!member || members.length > 1) throw badInput({ [at]: ['Exactly one member is expected.'] });
  const [name, value] = member;
  const relation = relationsFor(rows.record, 'filter').find((candidate) => candidate.name === name);
  if (relation?.kind === 'toOne') {
    const nullable = optional || relation.nullable;
    return readTerm(rows.follow(name), value as RecordOrder, `${at}.${name}`, `${way}${name}.`, nullable);
  }
  const field = fieldsFor(rows.record, 'filter').find((candidate) => candidate.name === name);
  if (!field) throw badInput({ [`${at}.${name}`]: ['There is no such field to order by.'] });
  return readField(rows, field, value, `${way}${name}`, optional);
}

function readField(rows: Rows, field: FieldDescription, direction: unknown, way: string, optional: boolean): Term {
  const descending = direction === 'DESC';
  const column = rows.column([], field.name);
  return {
    field,
    name: descending ? `-${way}` : way,
    expression: field.type === 'string' ? `${column} collate "C"` : column,
    descending,
    nullable: optional || field.nullable,
  };
}

/**
 * Reads of records for the graph: plain rows with only the columns asked for, to-one relations joined, no entities.
 * Whatever the number of parents, a page of each is one statement. Permission is asked for every record touched.
 */

export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  filter?: RecordFilter | null;
  orderBy?: RecordOrder[] | null;
}

/** What is asked of a connection: nothing else is read. */
export interface ConnectionSelection {
  /** Of the nodes; undefined: none are asked for. */
  nodes: Selection | undefined;
  cursors: boolean;
  totalCount: boolean;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** The parents whose pages are asked for: values of `field` of the records read. */
interface Parents {
  field: string;
  keys: readonly unknown[];
}

/** Without `first` and `last`. */
export const pageSizeDefault = 100;

/**
 * The record whose field has each of the keys.
 * @param isOwn they are the caller's own, which needs no permission; what they lead to does
 */
export async function readByKeys(
  context: Context,
  selection: Selection,
  field: string,
  keys: readonly unknown[],
  { isOwn = false } = {},
): Promise<Map<unknown, Row>> {
  const wanted = { ...selection, fields: new Set(selection.fields).add(field) };
  const projection = new Projection(context, wanted, { isOwn });
  const { table } = describe(selection.record);
  const type = sqlTypes[fieldOf(selection.record, field).type];
  const columns = projection.inner({ record: selection.record, alias: 't' }).join(', ');
  const found = `select ${columns} from ${table} t where ${columnAt(selection.record, 't', field)} = any($1::${type}[])`;
  const { rows } = await readResultSet(context, projection, projection.text(found), [keys]);
  return new Map(rows.map((row) => [row[field], row]));
}

/** SQL that is true for the records that are in question at all; nothing from outside is in its text. */
export type Condition = (statement: Statement, alias: string) => string;

/** A page for each of the parents, in their order; without parents one page of all records, or of those of a condition. */
export async function readPages(
  context: Context,
  record: RecordClass,
  given: PageArguments,
  wish: ConnectionSelection,
  { parents, condition }: { parents?: Parents; condition?: Condition } = {},
): Promise<Page[]> {
  const request: Request = { context, record, given, wish, parents, condition, ...requirePageSize(context, given) };
  const [found, counts, beyond] = await Promise.all([readRows(request), readCounts(request), readBeyond(request)]);
  return (parents?.keys ?? [null]).map((_, index) => {
    const members = found.pages[index]!;
    const hasMore = members.length > request.size;
    if (hasMore) members.pop();
    if (request.backwards) members.reverse();
    const onOtherSide = beyond.has(index);
    const place = {
      ...(wish.totalCount && { totalCount: counts.get(index) ?? 0 }),
      hasNextPage: request.backwards ? onOtherSide : hasMore,
      hasPreviousPage: request.backwards ? hasMore : onOtherSide,
    };
    return new Page(place, members, found.records);
  });
}

interface Request {
  context: Context;
  record: RecordClass;
  given: PageArguments;
  wish: ConnectionSelection;
  parents: Parents | undefined;
  condition: Condition | undefined;
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
function begin({ context, record, given, parents, condition }: Request) {
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
  const filter = filterCondition(rows, given.filter);
  if (filter) conditions.push(`(${filter})`);
  return { statement, rows, conditions, keys };
}

interface PageRows {
  records?: ResultSet;
  /** Of each parent: the numbers of its records, in their order. */
  pages: number[][];
}

async function readRows(request: Request): Promise<PageRows> {
  const { context, record, given, wish, parents, size, backwards } = request;
  const pages: PageRows['pages'] = (parents?.keys ?? [null]).map(() => []);
  const looksFurther = backwards ? wish.hasPreviousPage : wish.hasNextPage;
  const { statement, rows, conditions, keys } = begin(request);
  const order = new RowOrder(rows, given.orderBy);
  if (given.after) conditions.push(order.beyond(statement, given.after, 'after'));
  if (given.before) conditions.push(order.beyond(statement, given.before, 'before'));
  const selection = wish.nodes ?? { record, fields: new Set<string>(), toOne: new Map() };
  const projection = new Projection(context, selection);
  const limit = size + Number(looksFurther);
  if (limit === 0 || !(wish.nodes || wish.cursors || looksFurther)) return { pages };
  const by = order.text(backwards);
  const inner = [...projection.inner(rows), ...(wish.cursors ? order.columns() : [])];
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const page = `select ${inner.join(', ') || 'null'} from ${rows.from()} ${where} order by ${by} limit ${statement.bind(limit, 'int')}`;
  const further: FurtherColumn[] = [];
  if (parents) further.push({ name: 'n', type: 'integer', nullable: false });
  if (wish.cursors)
    further.push(...order.terms.map(({ field: { type }, nullable }, index) => ({ name: `o${index}`, type, nullable })));
  const found = parents ? `select p.*, k.n::int as "n" from ${keys} cross join lateral (${page}) p` : page;
  const records = await readResultSet(context, projection, projection.text(found, further), statement.values);
  if (wish.cursors) records.cursors = order.cursorsOf((name) => records.values(name));
  const numbers = parents && (records.values('n') as number[]);
  // parents come in their order, and the records of each in theirs: nothing but the aggregates is above the page's own order
  for (let member = 0; member < records.count; member++) pages[numbers ? numbers[member]! - 1 : 0]!.push(member);
  return { records, pages };
}

/** How many records each parent has in all, by the parent's place. */
async function readCounts(request: Request): Promise<Map<number, number>> {
  if (!request.wish.totalCount) return new Map();
  const { statement, rows, conditions, keys } = begin(request);
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const from = `${rows.from()} ${where}`;
  const text = request.parents
    ? `select k.n::int as n, total from ${keys} cross join lateral (select count(*)::int as total from ${from}) counted`
    : `select 1 as n, count(*)::int as total from ${from}`;
  const found = await request.context.reads.rows<{ n: number; total: number }>(text, statement.values);
  return new Map(found.map(({ n, total }) => [n - 1, total]));
}

/** The places of the parents that have records on the other side of the cursor. */
async function readBeyond(request: Request): Promise<Set<number>> {
  const { given, wish, backwards } = request;
  const cursor = backwards ? given.before : given.after;
  if (!cursor || !(backwards ? wish.hasNextPage : wish.hasPreviousPage)) return new Set();
  const { statement, rows, conditions, keys } = begin(request);
  const order = new RowOrder(rows, given.orderBy);
  conditions.push(`(${order.beyond(statement, cursor, backwards ? 'before' : 'after')}) is not true`);
  const exists = `exists (select 1 from ${rows.from()} where ${conditions.join(' and ')})`;
  const text = request.parents ? `select k.n::int as n from ${keys} where ${exists}` : `select 1 as n where ${exists}`;
  const found = await request.context.reads.rows<{ n: number }>(text, statement.values);
  return new Set(found.map(({ n }) => n - 1));
}

/** Streams a REST list: statement, batches and bytes, with the catalogue version of its ETag. */
import type { Context } from '../../context.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import { comparableVersion, versionStatement } from '../../entities/CatalogueVersion.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { notFound } from '../../errors.js';
import { permit } from '../permit.js';
import { columnOf } from './columns.js';
import { copy, integersOf, jsonColumn, type Literal, literal, roomBytes, type Texts, viewOf } from './jsonColumns.js';
import {
  BatchColumns,
  type BatchRow,
  batchSizeOf,
  columnsOf,
  jsonOf,
  type List,
  listedShape,
  placesIn,
  readTexts,
  type Shape,
  type SharedRecords,
} from './listStatement.js';
import type { Part } from './projection.js';
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

/** The lists of one kind that the records of a batch hold, such as the mappings of each application, as JSON in UTF-8. */

/** What a record says: the same bytes before, then a text of its own or a shared one. */
interface Member {
  before: Literal;
  texts: Texts;
  shared?: SharedTexts | undefined;
}
interface SharedTexts {
  texts: Texts;
  /** Which one is each record's; -1: none, but its own text. */
  places: Int32Array;
}

const between = literal(', ');

export class ListBytes {
  readonly #members: Member[] = [];
  readonly #after: Literal;
  /** Of what all records say, and what stands between two. */
  readonly #sameLength: number;
  /** By listed record, and one past the last: the first record of its list. */
  readonly #firsts: Int32Array;

  constructor(row: BatchRow, list: List, shared: ReadonlyMap<string, SharedRecords>) {
    const { part, shape } = list;
    let same = '{';
    const begin = (key: string): void => {
      same += `${same.endsWith('{') ? '' : ','}"${key}":`;
    };
    const add = (texts: Texts, of?: SharedTexts): void => {
      this.#members.push({ before: literal(same), texts, shared: of });
      same = '';
    };
    for (const { name } of shape.fields) {
      begin(name);
      const { bytes, starts } = jsonColumn(row, part, name);
      add({ view: viewOf(bytes), starts });
    }
    for (const { relation, shape: inner } of shape.relations) {
      begin(relation.name);
      if (!inner) same += 'null';
      else {
        const texts = readTexts(columnOf(row, part, relation.name));
        const records = list.shared.has(relation) ? shared.get(relation.name) : undefined;
        add(texts, records && sharedTexts(texts, keysIn(row, part, relation.from), records));
      }
    }
    this.#after = literal(`${same}}`);
    this.#sameLength = this.#members.reduce(
      (sum, { before }) => sum + before.length,
      this.#after.length + between.length,
    );
    this.#firsts = firstsOf(placesIn(row, part), batchSizeOf(row));
  }

  /** Of the list of a listed record, without its brackets. */
  lengthOf(listed: number): number {
    const [first, end] = [this.#firsts[listed]!, this.#firsts[listed + 1]!];
    if (first === end) return 0;
    let length = (end - first) * this.#sameLength - between.length;
    for (const member of this.#members) {
      const { starts } = member.texts;
      // a byte ends each text
      length += starts[end]! - starts[first]! - (end - first);
      if (!member.shared) continue;
      const { places, texts } = member.shared;
      for (let record = first; record < end; record++) {
        const place = places[record]!;
        if (place >= 0) length += texts.starts[place + 1]! - texts.starts[place]! - 1;
      }
    }
    return length;
  }

  /** Gives the place past the end. */
  write(listed: number, to: DataView, start: number): number {
    const [first, end] = [this.#firsts[listed]!, this.#firsts[listed + 1]!];
    let at = start;
    for (let record = first; record < end; record++) {
      if (record > first) at = copy(between.view, 0, between.length, to, at);
      for (const { before, texts, shared } of this.#members) {
        at = copy(before.view, 0, before.length, to, at);
        const place = shared ? shared.places[record]! : -1;
        at = place < 0 ? copyText(texts, record, to, at) : copyText(shared!.texts, place, to, at);
      }
      at = copy(this.#after.view, 0, this.#after.length, to, at);
    }
    return at;
  }
}

const copyText = ({ view, starts }: Texts, index: number, to: DataView, at: number): number =>
  copy(view, starts[index]!, starts[index + 1]! - 1, to, at);

function firstsOf(places: readonly number[], size: number): Int32Array {
  const firsts = new Int32Array(size + 1);
  for (const place of places) firsts[place + 1]!++;
  for (let place = 0; place < size; place++) firsts[place + 1]! += firsts[place]!;
  return firsts;
}

function keysIn(row: BatchRow, part: Part, field: string): (number | null)[] {
  const sent = columnOf(row, part, field);
  return sent ? integersOf(sent, part.fields.get(field)!) : [];
}

/** @param own of each record; an empty one stands for the shared record of its key */
function sharedTexts(own: Texts, keys: readonly (number | null)[], { texts, places }: SharedRecords): SharedTexts {
  const found = Int32Array.from(keys, (key, record) => {
    if (own.starts[record + 1]! - own.starts[record]! > 1) return -1;
    const place = places.get(key);
    if (place === undefined) throw new Error(`The list lacks the record ${key} that others share.`);
    return place;
  });
  return { texts, places: found };
}

/** A batch of listed records as JSON in UTF-8: bytes of its columns, copied between the keys into one buffer. */

/** A buffer isn't added to when it is as long as that: few applications with many mappings are in one together. */
const pieceBytes = 1024 * 1024;

const listEnd = literal(']');
const recordEnd = literal('}');

/** What a listed record says: keys that are JSON already, or a list. */
type Section = { before: Literal } & ({ own: Texts } | { list: ListBytes });

export class BatchBytes {
  #shared: ReadonlyMap<string, SharedRecords> | undefined;
  readonly #columns: BatchColumns;

  constructor(columns: BatchColumns) {
    this.#columns = columns;
  }

  /** The records, a comma before each, in buffers of one or more. The first batch must come first. */
  *write(row: BatchRow): Generator<Buffer> {
    const parts = this.#partsOf(row);
    const size = batchSizeOf(row);
    for (let start = 0; start < size; ) {
      let end = start;
      let length = 0;
      while (end < size && length < pieceBytes) length += lengthOf(parts, end++);
      const piece = Buffer.allocUnsafe(length + roomBytes);
      const view = viewOf(piece);
      let at = 0;
      for (; start < end; start++) at = write(parts, start, view, at);
      yield piece.subarray(0, at);
    }
  }

  #partsOf(row: BatchRow): Section[] {
    this.#shared ??= this.#columns.shared.read(row);
    const shared = this.#shared;
    return this.#columns.sections.map((section, index): Section => {
      const before = index === 0 ? ',{' : ',';
      if (!('list' in section)) return { before: literal(before), own: readTexts(row[section.column] as Buffer) };
      const key = `${before}"${section.list.relation.name}":[`;
      return { before: literal(key), list: new ListBytes(row, section.list, shared) };
    });
  }
}

function lengthOf(parts: readonly Section[], record: number): number {
  let length = recordEnd.length;
  for (const part of parts) {
    length += part.before.length;
    if ('list' in part) length += part.list.lengthOf(record) + listEnd.length;
    // without its braces, and what ends a text isn't of it
    else length += part.own.starts[record + 1]! - part.own.starts[record]! - 3;
  }
  return length;
}

/** Gives the place past the end. */
function write(parts: readonly Section[], record: number, to: DataView, start: number): number {
  let at = start;
  for (const part of parts) {
    at = copy(part.before.view, 0, part.before.length, to, at);
    if ('list' in part) {
      at = part.list.write(record, to, at);
      at = copy(listEnd.view, 0, listEnd.length, to, at);
    } else at = copy(part.own.view, part.own.starts[record]! + 1, part.own.starts[record + 1]! - 2, to, at);
  }
  return copy(recordEnd.view, 0, recordEnd.length, to, at);
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
  const bytes = new BatchBytes(columns);
  for await (const rows of reads.stream<BatchRow>(text, values, 1, 'binary'))
    for (const row of rows) yield* bytes.write(row);
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

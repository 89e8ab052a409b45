/** The one statement of a REST list, and the JSON of its rows: each row is a batch of listed records. */
import {
  describe,
  type FieldDescription,
  fieldOf,
  type RecordClass,
  type RelationDescription,
} from '../entities/description.js';
import {
  type ColumnType,
  columnOf,
  columnSql,
  columnValues,
  countOf,
  fieldTexts,
  integersOf,
  jsonTextsSql,
  type Part,
  partSql,
  type ResultColumns,
  readJsonTexts,
  roomBytes,
  type Texts,
  viewOf,
} from './columns.js';
import { type RecordBytes, RecordFormat } from './recordBytes.js';

/** Which keys of a record a REST answer has, and which related records it contains (docs/contract/administration.md). */
export interface ListShape {
  record: RecordClass;
  fields: FieldDescription[];
  /** With the shape null, the key is present with the value null. */
  relations: { relation: RelationDescription; shape: ListShape | null }[];
}

/** SQL of records inside a list. */
export interface ListSql {
  /** A name for rows that no other has. */
  alias(): string;
  /** Of type json: the record in the row `alias` with its related records. */
  jsonOf(shape: ListShape, alias: string): string;
  /** Of type json: the related records of the row `alias`. */
  jsonOfRelated(relation: RelationDescription, inner: ListShape, from: { owner: RecordClass; alias: string }): string;
  /** The order of the record's rows in a list inside another record. */
  orderOf(record: RecordClass, alias: string): string;
}

/** Maximum number of shared records of a kind, of about a kilobyte each. */
const sharedMax = 5_000;
const keyType = { type: 'integer', nullable: false } as const;

/** The place of a record in a list: in the row `alias` of a list inside the listed record. */
interface RelationUse {
  /** Leads from the listed record to the rows. */
  list: RelationDescription;
  /** Leads from a row to the record. */
  relation: RelationDescription;
  owner: RecordClass;
  alias: string;
}

/** The records that a relation leads to, by their numbers. */
interface SharedRecords {
  texts: Texts;
  places: ReadonlyMap<number | null, number>;
}

/**
 * Records that occur many times in one list, such as an access scope in the mappings of many applications: PostgreSQL writes
 * the JSON of each once and returns it with the first batch of the same statement. Beyond a limit, records are written in
 * place. A relation is added while its columns are written.
 */
class SharedJson {
  /** The name and the SQL of the part of each relation. */
  readonly #relations = new Map<string, { name: string; sql: string }>();

  /**
   * @param record of the list, whose chosen rows the statement calls `chosen`
   * @param areAll whether every record of the table is chosen: then the mappings need no condition
   */
  constructor(
    readonly record: RecordClass,
    readonly sql: ListSql,
    readonly areAll: boolean,
  ) {}

  /** SQL: whether the record is among the shared ones. Undefined if such records are not shared. @param jsonOf SQL of the JSON of the record in a row */
  isShared({ list, relation, owner, alias }: RelationUse, jsonOf: (alias: string) => string): string | undefined {
    const target = relation.target();
    const key = fieldOf(target, relation.to);
    const from = fieldOf(owner, relation.from);
    if (!relation.constrained || key.type !== 'integer' || from.nullable || target === this.record) return undefined;
    if (this.#relations.has(relation.name)) return undefined;
    const name = `shared${this.#relations.size}`;
    const [row, member] = [this.sql.alias(), this.sql.alias()];
    const chosen = this.areAll
      ? ''
      : ` where ${member}.${fieldOf(owner, list.to).column} in (select ${fieldOf(this.record, list.from).column} from chosen)`;
    const used = `select ${member}.${from.column} from ${describe(owner).table} ${member}${chosen}`;
    const sql = `${name} as materialized (select ${row}.${key.column} as key, ${jsonOf(row)}::text as json from ${describe(target).table} ${row} where ${row}.${key.column} in (${used}) limit ${sharedMax})`;
    this.#relations.set(relation.name, { name, sql });
    return `${alias}.${from.column} in (select key from ${name})`;
  }

  /** SQL: the parts of the statement that hold the records. */
  get parts(): string[] {
    return [...this.#relations.values()].map(({ sql }) => sql);
  }

  /** SQL: columns with the records, in the first row only. */
  columnsIn(row: string): string[] {
    return [...this.#relations.values()].flatMap(({ name }) =>
      [
        [columnSql('key', keyType), 'keys'],
        [jsonTextsSql('json'), 'json'],
      ].map(([sql, column]) => `case when ${row} then (select ${sql} from ${name}) end as "${name}.${column}"`),
    );
  }

  /** The records of each relation, by its name. @param columns of the first batch */
  read(columns: ResultColumns): Map<string, SharedRecords> {
    return new Map(
      [...this.#relations].map(([relation, { name }]) => {
        const keys = integersOf((columns[`${name}.keys`] as Buffer | null) ?? Buffer.alloc(0), keyType);
        const texts = readJsonTexts(columns[`${name}.json`] as Buffer | null);
        return [relation, { texts, places: new Map(keys.map((key, place) => [key, place])) }];
      }),
    );
  }
}

/**
 * A batch of listed records as one row: the records of all their lists are columns of bytes (columns.ts), and the other
 * members of the listed records are JSON.
 */
export type BatchRow = ResultColumns;

/** A buffer of this length gets no further record, so that few applications with many mappings share one. */
const pieceBytes = 1024 * 1024;

/** The related records of the listed ones. */
interface List {
  relation: RelationDescription;
  shape: ListShape;
  part: Part;
  /** Relations whose records may be shared. */
  shared: Set<RelationDescription>;
}

/** The members of a listed record in order: JSON of some of its keys, or a list. */
type Section = { column: string } | { list: List };

/** How many listed records are in a batch. */
const batchSizeOf = (row: BatchRow): number => row.size as number;

const placeColumn = 'place in the batch';
const placeType = { type: 'integer', nullable: false } as const;

interface Listed {
  /** SQL of the listed rows and of their order, in which they are called `chosen`. */
  chosen: string;
  order: string;
  batchSize: number;
}

/** The columns of a list's statement. */
export class BatchColumns {
  readonly #sections: Section[] = [];
  readonly #shared: SharedJson;
  /** SQL of each list in a batch. */
  readonly #joins: string[] = [];
  /** SQL of the columns of a batch that aren't of lists. */
  readonly #columns: string[] = [];

  constructor(
    private readonly sql: ListSql,
    private readonly shape: ListShape,
    areAll: boolean,
  ) {
    this.#shared = new SharedJson(shape.record, sql, areAll);
    let own: ListShape = { ...shape, relations: [] };
    for (const member of shape.relations) {
      if (member.shape === null || member.relation.kind === 'toOne') own.relations.push(member);
      else {
        this.#addOwn(own);
        this.#addList(member.relation, member.shape);
        own = { ...shape, fields: [], relations: [] };
      }
    }
    this.#addOwn(own);
  }

  /** Batches are made one after another, as they are fetched. */
  text({ chosen, order, batchSize }: Listed): string {
    const parts = [`chosen as materialized (${chosen})`, ...this.#shared.parts];
    const batches = `select chosen.place / ${batchSize} as number, ${['count(*)::int as size', ...this.#columns].join(', ')} from (select *, row_number() over (order by ${order}) - 1 as place from chosen) chosen group by 1 order by 1`;
    const columns = [
      'batch.size',
      ...this.#sections.flatMap((section) => ('list' in section ? [] : [`batch.${section.column}`])),
      ...this.#sections.flatMap((section) => ('list' in section ? [`${section.list.part.alias}.*`] : [])),
      ...this.#shared.columnsIn('batch.number = 0'),
    ];
    return `with ${parts.join(', ')} select ${columns.join(', ')} from (${batches}) batch ${this.#joins.join(' ')} order by batch.number`;
  }

  /** Returns a function for one answer, which writes the records of a batch as JSON with a comma before each. Call it with the first batch first. */
  openWriter(): (row: BatchRow) => Generator<Buffer> {
    let shared: ReadonlyMap<string, SharedRecords> | undefined;
    return (row) => {
      shared ??= this.#shared.read(row);
      return writePieces(this.#bytesOf(row, shared), batchSizeOf(row));
    };
  }

  #bytesOf(row: BatchRow, shared: ReadonlyMap<string, SharedRecords>): RecordBytes {
    const size = batchSizeOf(row);
    const format = new RecordFormat();
    for (const [index, section] of this.#sections.entries()) {
      format.addSame(index === 0 ? ',{' : ',');
      if ('column' in section) {
        format.add({ texts: readJsonTexts(row[section.column] as Buffer, { braces: false }) });
        continue;
      }
      const { list } = section;
      format.addSame(`"${list.relation.name}":[`);
      const firsts = firstsOf(columnValues(row, list.part, placeColumn) as number[], size);
      format.add({ firsts, records: recordsOf(row, list, shared) });
      format.addSame(']');
    }
    format.addSame('}');
    return format.close(size);
  }

  #addOwn(shape: ListShape): void {
    if (shape.fields.length + shape.relations.length === 0) return;
    const column = `json${this.#sections.length}`;
    const json = this.sql.jsonOf(shape, 'chosen');
    this.#columns.push(`${jsonTextsSql(`${json}::text`, 'chosen.place')} as ${column}`);
    this.#sections.push({ column });
  }

  #addList(relation: RelationDescription, shape: ListShape): void {
    const { record, fields, relations } = shape;
    const alias = this.sql.alias();
    const members = fields.map((field): [string, ColumnType] => [field.name, field]);
    const part: Part = { alias, fields: new Map([[placeColumn, placeType], ...members]), toOne: [] };
    const list: List = { relation, shape, part, shared: new Set() };
    const texts = relations.flatMap((member) =>
      member.shape
        ? [`${this.#relatedTexts(list, member.relation, member.shape)} as "${alias}.${member.relation.name}"`]
        : [],
    );
    const from = fieldOf(this.shape.record, relation.from);
    const keys = `keys${this.#sections.length}`;
    this.#columns.push(`array_agg(chosen.${from.column} order by chosen.place) as ${keys}`);
    const columns = partSql(part, (name) =>
      name === placeColumn ? '(given.place - 1)::int' : `${alias}.${fieldOf(record, name).column}`,
    );
    // in the order of the keys, and the records of each in their own order
    const rows = `select * from ${describe(record).table} ${alias} where ${alias}.${fieldOf(record, relation.to).column} = given.key order by ${this.sql.orderOf(record, alias)}`;
    this.#joins.push(
      `cross join lateral (select ${[...columns, ...texts].join(', ')} from unnest(batch.${keys}) with ordinality given (key, place) cross join lateral (${rows}) ${alias}) ${alias}`,
    );
    this.#sections.push({ list });
  }

  /** SQL: the JSON of the related record in each record of a list; empty if it is shared. */
  #relatedTexts(list: List, relation: RelationDescription, shape: ListShape): string {
    const shared = this.#shared;
    const sql = this.sql;
    const use = { owner: list.shape.record, alias: list.part.alias };
    const isShared =
      relation.kind === 'toOne'
        ? shared.isShared({ list: list.relation, relation, ...use }, (row) => sql.jsonOf(shape, row))
        : undefined;
    const json = `coalesce(${sql.jsonOfRelated(relation, shape, use)}::text, 'null')`;
    if (isShared === undefined) return jsonTextsSql(json);
    list.shared.add(relation);
    list.part.fields.set(relation.from, fieldOf(list.shape.record, relation.from));
    return jsonTextsSql(`case when ${isShared} then '' else ${json} end`);
  }
}

/** Records in buffers of one or more. */
function* writePieces(records: RecordBytes, count: number): Generator<Buffer> {
  for (let start = 0; start < count; ) {
    let end = start;
    let length = 0;
    while (end < count && length < pieceBytes) length += records.lengthOf(end++);
    const piece = Buffer.allocUnsafe(length + roomBytes);
    const view = viewOf(piece);
    let at = 0;
    for (; start < end; start++) at = records.write(start, view, at);
    yield piece.subarray(0, at);
  }
}

/** The records of all lists of one kind in a batch, such as the mappings of each application. */
function recordsOf(
  row: BatchRow,
  { part, shape, shared }: List,
  sharedRecords: ReadonlyMap<string, SharedRecords>,
): RecordBytes {
  const format = new RecordFormat();
  let before = '{';
  const begin = (key: string): void => {
    format.addSame(`${before}"${key}":`);
    before = ',';
  };
  for (const { name } of shape.fields) {
    begin(name);
    format.add({ texts: fieldTexts(row, part, name) });
  }
  for (const { relation, shape: inner } of shape.relations) {
    begin(relation.name);
    if (!inner) {
      format.addSame('null');
      continue;
    }
    const texts = readJsonTexts(columnOf(row, part, relation.name));
    const records = shared.has(relation) ? sharedRecords.get(relation.name) : undefined;
    if (!records) format.add({ texts });
    else format.add({ texts, shared: records.texts, places: sharedPlaces(row, part, relation, texts, records) });
  }
  format.addSame(before === '{' ? '{}' : '}');
  return format.close(countOf(row, part));
}

/** The first index in the list for each listed record, and the end of the last. @param places of the records of all lists */
function firstsOf(places: readonly number[], size: number): Int32Array {
  const firsts = new Int32Array(size + 1);
  for (const place of places) firsts[place + 1]!++;
  for (let place = 0; place < size; place++) firsts[place + 1]! += firsts[place]!;
  return firsts;
}

/** The index of the shared record in each record; -1 if it has its own text. @param own an empty text stands for a shared record */
function sharedPlaces(
  row: BatchRow,
  part: Part,
  { from }: RelationDescription,
  own: Texts,
  { places }: SharedRecords,
): Int32Array {
  const keys = columnValues(row, part, from) as (number | null)[];
  return Int32Array.from(keys, (key, record) => {
    if (own.starts[record + 1]! - own.starts[record]! > own.gap) return -1;
    const place = places.get(key);
    if (place === undefined) throw new Error(`The list lacks the record ${key} that others share.`);
    return place;
  });
}

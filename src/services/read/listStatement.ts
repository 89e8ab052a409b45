/** The one statement of a REST list: which keys an answer has, and the SQL that writes their JSON. */
import { Application } from '../../entities/Application.js';
import {
  describe,
  type FieldDescription,
  fieldOf,
  fieldsFor,
  type RecordClass,
  type RelationDescription,
  relationsFor,
} from '../../entities/description.js';
import { Translation } from '../../entities/Translation.js';
import { User } from '../../entities/User.js';
import { type Columns, columnOf, columnSql } from './columns.js';
import { integersOf, roomBytes, type Texts, viewOf } from './jsonColumns.js';
import type { Part } from './projection.js';
import { columnAt, related, type Statement } from './select.js';

/** Which keys of a record an answer of the REST face has, and which of the records that it leads to it holds (docs/contract/administration.md). */

export interface Shape {
  record: RecordClass;
  fields: FieldDescription[];
  relations: { relation: RelationDescription /** null: the key is there and says null. */; shape: Shape | null }[];
}

/** Navigations of a record's documented answer. A user has none: `UserDTO` ends every path. */
export const navigationsOf = (record: RecordClass): RelationDescription[] =>
  record === User ? [] : relationsFor(record, 'rest');

/** Keys to give, each with those to give below it. */
interface KeyTree extends ReadonlyMap<string, KeyTree | 'all'> {}
/** Navigations to fill, each with those to fill below it. */
interface NavigationTree extends ReadonlyMap<string, NavigationTree> {}

/** What a caller asks of one record; absent: what the list shows by itself. */
interface SelectExpand {
  select?: KeyTree | undefined;
  expand?: NavigationTree | undefined;
}

/** The shape of a listed record. */
export const listedShape = (record: RecordClass, selectExpand: SelectExpand = {}): Shape =>
  shapeOf(record, selectExpand, true);

function shapeOf(record: RecordClass, { select, expand }: SelectExpand, isListed: boolean): Shape {
  const asked = expand && expand.size > 0 ? expand : undefined;
  const fields = fieldsFor(record, 'rest').filter(({ name }) => !select || select.has(name));
  const relations = navigationsOf(record)
    .filter(({ name }) => !select || select.has(name) || asked?.has(name))
    .map((relation) => {
      const { name } = relation;
      const below = select?.get(name);
      const isFilled = asked?.has(name) || below !== undefined || (!asked && isFilledByDefault(relation, isListed));
      const selectExpand = { select: below === 'all' ? undefined : below, expand: asked?.get(name) };
      return { relation, shape: isFilled ? shapeOf(relation.target(), selectExpand, false) : null };
    });
  return { record, fields, relations };
}

/** Everything on the listed record itself; deeper, what a scope or type is, but neither users nor an application again. */
function isFilledByDefault({ kind, constrained, target }: RelationDescription, isListed: boolean): boolean {
  return isListed || (kind === 'toOne' && constrained && target() !== Application);
}

/**
 * Records as JSON text, written by PostgreSQL: one expression for a whole record with everything that it holds, so that
 * the number of statements depends on nothing and no row is held twice. Keys stand in the entity's order.
 */

/** SQL of type json: the record in the row `alias`. */
export function jsonOf(shape: Shape, alias: string, statement: Statement): string {
  const keys = shape.fields.map((field) => `${jsonValue(field, alias)} as "${field.name}"`);
  for (const { relation, shape: inner } of shape.relations) {
    const value = inner ? jsonOfRelated(relation, inner, { owner: shape.record, alias, statement }) : 'null::json';
    keys.push(`${value} as "${relation.name}"`);
  }
  return `(select row_to_json(r) from (select ${keys.join(', ')}) r)`;
}

/** The columns of a record's own row that its JSON is made of. */
export function columnsOf({ record, fields, relations }: Shape): string[] {
  const own = describe(record).fields;
  const froms = relations.flatMap(({ relation, shape }) => (shape ? [relation.from] : []));
  const names = new Set([...fields.map(({ name }) => name), ...froms]);
  return own.filter(({ name }) => names.has(name)).map(({ column }) => column);
}

interface From {
  owner: RecordClass;
  alias: string;
  statement: Statement;
}

/** SQL of type json: what a relation leads to from the row `alias`. Null: a relation to one leads nowhere. */
function jsonOfRelated(relation: RelationDescription, inner: Shape, { owner, alias, statement }: From): string {
  const own = statement.alias();
  const rows = `from ${describe(inner.record).table} ${own} where ${related(relation, owner, alias, own)}`;
  const json = jsonOf(inner, own, statement);
  if (relation.kind === 'toOne') return `(select ${json} ${rows})`;
  return `(select coalesce(json_agg(${json} order by ${listOrder(inner.record, own)}), '[]'::json) ${rows})`;
}

/** Lists inside a record: mappings by their number, translations by field and language. */
function listOrder(record: RecordClass, alias: string): string {
  if (record === Translation) return `${alias}.field_name collate "C", ${alias}.language_code collate "C"`;
  return `${alias}.${describe(record).primaryKey.column}`;
}

function jsonValue({ type, column }: FieldDescription, alias: string): string {
  const value = `${alias}.${column}`;
  return type === 'dateTime' ? `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : value;
}

/** Texts of JSON of many records in one column of bytes. */

// a byte that no UTF-8 has
const between = 0xff;

/** SQL of the column. @param value of type text, never null */
const textsSql = (value: string, order = ''): string =>
  String.raw`string_agg(textsend(${value}), '\xff'${order && ` order by ${order}`})`;

/** @param sent null: there are no records */
export function readTexts(sent: Buffer | null): Texts {
  if (!sent) return { view: new DataView(new ArrayBuffer(roomBytes)), starts: [0] };
  const bytes = Buffer.allocUnsafe(sent.length + roomBytes);
  bytes.set(sent);
  const starts = [0];
  for (let end = sent.indexOf(between); end >= 0; end = sent.indexOf(between, end + 1)) starts.push(end + 1);
  starts.push(sent.length + 1);
  return { view: viewOf(bytes), starts };
}

/**
 * Records that stand many times in one list, such as an access scope in the mappings of many applications: PostgreSQL
 * writes the JSON of each once, and gives it with the first batch. One statement as before; what it holds at once has a
 * bound, past which records are written in place.
 */

/** Most records of a kind that are shared, of about a kilobyte each. */
const sharedMax = 5_000;
const keyType = { type: 'integer', nullable: false } as const;

/** Where in a list a record stands: in the row `alias` of a list inside the listed record. */
interface RelationUse {
  /** Leads from the listed record to the rows. */
  list: RelationDescription;
  /** Leads from a row to the record. */
  relation: RelationDescription;
  owner: RecordClass;
  alias: string;
}

/** The records that a relation leads to, by their numbers. */
export interface SharedRecords {
  texts: Texts;
  places: ReadonlyMap<number | null, number>;
}

/** What a statement shares; asked for each relation while its columns are written. */
class SharedJson {
  /** By relation: the name of its part of the statement, and its SQL. */
  readonly #relations = new Map<string, { name: string; sql: string }>();

  /**
   * @param record of the list, whose chosen rows the statement calls `chosen`
   * @param areAll whether every record of the table is chosen: then nothing has to be asked about each mapping
   */
  constructor(
    readonly record: RecordClass,
    readonly statement: Statement,
    readonly areAll: boolean,
  ) {}

  /**
   * SQL: whether the record is among the shared ones. Undefined, when such records aren't for sharing.
   * @param jsonOf SQL of the JSON of the record in a row
   */
  isShared({ list, relation, owner, alias }: RelationUse, jsonOf: (alias: string) => string): string | undefined {
    const target = relation.target();
    const key = fieldOf(target, relation.to);
    const from = fieldOf(owner, relation.from);
    if (!relation.constrained || key.type !== 'integer' || from.nullable || target === this.record) return undefined;
    if (this.#relations.has(relation.name)) return undefined;
    const name = `shared${this.#relations.size}`;
    const [row, member] = [this.statement.alias(), this.statement.alias()];
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

  /** SQL: columns that give the records, in one row alone. */
  columnsIn(row: string): string[] {
    return [...this.#relations.values()].flatMap(({ name }) =>
      [
        [columnSql('key', keyType), 'keys'],
        [textsSql('json'), 'json'],
      ].map(([sql, column]) => `case when ${row} then (select ${sql} from ${name}) end as "${name}.${column}"`),
    );
  }

  /** The records of each relation, by its name. @param columns of the first batch */
  read(columns: Columns): Map<string, SharedRecords> {
    return new Map(
      [...this.#relations].map(([relation, { name }]) => {
        const keys = integersOf((columns[`${name}.keys`] as Buffer | null) ?? Buffer.alloc(0), keyType);
        const texts = readTexts(columns[`${name}.json`] as Buffer | null);
        return [relation, { texts, places: new Map(keys.map((key, place) => [key, place])) }];
      }),
    );
  }
}

/**
 * A batch of listed records as one row: the records that their lists hold are columns of bytes (columns.ts),
 * whichever listed record they are of, and what a listed record says beside its lists is JSON.
 */

export type BatchRow = Columns;

/** The records that a relation of the listed ones leads to. */
export interface List {
  relation: RelationDescription;
  shape: Shape;
  part: Part;
  /** Relations whose records may be among the shared ones. */
  shared: Set<RelationDescription>;
}

/** What a listed record says, in order: JSON of some of its keys, or a list. */
type Section = { column: string } | { list: List };

/** How many listed records are in a batch. */
export const batchSizeOf = (row: BatchRow): number => row.size as number;

const placeColumn = 'place in the batch';
const placeType = { type: 'integer', nullable: false } as const;

/** Of each record of a list: which listed record of the batch it is of, from 0. */
export function placesIn(row: BatchRow, part: Part): number[] {
  const sent = columnOf(row, part, placeColumn);
  return sent ? (integersOf(sent, placeType) as number[]) : [];
}

interface Listed {
  /** SQL of the listed rows and of their order, in which they are called `chosen`. */
  chosen: string;
  order: string;
  batchSize: number;
}

/** The columns of a list's statement. */
export class BatchColumns {
  readonly sections: Section[] = [];
  readonly shared: SharedJson;
  /** SQL of each list in a batch. */
  readonly #joins: string[] = [];
  /** SQL of the columns of a batch that aren't of lists. */
  readonly #columns: string[] = [];
  readonly #statement: Statement;
  readonly #shape: Shape;

  constructor(statement: Statement, shape: Shape, areAll: boolean) {
    this.#statement = statement;
    this.#shape = shape;
    this.shared = new SharedJson(shape.record, statement, areAll);
    let own: Shape = { ...shape, relations: [] };
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

  /** Batches are made one after another, as they are fetched: none waits for those behind it. */
  text({ chosen, order, batchSize }: Listed): string {
    const parts = [`chosen as materialized (${chosen})`, ...this.shared.parts];
    const batches = `select chosen.place / ${batchSize} as number, ${['count(*)::int as size', ...this.#columns].join(', ')} from (select *, row_number() over (order by ${order}) - 1 as place from chosen) chosen group by 1 order by 1`;
    const given = [
      'batch.size',
      ...this.sections.flatMap((section) => ('list' in section ? [] : [`batch.${section.column}`])),
      ...this.sections.flatMap((section) => ('list' in section ? [`${section.list.part.alias}.*`] : [])),
      ...this.shared.columnsIn('batch.number = 0'),
    ];
    return `with ${parts.join(', ')} select ${given.join(', ')} from (${batches}) batch ${this.#joins.join(' ')} order by batch.number`;
  }

  #addOwn(shape: Shape): void {
    if (shape.fields.length + shape.relations.length === 0) return;
    const column = `json${this.sections.length}`;
    const json = jsonOf(shape, 'chosen', this.#statement);
    this.#columns.push(`${textsSql(`${json}::text`, 'chosen.place')} as ${column}`);
    this.sections.push({ column });
  }

  #addList(relation: RelationDescription, shape: Shape): void {
    const { record, fields, relations } = shape;
    const alias = this.#statement.alias();
    const part: Part = { alias, fields: new Map(fields.map((field) => [field.name, field])), toOne: [] };
    const list: List = { relation, shape, part, shared: new Set() };
    const texts = relations.flatMap((member) =>
      member.shape
        ? [`${this.#relatedTexts(list, member.relation, member.shape)} as "${alias}.${member.relation.name}"`]
        : [],
    );
    const values = [...part.fields].map(
      ([name, type]) => `${columnSql(columnAt(record, alias, name), type)} as "${alias}.${name}"`,
    );
    const from = fieldOf(this.#shape.record, relation.from);
    const keys = `keys${this.sections.length}`;
    this.#columns.push(`array_agg(chosen.${from.column} order by chosen.place) as ${keys}`);
    const columns = [
      `count(*)::int as "${alias}"`,
      `${columnSql('(given.place - 1)::int', placeType)} as "${alias}.${placeColumn}"`,
      ...values,
      ...texts,
    ];
    // in the order of the keys, each with its own records in theirs
    const found = `select * from ${describe(record).table} ${alias} where ${columnAt(record, alias, relation.to)} = given.key order by ${listOrder(record, alias)}`;
    this.#joins.push(
      `cross join lateral (select ${columns.join(', ')} from unnest(batch.${keys}) with ordinality given (key, place) cross join lateral (${found}) ${alias}) ${alias}`,
    );
    this.sections.push({ list });
  }

  /** SQL: the JSON that a relation leads to in each record of a list, or nothing where it is among the shared ones. */
  #relatedTexts(list: List, relation: RelationDescription, shape: Shape): string {
    const { shared } = this;
    const statement = this.#statement;
    const use = { owner: list.shape.record, alias: list.part.alias };
    const isShared =
      relation.kind === 'toOne'
        ? shared.isShared({ list: list.relation, relation, ...use }, (row) => jsonOf(shape, row, statement))
        : undefined;
    const json = `coalesce(${jsonOfRelated(relation, shape, { ...use, statement })}::text, 'null')`;
    if (isShared === undefined) return textsSql(json);
    list.shared.add(relation);
    list.part.fields.set(relation.from, fieldOf(list.shape.record, relation.from));
    return textsSql(`case when ${isShared} then '' else ${json} end`);
  }
}

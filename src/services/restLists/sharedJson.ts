/**
 * Records that stand many times in one list, such as an access scope in the mappings of many applications: PostgreSQL
 * writes the JSON of each once, and gives it with the first batch. One statement as before; what it holds at once has a
 * bound, past which records are written in place.
 */
import { describe, fieldOf, type RecordClass, type RelationDescription } from '../../entities/description.js';
import { type Columns, columnSql } from '../graphReads/columns.js';
import type { Texts } from '../graphReads/copyBytes.js';
import { integersOf } from '../graphReads/jsonColumns.js';
import type { Statement } from '../sql/select.js';
import { readTexts, textsSql } from './texts.js';

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
export class SharedJson {
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

/**
 * Records that stand many times in one list, such as an access scope in the mappings of many applications: PostgreSQL
 * writes the JSON of each once, and gives it with the first row; in the rows there is a number in its place, which is
 * filled here. One statement as before; what it holds at once has a bound, past which records are written in place again.
 */
import { describe, fieldOf, type RecordClass, type RelationDescription } from '../../entities/fields.js';
import type { Statement } from '../sql/select.js';

/** Most records of a kind that are shared, of about a kilobyte each. */
const sharedMax = 5_000;
// control characters stand in no JSON text as they are
const betweenRecords = '\x1e';
const afterKey = '\x1f';

interface SharedRelation {
  /** Name of its part of the statement, and of the column in the rows. */
  name: string;
  relation: RelationDescription;
  sql: string;
}

/** Where in a list a record stands: in the row `alias` of a list inside the listed record. */
interface RelationUse {
  /** Leads from the listed record to the rows. */
  list: RelationDescription;
  /** Leads from a row to the record. */
  relation: RelationDescription;
  owner: RecordClass;
  alias: string;
}

/** What a statement shares; asked for each relation while its JSON is written. */
export class SharedJson {
  readonly #relations: SharedRelation[] = [];

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
   * SQL of what stands in the place of a record: its number, or its JSON where it is past the bound. `inPlace`, when
   * such records aren't for sharing.
   * @param jsonOf SQL of the JSON of the record in a row
   */
  placeOf({ list, relation, owner, alias }: RelationUse, inPlace: string, jsonOf: (alias: string) => string): string {
    const target = relation.target();
    const key = fieldOf(target, relation.to);
    const isTaken = this.#relations.some((other) => other.relation.name === relation.name);
    if (!relation.constrained || key.type !== 'integer' || target === this.record || isTaken) return inPlace;
    const name = `shared${this.#relations.length}`;
    const [row, member] = [this.statement.alias(), this.statement.alias()];
    const from = fieldOf(owner, relation.from).column;
    const chosen = this.areAll
      ? ''
      : ` where ${member}.${fieldOf(owner, list.to).column} in (select ${fieldOf(this.record, list.from).column} from chosen)`;
    const used = `select ${member}.${from} from ${describe(owner).table} ${member}${chosen}`;
    const sql = `${name} as materialized (select ${row}.${key.column} as key, ${jsonOf(row)}::text as json from ${describe(target).table} ${row} where ${row}.${key.column} in (${used}) limit ${sharedMax})`;
    this.#relations.push({ name, relation, sql });
    const number = `${alias}.${from}`;
    return `case when ${number} in (select key from ${name}) then to_json(${number}) else ${inPlace} end`;
  }

  get isEmpty(): boolean {
    return this.#relations.length === 0;
  }

  /** SQL: the parts of the statement that hold the records. */
  get parts(): string[] {
    return this.#relations.map(({ sql }) => sql);
  }

  /** SQL: columns that give the records, in one row alone. */
  columnsIn(row: string): string[] {
    return this.#relations.map(
      ({ name }) =>
        `case when ${row} then (select string_agg(key || E'\\x1f' || json, E'\\x1e') from ${name}) end as ${name}`,
    );
  }

  /** Puts them in their places, row after row; the first must come first. */
  filler(): (row: Record<string, string | null>) => string {
    const records = new Map<string, Map<string, string>>();
    const names = this.#relations.map(({ relation }) => relation.name).join('|');
    // in a string of JSON a quote has a backslash before it: only a key ends like this
    // biome-ignore lint/plugin: of the relations' names
    const place = new RegExp(`"(${names})":(-?\\d{1,19})`, 'g');
    return (row) => {
      for (const { name, relation } of this.#relations)
        if (row[name]) records.set(relation.name, readRecords(row[name]));
      return row.json!.replace(place, (_place, name: string, key: string) => {
        const json = records.get(name)?.get(key);
        if (json === undefined) throw new Error(`The list lacks the ${name} ${key}.`);
        return `"${name}":${json}`;
      });
    };
  }
}

function readRecords(text: string): Map<string, string> {
  return new Map(
    text.split(betweenRecords).map((record) => {
      const end = record.indexOf(afterKey);
      return [record.slice(0, end), record.slice(end + 1)];
    }),
  );
}

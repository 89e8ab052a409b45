/** The making of a read statement from descriptions: bind parameters, and joins along to-one relations. */
import type { Context } from '../context.js';
import { describe, type FieldType, fieldOf, type RecordClass, type RelationDescription } from '../entities/fields.js';
import { GatehouseError } from '../errors.js';
import { permit } from './change.js';

/** What to read of a record: its own fields, and to-one relations with what to read of them. */
export interface Selection {
  record: RecordClass;
  fields: Set<string>;
  toOne: Map<string, Selection>;
}

export const sqlTypes: { [type in FieldType]: string } = {
  integer: 'int',
  bigint: 'bigint',
  string: 'text',
  boolean: 'boolean',
  uuid: 'uuid',
  dateTime: 'timestamptz',
  bytes: 'bytea',
  json: 'jsonb',
};

/** The values of a statement in the making. */
export class Binds {
  readonly values: unknown[] = [];

  /** The placeholder of a value, cast to the type. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/** Where a field is found in a statement. */
export interface Place {
  alias: string;
  record: RecordClass;
}

/** The joins that filters and orderings of a statement need, each relation once. Reading by them needs permission too. */
export class Joins {
  private readonly places = new Map<string, Place>();
  private readonly texts: string[] = [];

  constructor(
    readonly context: Context,
    readonly root: Place,
  ) {
    permit(context, describe(root.record).readWith);
  }

  /** The record at the end of a to-one relation. */
  follow(from: Place, relation: RelationDescription): Place {
    const key = `${from.alias}.${relation.name}`;
    const known = this.places.get(key);
    if (known) return known;
    const target = relation.target();
    permit(this.context, describe(target).readWith);
    const place = { alias: `${this.root.alias}${this.places.size + 1}`, record: target };
    this.places.set(key, place);
    this.texts.push(joinText(from, relation, place));
    return place;
  }

  text(): string {
    return this.texts.join(' ');
  }
}

export const columnAt = ({ alias, record }: Place, field: string): string =>
  `${alias}.${fieldOf(record, field).column}`;

const joinText = (from: Place, { from: own, to }: RelationDescription, place: Place): string =>
  `left join ${describe(place.record).table} ${place.alias} on ${columnAt(place, to)} = ${columnAt(from, own)}`;

/** Most to-one relations of one statement: its plan costs more with each. */
const joinedMax = 40;

/** A to-one relation joined for the answer. */
interface Joined {
  /** The alias of the record it hangs on; undefined: the record read. */
  parent: string | undefined;
  alias: string;
  name: string;
  fields: string[];
}

export type Row = Record<string, unknown>;

/**
 * What a statement answers with: the selected fields of `p`, a subquery that bears property names, and of the records
 * joined to it.
 */
export class Projection {
  private readonly joined: Joined[] = [];
  private readonly joinTexts: string[] = [];
  private readonly joinedColumns: string[] = [];
  /** The fields that the subquery must bear. */
  readonly own: string[];

  constructor(context: Context, selection: Selection) {
    permit(context, describe(selection.record).readWith);
    const own = new Set(selection.fields);
    const relations = describe(selection.record).relations;
    for (const [name, nested] of selection.toOne) {
      const relation = relations.find((candidate) => candidate.name === name)!;
      own.add(relation.from);
      this.join(context, undefined, `p."${relation.from}"`, relation, nested);
    }
    this.own = [...own];
  }

  private join(
    context: Context,
    parent: string | undefined,
    key: string,
    relation: RelationDescription,
    selection: Selection,
  ): void {
    const { table, readWith, relations } = describe(selection.record);
    permit(context, readWith);
    if (this.joined.length >= joinedMax)
      throw new GatehouseError('TOO_LARGE', `The query follows too many relations to one; the limit is ${joinedMax}.`, {
        extra: { limit: 'relations', max: joinedMax },
      });
    const alias = `j${this.joined.length + 1}`;
    const place = { alias, record: selection.record };
    const fields = [...selection.fields];
    this.joined.push({ parent, alias, name: relation.name, fields });
    this.joinTexts.push(`left join ${table} ${alias} on ${columnAt(place, relation.to)} = ${key}`);
    this.joinedColumns.push(`${columnAt(place, relation.to)} as "${alias}"`);
    for (const field of fields) this.joinedColumns.push(`${columnAt(place, field)} as "${alias}.${field}"`);
    for (const [name, nested] of selection.toOne) {
      const next = relations.find((candidate) => candidate.name === name)!;
      this.join(context, alias, columnAt(place, next.from), next, nested);
    }
  }

  /** The fields in the subquery, read from `place`. */
  inner(place: Place): string[] {
    return this.own.map((field) => `${columnAt(place, field)} as "${field}"`);
  }

  /** The select list over the subquery `p`, and the joins after it. */
  outer(): { columns: string[]; joins: string } {
    return {
      columns: [...this.own.map((field) => `p."${field}"`), ...this.joinedColumns],
      joins: this.joinTexts.join(' '),
    };
  }

  /** Puts the joined records of each row where their relations are. */
  nest(rows: Row[]): void {
    if (this.joined.length === 0) return;
    const plan = this.joined.map(({ parent, alias, name, fields }) => ({
      parent: this.joined.findIndex((candidate) => candidate.alias === parent),
      alias,
      name,
      members: fields.map((field) => [field, `${alias}.${field}`] as const),
    }));
    const made: (Row | null)[] = [];
    for (const row of rows) {
      plan.forEach(({ parent, alias, name, members }, index) => {
        const record: Row | null = row[alias] === null ? null : {};
        if (record) for (const [field, column] of members) record[field] = row[column];
        made[index] = record;
        const owner = parent < 0 ? row : made[parent];
        if (owner) owner[name] = record;
      });
    }
  }
}

/** The making of a read statement from descriptions: bind parameters, and joins along to-one relations. */
import type { Context } from '../context.js';
import { describe, type FieldType, fieldOf, type RecordClass, type RelationDescription } from '../entities/fields.js';
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

export type Row = Record<string, unknown>;

/** A SELECT under construction: its bind values, and the tables that it joins because something asks for their columns. */
import {
  describe,
  type FieldDescription,
  fieldOf,
  type RecordClass,
  type RelationDescription,
} from '../entities/fields.js';

/** The type that PostgreSQL is told of a bind value. */
export type SqlType =
  | 'text'
  | 'integer'
  | 'bigint'
  | 'float8'
  | 'uuid'
  | 'boolean'
  | 'timestamptz'
  | 'integer[]'
  | 'uuid[]'
  | 'text[]'
  | 'float8[]'
  | 'boolean[]'
  | 'timestamptz[]';

export class Statement {
  readonly values: unknown[] = [];
  #aliases = 0;

  /** The place of a value, which never becomes a part of the text. */
  bind(value: unknown, type: SqlType): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  alias(): string {
    this.#aliases += 1;
    return `t${this.#aliases}`;
  }
}

/** The relation of that name. Throws when there is none: names from outside are checked before. */
export function relationOf(record: RecordClass, name: string): RelationDescription {
  const relation = describe(record).relations.find((candidate) => candidate.name === name);
  if (!relation) throw new Error(`${record.name} has no relation ${name}`);
  return relation;
}

/** SQL: that a record `to` is related to the record `from`. */
export function related(relation: RelationDescription, owner: RecordClass, from: string, to: string): string {
  return `${to}.${fieldOf(relation.target(), relation.to).column} = ${from}.${fieldOf(owner, relation.from).column}`;
}

/** The rows of one table in a FROM clause, and of the tables that to-one paths lead to. */
export class Rows {
  readonly alias: string;
  readonly #joins = new Map<string, { rows: Rows; condition: string }>();

  constructor(
    readonly statement: Statement,
    readonly record: RecordClass,
  ) {
    this.alias = statement.alias();
  }

  /** A column of these rows, or of those at the end of a path of to-one relations; null where a path leads nowhere. */
  column(navigations: readonly string[], name: string): string {
    const [first, ...rest] = navigations;
    if (first !== undefined) return this.#join(first).column(rest, name);
    return `${this.alias}.${fieldOf(this.record, name).column}`;
  }

  field(navigations: readonly string[], name: string): FieldDescription {
    const end = navigations.reduce<RecordClass>((record, step) => relationOf(record, step).target(), this.record);
    return fieldOf(end, name);
  }

  /** SQL: whether a to-many relation leads to any record, of those for which the condition is true. Never null. */
  exists(navigations: readonly string[], collection: string, condition?: (members: Rows) => string): string {
    const [first, ...rest] = navigations;
    if (first !== undefined) return this.#join(first).exists(rest, collection, condition);
    const relation = relationOf(this.record, collection);
    const members = new Rows(this.statement, relation.target());
    const where = [related(relation, this.record, this.alias, members.alias)];
    if (condition) where.push(`(${condition(members)})`);
    return `exists (select 1 from ${members.from()} where ${where.join(' and ')})`;
  }

  /** The table and all that has been asked to be joined to it so far. */
  from(): string {
    return `${describe(this.record).table} ${this.alias}${this.joins()}`;
  }

  joins(): string {
    return [...this.#joins.values()]
      .map(
        ({ rows, condition }) =>
          ` left join ${describe(rows.record).table} ${rows.alias} on ${condition}${rows.joins()}`,
      )
      .join('');
  }

  #join(name: string): Rows {
    const known = this.#joins.get(name);
    if (known) return known.rows;
    const relation = relationOf(this.record, name);
    const rows = new Rows(this.statement, relation.target());
    this.#joins.set(name, { rows, condition: related(relation, this.record, this.alias, rows.alias) });
    return rows;
  }
}

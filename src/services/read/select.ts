/** Builds a SELECT: its bind values, and the tables that are joined because their columns are used. */
import {
  describe,
  type FieldType,
  fieldOf,
  type RecordClass,
  type RelationDescription,
} from '../../entities/description.js';

type ScalarSqlType =
  | 'text'
  | 'int'
  | 'integer'
  | 'bigint'
  | 'float8'
  | 'uuid'
  | 'boolean'
  | 'timestamptz'
  | 'bytea'
  | 'jsonb';
/** The type that a bind value is declared with. */
export type SqlType = ScalarSqlType | `${ScalarSqlType}[]`;

export const sqlTypes: { [type in FieldType]: ScalarSqlType } = {
  integer: 'int',
  bigint: 'bigint',
  string: 'text',
  boolean: 'boolean',
  uuid: 'uuid',
  dateTime: 'timestamptz',
  bytes: 'bytea',
  json: 'jsonb',
};

export type Row = Record<string, unknown>;

/** The selection of a record: its fields, and its to-one relations with their selections. */
export interface Selection {
  record: RecordClass;
  fields: Set<string>;
  toOne: Map<string, Selection>;
}

export class Statement {
  readonly values: unknown[] = [];
  #aliases = 0;

  /** @param requireReadable throws for records that the caller may not read, not even by filtering or ordering */
  constructor(readonly requireReadable: (record: RecordClass) => void = () => undefined) {}

  /** The placeholder of a value; values are never part of the text. */
  bind(value: unknown, type: SqlType): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  alias(): string {
    this.#aliases += 1;
    return `t${this.#aliases}`;
  }
}

/** The relation with that name. Throws if there is none; input is checked before. */
export function relationOf(record: RecordClass, name: string): RelationDescription {
  const relation = describe(record).relations.find((candidate) => candidate.name === name);
  if (!relation) throw new Error(`${record.name} has no relation ${name}`);
  return relation;
}

export const columnAt = (record: RecordClass, alias: string, field: string): string =>
  `${alias}.${fieldOf(record, field).column}`;

/** SQL: that a record `to` is related to the record `from`. */
export const related = (relation: RelationDescription, owner: RecordClass, from: string, to: string): string =>
  `${columnAt(relation.target(), to, relation.to)} = ${columnAt(owner, from, relation.from)}`;

/**
 * SQL: whether the relation leads from the owner to a member that meets the condition. Never null.
 * @param asSet the matching members are found once for all owners, in a hash table; otherwise they are looked up for each
 * owner. For a nested condition, whose owners repeat; it must not refer to other rows
 */
export function leadsTo(
  relation: RelationDescription,
  owner: Rows,
  members: Rows,
  condition: string,
  asSet: boolean,
): string {
  const [from, to] = [owner.column([], relation.from), members.column([], relation.to)];
  if (!asSet) return `exists (select 1 from ${members.from()} where ${to} = ${from} and (${condition}))`;
  // `is true` keeps the planner from making it a join, which it expects to end early
  return `((${from} in (select distinct ${to} from ${members.from()} where (${condition}))) is true)`;
}

/** The rows of one table in a FROM clause, and of the tables that to-one paths lead to. */
export class Rows {
  readonly #joins = new Map<string, { rows: Rows; condition: string }>();

  /** @param aliases the names of the tables that it joins */
  constructor(
    readonly statement: Statement,
    readonly record: RecordClass,
    readonly alias: string = statement.alias(),
    readonly aliases: () => string = () => statement.alias(),
  ) {
    statement.requireReadable(record);
  }

  /** A column of these rows, or of the rows at the end of a path of to-one relations; null if the path leads nowhere. */
  column(navigations: readonly string[], name: string): string {
    const { record, alias } = this.followAll(navigations);
    return columnAt(record, alias, name);
  }

  /** The rows at the end of a to-one relation. */
  follow(name: string): Rows {
    const join = this.#joins.get(name);
    if (join) return join.rows;
    const relation = relationOf(this.record, name);
    const rows = new Rows(this.statement, relation.target(), this.aliases(), this.aliases);
    this.#joins.set(name, { rows, condition: related(relation, this.record, this.alias, rows.alias) });
    return rows;
  }

  followAll(navigations: readonly string[]): Rows {
    return navigations.reduce<Rows>((rows, name) => rows.follow(name), this);
  }

  /** The table and its joins so far. */
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
}

/** Rows whose joined tables are named after them: `t` joins `t1` and `t2`. */
export function namedRows(statement: Statement, record: RecordClass, alias: string): Rows {
  let joined = 0;
  return new Rows(statement, record, alias, () => `${alias}${++joined}`);
}

/** Reads the selected fields of records: the columns and joined relations of the statement, and the records as objects and pages. */
import { hasPermission } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import {
  type ColumnType,
  columnNames,
  columnValues,
  countOf,
  type Part,
  partSql,
  type ResultColumns,
} from '../../engine/columns.js';
import { describe, fieldOf, type RecordClass, type RelationDescription } from '../../entities/description.js';
import { GatehouseError } from '../../errors.js';
import { permit } from '../permit.js';
import { columnAt, type Row, relationOf, type Selection, sqlTypes } from './select.js';

/** Whether the records of a relation need another permission than the record itself. */
export const needsAnother = (record: RecordClass, target: RecordClass): boolean =>
  describe(record).readWith !== describe(target).readWith;

export const mayRead = ({ caller }: Pick<Context, 'caller'>, record: RecordClass): boolean =>
  hasPermission(caller, describe(record).readWith);

/** Maximum number of to-one relations in one statement, because each makes the plan more expensive. */
const joinedMax = 40;

/** A column in addition to the selected fields of the records. */
export interface FurtherColumn extends ColumnType {
  name: string;
}

/**
 * A read statement: its result is one row, in which each column is a field of all records (columns.ts). Records of to-one
 * relations are parts of the same statement, and each is returned once, even if many records refer to it.
 */
export class Projection {
  /** The records read. */
  readonly root: Part;
  readonly #joined: { part: Part; text: string }[] = [];

  constructor(
    readonly context: Context,
    selection: Selection,
    { isOwn = false } = {},
  ) {
    if (!isOwn) permit(context, describe(selection.record).readWith);
    this.root = this.#open('p', selection);
    this.#follow(this.root, selection);
  }

  /** The fields in the subquery that finds the records, from the rows of that alias. */
  inner({ record, alias }: { record: RecordClass; alias: string }): string[] {
    return [...this.root.fields.keys()].map((field) => `${columnAt(record, alias, field)} as "${field}"`);
  }

  /** The statement, around the subquery that finds the records. */
  text(rows: string, further: readonly FurtherColumn[] = []): string {
    for (const { name, type, nullable } of further) this.root.fields.set(name, { type, nullable });
    const parts = [this.root, ...this.#joined.map(({ part }) => part)];
    const texts = [
      partText(this.root, `(${rows}) p`, (field) => `p."${field}"`),
      ...this.#joined.map(({ text }) => text),
    ];
    const names = parts.flatMap(columnNames);
    const from = parts.map(({ alias }) => alias).join(', ');
    return `with ${texts.join(', ')} select ${names.map((name) => `"${name}"`).join(', ')} from ${from}`;
  }

  /** False: the field is left out and noted. Throws FORBIDDEN if the context has no notes. */
  #mayFollow(record: RecordClass, relation: string, target: RecordClass): boolean {
    const { refusals } = this.context;
    const { readWith } = describe(target);
    if (refusals && needsAnother(record, target) && !mayRead(this.context, target)) {
      const name = `${describe(record).name}.${relation}`;
      if (!refusals.has(name)) refusals.set(name, { permission: readWith });
      return false;
    }
    permit(this.context, readWith);
    return true;
  }

  #open(alias: string, { record, fields, toOne }: Selection, key: readonly string[] = []): Part {
    const followed = [...toOne.keys()].map((name) => relationOf(record, name).from);
    const names = new Set([...fields, ...followed, ...key]);
    return { alias, fields: new Map([...names].map((name) => [name, fieldOf(record, name)])), toOne: [] };
  }

  #follow(from: Part, { record, toOne }: Selection): void {
    for (const [name, selection] of toOne) {
      const relation = relationOf(record, name);
      if (!this.#mayFollow(record, name, selection.record)) continue;
      const part = this.#open(`j${this.#joined.length + 1}`, selection, [relation.to]);
      if (this.#joined.length >= joinedMax)
        throw new GatehouseError(
          'TOO_LARGE',
          `The query follows too many relations to one; the limit is ${joinedMax}.`,
          { extra: { limit: 'relations', max: joinedMax } },
        );
      const joined = { part, text: '' };
      this.#joined.push(joined);
      from.toOne.push({ relation, part });
      this.#follow(part, selection);
      joined.text = joinText(from, relation, part, selection.record);
    }
  }
}

const keysOf = ({ alias }: Part): string => `keys of ${alias}`;

function joinText(from: Part, { from: field, to }: RelationDescription, part: Part, record: RecordClass): string {
  const keys = `(select "${keysOf(part)}" from ${from.alias})::${sqlTypes[from.fields.get(field)!.type]}[]`;
  const source = `${describe(record).table} t where ${columnAt(record, 't', to)} = any(${keys})`;
  return partText(part, source, (name) => columnAt(record, 't', name));
}

/** Only aggregates, so that rows are read once and not stored: the records, and the keys of their related records. */
function partText(part: Part, from: string, column: (field: string) => string): string {
  const keys = part.toOne.map(({ relation, part }) => `array_agg(${column(relation.from)}) as "${keysOf(part)}"`);
  return `${part.alias} as (select ${[...partSql(part, column), ...keys].join(', ')} from ${from})`;
}

/** All records of a part, with those that their relations to one lead to. The same record is the same object. */
function rowsOf(columns: ResultColumns, part: Part): Row[] {
  const members = [...part.fields.keys()].map((name) => [name, columnValues(columns, part, name)] as const);
  const rows = Array.from({ length: countOf(columns, part) }, (_, index) => {
    const row: Row = {};
    for (const [name, values] of members) row[name] = values[index];
    return row;
  });
  for (const { relation, part: joined } of part.toOne) {
    const rowsByKey = new Map(rowsOf(columns, joined).map((row) => [row[relation.to], row]));
    for (const row of rows) row[relation.name] = rowsByKey.get(row[relation.from]) ?? null;
  }
  return rows;
}

/** The records of a projection's statement, as columns, and as objects that are made on demand. */
export class ResultSet {
  #rows: Row[] | undefined;
  /** One for each record, if the query selects cursors. */
  cursors: readonly string[] = [];

  constructor(
    readonly root: Part,
    readonly columns: ResultColumns,
  ) {}

  get count(): number {
    return countOf(this.columns, this.root);
  }

  get rows(): Row[] {
    this.#rows ??= rowsOf(this.columns, this.root);
    return this.#rows;
  }

  /** A column, also one in addition to the selected fields. */
  values(name: string): unknown[] {
    return columnValues(this.columns, this.root, name);
  }
}

/** Runs a statement that the projection made. */
export async function readResultSet(
  { reads }: Context,
  projection: Projection,
  text: string,
  values: readonly unknown[],
): Promise<ResultSet> {
  const [columns] = await reads.rows<ResultColumns>(text, values, 'binary');
  return new ResultSet(projection.root, columns!);
}

interface PagePlace {
  /** The total number, if requested. */
  totalCount?: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

interface PageInfo extends Omit<PagePlace, 'totalCount'> {
  startCursor: string | null;
  endCursor: string | null;
}

/** The source of a connection of the graph: the records on the page, and its position. Records and edges are made on demand. */
export class Page {
  constructor(
    readonly place: PagePlace,
    /** Indexes of its records among those that were read. */
    readonly members: readonly number[] = [],
    readonly rows?: ResultSet,
  ) {}

  /** The cursors of the page's records, if the query selects them. */
  get cursors(): (string | undefined)[] {
    return this.members.map((member) => this.rows?.cursors[member]);
  }

  get nodes(): Row[] {
    const { rows } = this;
    return rows ? this.members.map((member) => rows.rows[member]!) : [];
  }

  get totalCount(): number | undefined {
    return this.place.totalCount;
  }

  get edges(): { cursor: string | undefined; node: Row }[] {
    const { cursors, nodes } = this;
    return nodes.map((node, index) => ({ cursor: cursors[index], node }));
  }

  get pageInfo(): PageInfo {
    const { cursors, place } = this;
    const { hasNextPage, hasPreviousPage } = place;
    return { hasNextPage, hasPreviousPage, startCursor: cursors[0] ?? null, endCursor: cursors.at(-1) ?? null };
  }
}

/** The rows of a page as records. */
import type { Context } from '../../context.js';
import { type Columns, countOf, type Part, valuesOf } from './columns.js';
import type { Projection } from './projection.js';
import type { Row } from './select.js';

/** Records as objects, from the columns that PostgreSQL gave. */

/** All records of a part, with those that their relations to one lead to. The same record is the same object. */
function rowsOf(columns: Columns, part: Part): Row[] {
  const members = [...part.fields.keys()].map((name) => [name, valuesOf(columns, part, name)] as const);
  const rows = Array.from({ length: countOf(columns, part) }, (_, index) => {
    const row: Row = {};
    for (const [name, values] of members) row[name] = values[index];
    return row;
  });
  for (const { relation, part: joined } of part.toOne) {
    const found = new Map(rowsOf(columns, joined).map((row) => [row[relation.to], row]));
    for (const row of rows) row[relation.name] = found.get(row[relation.from]) ?? null;
  }
  return rows;
}

/** The records that a projecting statement found, as its columns and as objects, which are made when somebody looks. */

export class ResultSet {
  #rows: Row[] | undefined;
  /** Of each record, where asked for. */
  cursors: readonly string[] = [];

  constructor(
    readonly root: Part,
    readonly columns: Columns,
  ) {}

  get count(): number {
    return countOf(this.columns, this.root);
  }

  get rows(): Row[] {
    this.#rows ??= rowsOf(this.columns, this.root);
    return this.#rows;
  }

  /** A column, also one beside the selected fields. */
  values(name: string): unknown[] {
    return valuesOf(this.columns, this.root, name);
  }
}

/** Runs a statement of the projection's making. */
export async function readResultSet(
  { reads }: Context,
  projection: Projection,
  text: string,
  values: readonly unknown[],
): Promise<ResultSet> {
  const [columns] = await reads.rows<Columns>(text, values, 'binary');
  return new ResultSet(projection.root, columns!);
}

/** A page of a connection: which of the records found are on it, and where it lies. */

interface PagePlace {
  /** How many there are in all, where asked for. */
  totalCount?: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

export class Page {
  constructor(
    readonly place: PagePlace,
    /** Numbers of its records among those found. */
    readonly members: readonly number[] = [],
    readonly found?: ResultSet,
  ) {}

  /** Of its records, where asked for. */
  get cursors(): (string | undefined)[] {
    return this.members.map((member) => this.found?.cursors[member]);
  }

  get rows(): Row[] {
    const { found } = this;
    return found ? this.members.map((member) => found.rows[member]!) : [];
  }
}

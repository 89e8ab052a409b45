/** The records that a projecting statement found, as its columns and as objects, which are made when somebody looks. */
import type { Context } from '../../context.js';
import type { Row } from '../sql/select.js';
import { type Columns, countOf } from './columns.js';
import type { Part, Projection } from './projection.js';
import { rowsOf, valuesOf } from './rows.js';

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

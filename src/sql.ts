/** Statements on the database, as services see them; src/database has what runs them. */

/**
 * Statements with bind parameters, prepared once per connection. Rows are as JSON would have them: times as
 * ISO 8601 with milliseconds and Z, bigint as text, uuid in lower case, bytea as Buffer.
 * A database that is away or busy is thrown as the driver's error; `toGatehouseError` makes it a 503.
 */
export interface Sql {
  /** @param form binary: for statements whose columns are bytea and int alone, sent as they are */
  rows<Row extends object>(text: string, values?: readonly unknown[], form?: 'binary'): Promise<Row[]>;
  /**
   * The first row of `statement.one`, perhaps in one statement with others who ask for the same at the same moment. Those that
   * run by themselves may wait for a row that another transaction holds: on half of the connections at most.
   */
  batchedRow<Row extends object>(statement: SharedStatement, values: readonly unknown[]): Promise<Row>;
  /** One transaction on one connection; commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** The rows of one statement from a cursor, `batch` at a time; all read from one snapshot. @param form as of `rows` */
  stream<Row extends object>(
    text: string,
    values: readonly unknown[],
    batch: number,
    form?: 'binary',
  ): AsyncIterable<Row[]>;
}

/** A statement that one may run for itself, and many at once. */
export interface SharedStatement {
  /** Always gives a row. */
  one: string;
  /**
   * $1, $2… are arrays with a member for each who asks. Gives what `one` would, by `ord`, from 1; whoever gets no row
   * runs `one`. Absent: each does.
   */
  many?: string;
}

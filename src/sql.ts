/** Defines how services run statements; src/database implements it. */

export type StatementForm = 'binary' | 'unprepared';

/**
 * Runs statements with bind parameters, prepared once per connection. Rows have JSON-like values: times as
 * ISO 8601 with milliseconds and Z, bigint as text, uuid in lower case, bytea as Buffer.
 * A database that is away or busy is thrown as the driver's error; `toGatehouseError` makes it a 503.
 */
export interface Sql {
  /**
   * @param form binary: for statements whose columns are only bytea and int, sent in binary form; unprepared: for a transaction that
   * stays open, which holds back the clean-up of old rows after a prepared statement until its next one
   */
  rows<Row extends object>(text: string, values?: readonly unknown[], form?: StatementForm): Promise<Row[]>;
  /**
   * Returns the row for a request, perhaps from one statement for several simultaneous requests. Statements that
   * run for one request may wait for a row that another transaction has locked, on at most half of the connections.
   */
  batchedRow<Row extends object>(statement: SharedStatement, values: NamedValues): Promise<Row>;
  /** Runs a transaction on one connection; commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Streams the rows of one statement from a cursor, `batch` at a time, from one snapshot. @param form as for `rows` */
  stream<Row extends object>(
    text: string,
    values: readonly unknown[],
    batch: number,
    form?: 'binary',
  ): AsyncIterable<Row[]>;
}

/** The values of a request by the names of a statement's types; null is PostgreSQL's null. Other members are ignored. */
export type NamedValues = Readonly<Record<string, unknown>>;

/** A statement for one request or several simultaneous ones. */
export interface SharedStatement {
  /** Names and types of a request's values, in the order of their parameters. */
  types: Readonly<Record<string, string>>;
  /** Always returns a row. */
  one: string;
  /**
   * The parameters are arrays with a member for each request. Returns the rows of `one` by `ord`, from 1; a request without a
   * row runs `one`. Absent: each request runs `one`.
   */
  many?: string;
}

/** The requests of a shared statement, for its SQL. */
interface Requests<Name extends string> {
  /** For `from`: the table `asked`, with a row of values and the number `ord` for each request. */
  rows: string;
  isMany: boolean;
  /** SQL: the value of a single request. */
  value(name: Name): string;
}

/** Makes a statement for one request and for many. Its rows must have their request's `ord`. */
export function shared<Name extends string>(
  types: Record<Name, string>,
  write: (requests: Requests<Name>) => string,
): SharedStatement {
  const [first, ...others] = parametersOf(types, '[]');
  // its length is hidden: for a few requests PostgreSQL would else rather plan anew each time, which costs more than it saves
  const arrays = [`(select ${first})`, ...others];
  const rows = `unnest(${arrays.join(', ')}) with ordinality asked(${Object.keys(types).join(', ')}, ord)`;
  return { ...alone(types, write), many: write({ ...requestOf(types), rows, isMany: true }) };
}

/** Makes a statement that each request runs by itself. */
export const alone = <Name extends string>(
  types: Record<Name, string>,
  write: (requests: Requests<Name>) => string,
): SharedStatement => ({ types, one: write(requestOf(types)) });

const parametersOf = (types: Readonly<Record<string, string>>, suffix: string): string[] =>
  Object.values(types).map((type, index) => `$${index + 1}::${type}${suffix}`);

function requestOf<Name extends string>(types: Record<Name, string>): Requests<Name> {
  const names = Object.keys(types);
  const parameters = parametersOf(types, '');
  return {
    rows: `(values (1, ${parameters.join(', ')})) asked(ord, ${names.join(', ')})`,
    isMany: false,
    value: (name) => parameters[names.indexOf(name)]!,
  };
}

/** Returns the values in the order of the parameters. Throws if one is missing. */
export const valuesOf = ({ types }: SharedStatement, values: NamedValues): unknown[] =>
  Object.keys(types).map((name) => {
    if (values[name] === undefined) throw new Error(`the statement needs ${name}`);
    return values[name];
  });

/** SQL: a moment as text in ISO 8601, in UTC, to the millisecond. */
export const timeText = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

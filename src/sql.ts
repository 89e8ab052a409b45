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
   * The row that answers a request, perhaps from one statement with other requests of the same moment. Those that
   * run by themselves may wait for a row that another transaction holds: on half of the connections at most.
   */
  batchedRow<Row extends object>(statement: SharedStatement, values: NamedValues): Promise<Row>;
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

/** The values of a request by the names of a statement's types; null is PostgreSQL's null. Further ones are ignored. */
export type NamedValues = Readonly<Record<string, unknown>>;

/** A statement that answers one request, or several of the same moment. */
export interface SharedStatement {
  /** Names and types of a request's values, in the order of their parameters. */
  types: Readonly<Record<string, string>>;
  /** Always gives a row. */
  one: string;
  /**
   * The parameters are arrays with a member for each request. Gives the rows of `one` by `ord`, from 1; a request without a
   * row runs `one`. Absent: each request does.
   */
  many?: string;
}

/** The requests of a shared statement, as its SQL names them. */
export interface Requests<Name extends string> {
  /** For `from`: the table `asked` with a row for each request, of its values and its number `ord`. */
  rows: string;
  isMany: boolean;
  /** The value of the only request. */
  value(name: Name): string;
}

/** Writes the text for one request and the text for many. The rows that it gives have their request's `ord`. */
export function shared<Name extends string>(
  types: Record<Name, string>,
  write: (requests: Requests<Name>) => string,
): SharedStatement {
  const arrays = parametersOf(types, '[]');
  const rows = `unnest(${arrays.join(', ')}) with ordinality asked(${Object.keys(types).join(', ')}, ord)`;
  return { ...alone(types, write), many: write({ ...requestOf(types), rows, isMany: true }) };
}

/** A statement that each request runs by itself. */
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

/** The values in the order of the parameters. Throws for a name that is missing. */
export const valuesOf = ({ types }: SharedStatement, values: NamedValues): unknown[] =>
  Object.keys(types).map((name) => {
    if (values[name] === undefined) throw new Error(`the statement needs ${name}`);
    return values[name];
  });

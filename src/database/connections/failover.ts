/**
 * Connects to the hosts of DATABASE_URL: to the one that last worked, or, if that fails or is read-only, to the next
 * ones, each with a fair part of the timeout.
 */
import pg, { type Pool, type PoolClient } from 'pg';
import { type DatabaseHost, readDatabaseUrl } from '../../config/databaseUrl.js';
import { readBinaryRows } from '../../engine/binaryRows.js';
import { checkAddress } from '../../engine/pgInside.js';

export type Hosts = ReturnType<typeof openHosts>;

// https://www.postgresql.org/docs/18/errcodes-appendix.html
const readOnly = '25006';
const diskFull = '53100';
const diskFullKeptMs = 60_000;

/** A connection to one host could not be made. */
class HostFailed extends Error {
  override readonly name = 'HostFailed';
  constructor(
    readonly host: DatabaseHost,
    override readonly cause: Error,
  ) {
    super(`${host.name}: ${cause.message || (cause as { code?: string }).code}`, { cause });
  }
}

/** The server is read-only. Has the SQLSTATE of PostgreSQL for that. */
class TakesNoWrites extends Error {
  override readonly name = 'TakesNoWrites';
  readonly code = readOnly;
}

class NoHost extends Error {
  override readonly name = 'NoHost';
  readonly code = 'NO_HOST';
}

type Connected = (error: Error | null) => void;

/** Marks what kept a connection from being opened, or ended it: whatever it was, the database is away. */
const asAway = (error: Error): Error => Object.assign(error, { isDatabaseAway: true });

interface SessionConfig extends pg.ClientConfig {
  /** Removes the role's time limits for statements and transactions. */
  unlimited?: boolean;
}

/**
 * A statement that writes JSON has hundreds of expressions: JIT compilation takes half a minute, and
 * the statement a tenth of a second without it. https://www.postgresql.org/docs/18/jit-decision.html
 */
const withoutCompiling = 'set jit = off';
/** Overrides defaults of role and database: with read committed no statement fails because of a concurrent commit. */
const readCommitted = `set default_transaction_isolation = 'read committed'`;
/** How times and numbers arrive (`SQL, DMY` would exchange day and month) and how the texts of our statements are read. */
const waysOfWriting = 'set datestyle = iso; set extra_float_digits = 1; set standard_conforming_strings = on';
/** Not every version of PostgreSQL has all of them. */
const withoutLimits = `select set_config(name, '0', false) from pg_settings where name in
  ('statement_timeout', 'transaction_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`;

/** @param timeoutMs longest wait for a connection, over all hosts */
export function openHosts(url: string, timeoutMs: number) {
  const { hosts, writable } = readDatabaseUrl(url);
  const open = new Map<pg.Client, DatabaseHost>();
  // the host that last worked, or the next to try
  let current = 0;
  let diskFullAt = Number.NEGATIVE_INFINITY;

  class HostClient extends pg.Client {
    readonly #host = hosts[current]!;
    readonly #settings: string;

    constructor(options: SessionConfig) {
      const connectionTimeoutMillis = Math.ceil(timeoutMs / hosts.length);
      super({ ...options, connectionString: hosts[current]!.url, connectionTimeoutMillis });
      this.#settings = `${withoutCompiling}; ${readCommitted}; ${waysOfWriting}${options.unlimited ? `; ${withoutLimits}` : ''}`;
      readBinaryRows(this);
      checkAddress(this);
      // the user of the connection gets the error from its statement; without a listener a lost connection would end the process
      this.on('error', asAway);
    }

    override connect(...[callback]: unknown[]): never {
      if (callback) return this.#begin(callback as Connected) as never;
      const connected = Promise.withResolvers<this>();
      this.#begin((error) => (error ? connected.reject(error) : connected.resolve(this)));
      return connected.promise as never;
    }

    #begin(callback: Connected): void {
      super.connect((error: Error | null) => {
        if (error) return callback(this.#failed(error));
        super.query(`${this.#settings}; show transaction_read_only`, (refusal: Error | null, results) => {
          const isReadOnly = !refusal && readOnlyOf(results as unknown as pg.QueryResult[]) === 'on';
          if (!refusal && !(writable && isReadOnly)) return callback(this.#worked());
          callback(this.#failed(refusal ?? new TakesNoWrites('takes no writes')));
          void super.end();
        });
      });
    }

    #worked(): null {
      open.set(this, this.#host);
      this.once('end', () => open.delete(this));
      return null;
    }

    #failed(error: Error): Error {
      asAway(error);
      if (hosts.length === 1) return error;
      if (hosts[current] === this.#host) current = (current + 1) % hosts.length;
      return new HostFailed(this.#host, error);
    }
  }

  return {
    count: hosts.length,
    /** For messages. */
    names: [...new Set(hosts.map(({ name }) => name))].join(', '),
    /** The connection class for pools. */
    Client: HostClient as typeof pg.Client,
    /** Handles a failed statement: a read-only server and a full disk are noticed. */
    failed(client: pg.Client, code: unknown): void {
      if (code === diskFull) diskFullAt = performance.now();
      if (code !== readOnly) return;
      const host = open.get(client);
      // idle connections to a demoted server are outdated too
      for (const [candidate, clientHost] of open)
        if (candidate === client || (writable && clientHost === host)) destroyClient(candidate);
    },
    /** Whether a write failed in the last minute because the disk of the server was full. */
    isDiskFull: () => performance.now() - diskFullAt < diskFullKeptMs,
  };
}

const readOnlyOf = (results: pg.QueryResult[]): string => results.at(-1)!.rows[0].transaction_read_only;

/** Removes an idle connection from its pool at once, a used one when it is released; its waiting user gets an error. */
function destroyClient(client: pg.Client): void {
  client.emit('error', new Error('Connection ended: the server takes no writes'));
  void client.end();
}

// a wrong password or database name fails on every host; pg_hba.conf (28000) may demand or refuse encryption
const sameOnEveryHost = /^(28P01|3D)/;
const codeOf = ({ cause }: HostFailed): string => String((cause as { code?: string }).code);
const isHostFailure = (error: unknown): error is HostFailed =>
  error instanceof HostFailed && !sameOnEveryHost.test(codeOf(error));

/** Tries all hosts within the timeout. */
export function tryEachHost(pool: Pool, { count }: Hosts, timeoutMs: number): void {
  if (count === 1) return;
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const connectToAny = async (): Promise<PoolClient> => {
    const until = performance.now() + timeoutMs;
    const failures: HostFailed[] = [];
    for (;;) {
      try {
        return await inTime(connect(), until);
      } catch (error) {
        if (!isHostFailure(error)) throw error instanceof HostFailed ? error.cause : error;
        failures.push(error);
        if (failures.length === count || performance.now() >= until) throw noneOf(failures);
      }
    }
  };
  pool.connect = ((callback?: (error?: Error, client?: PoolClient, done?: PoolClient['release']) => void) => {
    if (!callback) return connectToAny();
    connectToAny().then((client) => callback(undefined, client, client.release), callback);
  }) as Pool['connect'];
}

function noneOf(failures: HostFailed[]): Error {
  const refusal = failures.find((failure) => codeOf(failure).startsWith('28'));
  if (refusal) return refusal.cause;
  const reasons = failures.map(({ message }) => message).join('; ');
  return new NoHost(`no host of the database can be used: ${reasons}`, { cause: failures.at(-1)!.cause });
}

/** Waits for a connection; one that comes after the timeout goes back to the pool. */
async function inTime(connecting: Promise<PoolClient>, until: number): Promise<PoolClient> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timeout exceeded when trying to connect')), until - performance.now());
  });
  try {
    return await Promise.race([connecting, late]);
  } catch (error) {
    connecting.then((client) => client.release()).catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

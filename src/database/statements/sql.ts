/** Runs the statements of services: prepared by name, with bound values, cancellable, streamed. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { DatabaseError, type Pool, type PoolClient, TypeOverrides, types } from 'pg';
import Cursor from 'pg-cursor';
import { openBatcher } from '../../engine/batching.js';
import { askForBytes, destroyConnection, forgetPrepared, requestCancel } from '../../engine/pgInside.js';
import { type NamedValues, type SharedStatement, type Sql, type StatementForm, valuesOf } from '../../sql.js';
import type { ConnectionShare } from './shares.js';

interface PreparedNamesOptions {
  /** Maximum number of names, and of statements that a connection has prepared. */
  namesMax?: number;
  /** Maximum length of all their texts together. */
  charactersMax?: number;
  /** Statements remembered after their first use; the oldest are dropped. */
  onceMax?: number;
}

/**
 * Names prepared statements. Only repeated statements get a name, and the most recently used names are kept. What a
 * connection has prepared, here and in PostgreSQL, is kept until all of it is deallocated, within the same bound.
 */
export function openPreparedNames(options: PreparedNamesOptions = {}) {
  const { namesMax = 1_000, charactersMax = 2_000_000, onceMax = 1_000 } = options;
  const names = new LRUCache<string, string>({
    max: namesMax,
    maxSize: charactersMax,
    sizeCalculation: (_name, text) => Math.max(1, text.length),
  });
  const once = new Set<string>();
  const prepared = new WeakMap<PoolClient, { names: Set<string>; characters: number }>();

  /** Whether the statement is remembered from an earlier use. */
  function isRepeated(name: string): boolean {
    if (once.delete(name)) return true;
    once.add(name);
    if (once.size > onceMax) once.delete(once.values().next().value!);
    return false;
  }

  return {
    /** Returns the name of a statement; undefined at its first use, and for a text that is too long: it is parsed each time. */
    nameOf(text: string): string | undefined {
      const cached = names.get(text);
      if (cached || text.length > charactersMax) return cached;
      const name = `g${hash('sha256', text, 'base64url').slice(0, 22)}`;
      if (!isRepeated(name)) return undefined;
      names.set(text, name);
      return name;
    },
    /** Notes that the connection prepares the statement, and returns whether it must first deallocate the others. */
    isFull(client: PoolClient, name: string, text: string): boolean {
      const statements = prepared.get(client);
      if (statements?.names.has(name)) return false;
      if (statements && statements.names.size < namesMax && statements.characters + text.length <= charactersMax) {
        statements.names.add(name);
        statements.characters += text.length;
        return false;
      }
      prepared.set(client, { names: new Set([name]), characters: text.length });
      return statements !== undefined;
    },
  };
}

export interface SqlOptions {
  onStatement?: ((text: string) => void) | undefined;
  /** Whether statements are prepared by name; absent: they are. */
  named?: boolean;
  /** Longest wait for a batch of a stream's rows, and longest life of a stream, in milliseconds; absent or 0: no limit. */
  batchTimeoutMs?: number;
  streamTimeoutMs?: number;
  /** Aborted when nobody waits for the answer any more; its reason is thrown then. Absent: the signal of the share. */
  signal?: AbortSignal | undefined;
  /** The caller's share of the connections; absent: the pool has no shares. */
  share?: ConnectionShare | undefined;
  /** Begins the transaction for each read; absent: reads run without one. Throws NotFresh. */
  beginRead?: (client: PoolClient) => Promise<void>;
  /** Maximum number of requests that wait for a batch; absent: no limit. */
  waitingMax?: number | undefined;
  /** Their longest wait, in milliseconds; 5,000. */
  timeoutMs?: number;
}

interface Runner extends Omit<SqlOptions, 'waitingMax' | 'timeoutMs'> {
  pool: Pool;
}

const connectTo = ({ pool, share }: Runner): Promise<PoolClient> => share?.connect?.(pool) ?? pool.connect();

/** The connection is usable and shows another state than the required one. */
export class NotFresh extends Error {
  override readonly name = 'NotFresh';
}

const rowTypes = new TypeOverrides();
rowTypes.setTypeParser(types.builtins.TIMESTAMPTZ, isoTime);
rowTypes.setTypeParser(types.builtins.INT8, (text: string) => text);
rowTypes.setTypeParser(types.builtins.BYTEA, 'binary', (bytes: Buffer) => bytes);

/** PostgreSQL's `2026-01-02 03:04:05.6+00` as `2026-01-02T03:04:05.600Z`. */
function isoTime(text: string): string {
  if (text.length < 22 || !text.endsWith('+00')) return new Date(text).toISOString();
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  return `${seconds}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}

const preparedNames = openPreparedNames();

async function run<Row>(
  client: PoolClient,
  { onStatement, named = true }: Runner,
  text: string,
  values: readonly unknown[],
  form?: StatementForm,
): Promise<Row[]> {
  onStatement?.(text);
  const name = named && form !== 'unprepared' ? preparedNames.nameOf(text) : undefined;
  if (name && preparedNames.isFull(client, name, text)) await forgetPrepared(client);
  // the types of pg don't know `binary`
  const further = { binary: form === 'binary', ...(name && { name }) };
  const result = await client.query({ text, values: values as unknown[], types: rowTypes, ...further });
  return result.rows as Row[];
}

interface Bounds {
  /** Aborted when nobody waits for the answer any more; its reason is thrown then. */
  signal?: AbortSignal | undefined;
  /** Longest run, in milliseconds; 0: no limit. */
  timeoutMs?: number;
  /** Makes the error of a timeout; absent: the statement's own error. */
  overdue?: (() => unknown) | undefined;
}

/** A statement that a cancellation doesn't end in this time is ended with its connection. */
const cancelTimeoutMs = 1_000;

/** Returns the result of `run` on the connection. Throws the reason of the aborted `signal`, or the statement's own error. */
async function runWithin<T>(
  client: PoolClient,
  { signal, timeoutMs = 0, overdue }: Bounds,
  run: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  let cancelling: Promise<void> | undefined;
  let giveUp: NodeJS.Timeout | undefined;
  const cancel = () => {
    cancelling ??= requestCancel(client, cancelTimeoutMs);
    giveUp ??= setTimeout(() => destroyConnection(client), cancelTimeoutMs);
  };
  let isOverdue = false;
  const end = () => {
    isOverdue = true;
    cancel();
  };
  const timeout = timeoutMs > 0 ? setTimeout(end, timeoutMs) : undefined;
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await run();
  } catch (error) {
    signal?.throwIfAborted();
    throw isOverdue && overdue ? overdue() : error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    clearTimeout(timeout);
    clearTimeout(giveUp);
    // otherwise it could cancel the next statement
    await cancelling;
  }
}

/** Streams rows. A reader that stops releases the connection by `return()`; an aborted signal cancels the running batch. */
async function* streamRows<Row extends object>(
  runner: Runner,
  text: string,
  values: readonly unknown[],
  batch: number,
  form?: 'binary',
): AsyncGenerator<Row[]> {
  const { signal, share, batchTimeoutMs: timeoutMs = 0, onStatement } = runner;
  const client = await connectTo(runner);
  let cursor: OpenCursor<Row> | undefined;
  try {
    await runWithin(client, { signal }, () => begin(client, runner));
    onStatement?.(text);
    cursor = openCursor<Row>(client, text, values, { form, closeTimeoutMs: timeoutMs });
    const read = () => runWithin(client, { signal, timeoutMs, overdue: share?.overdue }, () => cursor!.read(batch));
    for (let rows = await read(); rows.length > 0; rows = await read()) {
      yield rows;
      if (rows.length < batch) break;
    }
  } finally {
    const failure = await (cursor ? cursor.close() : rollback(client));
    // looked up only now: when the connection ended meanwhile, the pool has it back already (releaseLostConnections)
    client.release(failure);
  }
}

// a pooler may use another server connection than the one that was configured when it opened
const withoutCompiling = 'set local jit = off';

async function begin(client: PoolClient, { beginRead, streamTimeoutMs = 0 }: Runner): Promise<void> {
  // a slow reader makes the statement slow
  const limits = `set local statement_timeout = ${streamTimeoutMs}; ${withoutCompiling}`;
  if (beginRead) await beginRead(client);
  await client.query(beginRead ? limits : `begin read only; ${limits}`);
}

interface OpenCursor<Row> {
  read(count: number): Promise<Row[]>;
  /** Closes the cursor and ends the transaction; returns the connection's error, if any. */
  close(): Promise<Error | undefined>;
}

interface CursorOptions {
  form: 'binary' | undefined;
  /** Longest wait until the cursor is closed, in milliseconds; then its connection is ended. 0: no limit. */
  closeTimeoutMs: number;
}

function openCursor<Row>(
  client: PoolClient,
  text: string,
  values: readonly unknown[],
  { form, closeTimeoutMs }: CursorOptions,
): OpenCursor<Row> {
  const cursor = new Cursor<Row>(text, values as unknown[], { types: rowTypes } as never);
  if (form === 'binary') askForBytes(cursor);
  const ended = watchEnd(client);
  client.query(cursor);
  let hasFailed = false;
  return {
    async read(count) {
      try {
        return await ended.orEnd(cursor.read(count));
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    },
    async close() {
      const giveUp = closeTimeoutMs > 0 ? setTimeout(() => destroyConnection(client), closeTimeoutMs) : undefined;
      try {
        // a failed cursor never reports that it is closed
        if (!hasFailed) await ended.orEnd(cursor.close());
        return await rollback(client);
      } catch (error) {
        return error as Error;
      } finally {
        clearTimeout(giveUp);
        ended.forget();
      }
    },
  };
}

/** Ends a transaction that wrote nothing. Returns the connection's error, if any. */
const rollback = (client: PoolClient): Promise<Error | undefined> =>
  client.query('rollback').then(noError, returnError);

const noError = () => undefined;
const returnError = (error: Error): Error => error;

/** A cursor does not always report that its connection ended: at its last rows, and when it is closed, it would wait for ever. */
function watchEnd(client: PoolClient) {
  let hasEnded = false;
  // of the present work only: a race with one promise would keep the rows of every batch until the end of the list
  let reject: ((error: Error) => void) | undefined;
  const fail = () => reject?.(new Error('Connection terminated'));
  const end = () => {
    hasEnded = true;
    fail();
  };
  client.once('end', end);
  return {
    /** Returns the result of the work. Throws if the connection ends first, or has ended. */
    orEnd<T>(work: Promise<T>): Promise<T> {
      const outcome = Promise.withResolvers<T>();
      reject = outcome.reject;
      if (hasEnded) fail();
      work.then(outcome.resolve, outcome.reject);
      return outcome.promise;
    },
    forget: () => client.off('end', end),
  };
}

// more at once make the batches smaller, fewer make the next ones wait longer
const batchesAtOnce = 3;
const batchSizeMax = 32;
const holdBackMs = 3;

async function runSingle<Row>(
  runner: Runner,
  text: string,
  values: readonly unknown[],
  form?: StatementForm,
): Promise<Row[]> {
  const { signal, beginRead, share } = runner;
  signal?.throwIfAborted();
  const client = await connectTo(runner);
  const endRun = share?.beginRun?.();
  let broken: Error | undefined;
  try {
    const read = async () => {
      await beginRead?.(client);
      return run<Row>(client, runner, text, values, form);
    };
    return await (signal ? runWithin(client, { signal }, read) : read());
  } catch (error) {
    if (!signal?.aborted && !isPlainRefusal(error)) broken = error as Error;
    if (runner.named === false || !isStalePlan(error)) throw isCancelled(error) ? (share?.overdue?.() ?? error) : error;
  } finally {
    endRun?.();
    releaseClient(client, runner, broken);
  }
  return runSingle({ ...runner, named: false }, text, values, form);
}

/** Ends the transaction of a read before releasing its connection; the reader does not wait for that. */
function releaseClient(client: PoolClient, { beginRead }: Runner, broken: Error | undefined): void {
  if (broken || !beginRead) client.release(broken);
  else
    client.query('commit').then(
      () => client.release(),
      (error: Error) => client.release(error),
    );
}

// https://www.postgresql.org/docs/18/errcodes-appendix.html: data, constraints, rollbacks, wrong statements, locks, cancelled
const refusedStates = /^(2[1-3]|4[024]|55|57014)/;

/** Whether the statement was wrong or refused and the connection is still usable. The severity is in the language of the server. */
const isPlainRefusal = (error: unknown): boolean =>
  error instanceof NotFresh ||
  (error instanceof DatabaseError &&
    (error.severity === 'ERROR' || refusedStates.test(error.code ?? '')) &&
    !isStalePlan(error));

/**
 * Whether the server's statement timeout cancelled it; for an aborted signal its reason is thrown instead. Only the words tell that it
 * was pg_cancel_backend, where the server speaks English.
 */
const isCancelled = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '57014' && !error.message.endsWith('due to user request');

/**
 * Whether a migration changed a prepared statement's result: it was refused without effect, and succeeds when it is parsed again. The
 * message is in the language of the server.
 */
const isStalePlan = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

export function openSql(pool: Pool, options: SqlOptions = {}): Sql {
  const { waitingMax = Number.POSITIVE_INFINITY, timeoutMs = 5_000, ...rest } = options;
  const runner: Runner = { signal: rest.share?.signal, ...rest, pool };
  const rows: Sql['rows'] = (text, values = [], form) => runSingle(runner, text, values, form);
  const together = openBatcher({
    rows,
    atOnce: batchesAtOnce,
    singlesMax: Math.max(1, Math.floor(pool.options.max / 2)),
    sizeMax: batchSizeMax,
    holdBackMs,
    waitingMax,
    timeoutMs,
  });
  return {
    rows,
    batchedRow: <Row extends object>(statement: SharedStatement, values: NamedValues) =>
      together(statement, values) as Promise<Row>,
    transaction: (work) => inTransaction(runner, work),
    stream: (text, values, batch, form) => streamRows(runner, text, values, batch, form),
  };
}

async function inTransaction<T>(runner: Runner, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await connectTo(runner);
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(onClient(client, runner));
    await client.query('commit');
    return result;
  } catch (error) {
    // a connection that can't roll back is closed
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

function onClient(client: PoolClient, runner: Runner): Sql {
  const sql: Sql = {
    rows: (text, values = [], form) => run(client, runner, text, values, form),
    // inside a transaction nothing is batched
    batchedRow: async <Row extends object>(statement: SharedStatement, values: NamedValues) =>
      (await run<Row>(client, runner, statement.one, valuesOf(statement, values)))[0]!,
    transaction: (work) => work(sql),
    stream: () => {
      throw new Error('a stream needs a connection of its own');
    },
  };
  return sql;
}

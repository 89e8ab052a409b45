/** Plain statements on a pool, each alone, shared with others, in a transaction, or streamed. */
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import type { SharedStatement, Sql } from '../../sql.js';
import { openBatcher } from './batching.js';
import { runWithin } from './cancel.js';
import { connectTo, NotFresh, type Runner, run } from './runner.js';
import { streamRows } from './stream.js';

export interface SqlOptions extends Partial<Omit<Runner, 'pool'>> {
  /** Most that wait to go together; absent: no limit. */
  waitingMax?: number | undefined;
  /** Their longest wait, in milliseconds; 5,000. */
  timeoutMs?: number;
}

// more at once make the batches smaller, fewer make the next ones wait longer
const batchesAtOnce = 3;
const batchSizeMax = 32;

async function runSingle<Row>(
  runner: Runner,
  text: string,
  values: readonly unknown[],
  form?: 'binary',
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
    if (!runner.named || !isStalePlan(error)) throw isCancelled(error) ? (share?.overdue?.() ?? error) : error;
  } finally {
    endRun?.();
    releaseClient(client, runner, broken);
  }
  return runSingle({ ...runner, named: false }, text, values, form);
}

/** The transaction of a read ends first, and nobody waits for that. */
function releaseClient(client: PoolClient, { beginRead }: Runner, broken: Error | undefined): void {
  if (broken || !beginRead) client.release(broken);
  else
    client.query('commit').then(
      () => client.release(),
      (error: Error) => client.release(error),
    );
}

/** The statement was wrong or refused, and the connection is as good as before. */
const isPlainRefusal = (error: unknown): boolean =>
  error instanceof NotFresh || (error instanceof DatabaseError && error.severity === 'ERROR' && !isStalePlan(error));

/** By the server's own time for a statement, for the signal's reason was thrown otherwise. */
const isCancelled = (error: unknown): boolean => error instanceof DatabaseError && error.code === '57014';

/** A migration changed what a prepared statement gives: it was refused without effect, and works on being parsed anew. */
const isStalePlan = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.message.includes('cached plan');

export function openSql(pool: Pool, options: SqlOptions = {}): Sql {
  const {
    onStatement,
    named = true,
    batchTimeoutMs = 0,
    streamTimeoutMs = 0,
    waitingMax = Number.POSITIVE_INFINITY,
    timeoutMs = 5_000,
    share,
    signal = share?.signal,
    beginRead,
  } = options;
  const runner: Runner = { pool, onStatement, named, batchTimeoutMs, streamTimeoutMs, signal, share, beginRead };
  const rows: Sql['rows'] = (text, values = [], form) => runSingle(runner, text, values, form);
  const together = openBatcher({
    rows,
    atOnce: batchesAtOnce,
    singlesMax: Math.max(1, Math.floor(pool.options.max / 2)),
    sizeMax: batchSizeMax,
    waitingMax,
    timeoutMs,
  });
  return {
    rows,
    batchedRow: <Row extends object>(statement: SharedStatement, values: readonly unknown[]) =>
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
    // a connection that can't even roll back is thrown away
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
    batchedRow: async <Row extends object>({ one }: SharedStatement, values: readonly unknown[]) =>
      (await run<Row>(client, runner, one, values))[0]!,
    transaction: (work) => work(sql),
    stream: () => {
      throw new Error('a stream needs a connection of its own');
    },
  };
  return sql;
}

/** Plain statements on the pool: prepared by name, values always bound. */
import { DatabaseError, type Pool, type PoolClient, TypeOverrides, types } from 'pg';
import Cursor from 'pg-cursor';
import type { SharedStatement, Sql } from '../context.js';
import { openStatementNames } from './statementNames.js';
import { openTogether } from './together.js';

type OnStatement = ((text: string) => void) | undefined;

const rowTypes = new TypeOverrides();
rowTypes.setTypeParser(types.builtins.TIMESTAMPTZ, isoTime);
rowTypes.setTypeParser(types.builtins.INT8, (text: string) => text);

/** PostgreSQL's `2026-01-02 03:04:05.6+00` as `2026-01-02T03:04:05.600Z`. */
export function isoTime(text: string): string {
  if (text.length < 22 || !text.endsWith('+00')) return new Date(text).toISOString();
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  return `${seconds}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}

const statementName = openStatementNames();

interface Runner {
  pool: Pool;
  onStatement: OnStatement;
  /** Whether statements are prepared by name. */
  named: boolean;
  /** Longest life of a stream, in milliseconds; 0: no limit. */
  streamMsMax: number;
  /** What a connection must pass before it is used. */
  require: ((client: PoolClient) => Promise<void>) | undefined;
}

/** A connection that shows less than is asked for; there is nothing wrong with it. */
export class NotFresh extends Error {
  override readonly name = 'NotFresh';
}

async function acquire({ pool, require }: Runner): Promise<PoolClient> {
  const client = await pool.connect();
  try {
    await require?.(client);
    return client;
  } catch (error) {
    client.release(error instanceof NotFresh ? undefined : (error as Error));
    throw error;
  }
}

export interface SqlOptions extends Partial<Omit<Runner, 'pool'>> {
  /** Most that wait to go together; absent: no limit. */
  waitingMax?: number | undefined;
  /** Their longest wait, in milliseconds; 5,000. */
  timeoutMs?: number;
}

// more at once make the batches smaller, fewer make the next ones wait longer
const togetherAtOnce = 3;
const togetherMax = 32;

async function run<Row>(
  client: PoolClient,
  { onStatement, named }: Runner,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  onStatement?.(text);
  const name = named ? statementName(text) : undefined;
  const result = await client.query({ text, values: values as unknown[], types: rowTypes, ...(name && { name }) });
  return result.rows as Row[];
}

async function runAlone<Row>(runner: Runner, text: string, values: readonly unknown[]): Promise<Row[]> {
  const client = await acquire(runner);
  let broken: Error | undefined;
  try {
    return await run<Row>(client, runner, text, values);
  } catch (error) {
    if (!isPlainRefusal(error)) broken = error as Error;
    if (!runner.named || !isStalePlan(error)) throw error;
  } finally {
    client.release(broken);
  }
  return runAlone({ ...runner, named: false }, text, values);
}

/** The statement was wrong or refused, and the connection is as good as before. */
const isPlainRefusal = (error: unknown): boolean =>
  error instanceof DatabaseError && error.severity === 'ERROR' && !isStalePlan(error);

/** A migration changed what a prepared statement gives: it was refused without effect, and works on being parsed anew. */
const isStalePlan = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.message.includes('cached plan');

export function openSql(pool: Pool, options: SqlOptions = {}): Sql {
  const {
    onStatement,
    named = true,
    streamMsMax = 0,
    waitingMax = Number.POSITIVE_INFINITY,
    timeoutMs = 5_000,
    require,
  } = options;
  const runner: Runner = { pool, onStatement, named, streamMsMax, require };
  const rows: Sql['rows'] = (text, values = []) => runAlone(runner, text, values);
  const together = openTogether({ rows, atOnce: togetherAtOnce, sizeMax: togetherMax, waitingMax, timeoutMs });
  return {
    rows,
    rowTogether: <Row extends object>(statement: SharedStatement, values: readonly unknown[]) =>
      together(statement, values) as Promise<Row>,
    transaction: (work) => inTransaction(runner, work),
    stream: (text, values, batch) => readInBatches(runner, text, values, batch),
  };
}

async function inTransaction<T>(runner: Runner, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await runner.pool.connect();
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
    rows: (text, values = []) => run(client, runner, text, values),
    // who is in a transaction goes alone
    rowTogether: async <Row extends object>({ one }: SharedStatement, values: readonly unknown[]) =>
      (await run<Row>(client, runner, one, values))[0]!,
    transaction: (work) => work(sql),
    stream: () => {
      throw new Error('a stream needs a connection of its own');
    },
  };
  return sql;
}

async function* readInBatches<Row extends object>(
  runner: Runner,
  text: string,
  values: readonly unknown[],
  batch: number,
): AsyncGenerator<Row[]> {
  const { onStatement, streamMsMax } = runner;
  const client = await acquire(runner);
  const ended = untilEnd(client);
  let broken: Error | undefined;
  try {
    // whoever reads slowly makes the statement slow
    await client.query(`begin read only; set local statement_timeout = ${streamMsMax}`);
    onStatement?.(text);
    const cursor = client.query(new Cursor<Row>(text, values as unknown[], { types: rowTypes } as never));
    try {
      for (let rows = await cursor.read(batch); rows.length > 0; rows = await cursor.read(batch)) {
        yield rows;
        if (rows.length < batch) break;
      }
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      // a cursor that failed, or whose connection is gone, never says that it is closed
      if (!broken)
        broken = (await Promise.race([cursor.close().catch((failure: Error) => failure), ended.promise])) ?? undefined;
      if (!broken) broken = await client.query('commit').then(noError, (failure: Error) => failure);
    }
  } finally {
    ended.forget();
    client.release(broken);
  }
}

const noError = () => undefined;

/** Resolves with an error when the connection ends. */
function untilEnd(client: PoolClient): { promise: Promise<Error>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<Error>();
  const tell = () => resolve(new Error('Connection ended'));
  client.once('end', tell);
  return { promise, forget: () => client.off('end', tell) };
}

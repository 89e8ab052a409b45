/** Plain statements on the pool: prepared by name, values always bound. */
import { createHash } from 'node:crypto';
import { type Pool, type PoolClient, TypeOverrides, types } from 'pg';
import Cursor from 'pg-cursor';
import type { Sql } from '../context.js';

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

const names = new Map<string, string>();
const namesMax = 2_000;

/** The name that a statement is prepared under; none for the ones past the bound, which are parsed each time. */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known) return known;
  if (names.size >= namesMax) return undefined;
  const name = `g${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
  names.set(text, name);
  return name;
}

async function run<Row>(
  client: Pool | PoolClient,
  onStatement: OnStatement,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  onStatement?.(text);
  const name = statementName(text);
  const result = await client.query({ text, values: values as unknown[], types: rowTypes, ...(name && { name }) });
  return result.rows as Row[];
}

export function openSql(pool: Pool, onStatement?: (text: string) => void): Sql {
  return {
    rows: (text, values = []) => run(pool, onStatement, text, values),
    transaction: (work) => inTransaction(pool, onStatement, work),
    stream: (text, values, batch) => readInBatches(pool, onStatement, text, values, batch),
  };
}

async function inTransaction<T>(pool: Pool, onStatement: OnStatement, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(onClient(client, onStatement));
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

function onClient(client: PoolClient, onStatement: OnStatement): Sql {
  const sql: Sql = {
    rows: (text, values = []) => run(client, onStatement, text, values),
    transaction: (work) => work(sql),
    stream: () => {
      throw new Error('a stream needs a connection of its own');
    },
  };
  return sql;
}

async function* readInBatches<Row extends object>(
  pool: Pool,
  onStatement: OnStatement,
  text: string,
  values: readonly unknown[],
  batch: number,
): AsyncGenerator<Row[]> {
  const client = await pool.connect();
  const ended = untilEnd(client);
  let broken: Error | undefined;
  try {
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
    }
  } finally {
    ended.forget();
    client.release(broken);
  }
}

/** Resolves with an error when the connection ends. */
function untilEnd(client: PoolClient): { promise: Promise<Error>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<Error>();
  const tell = () => resolve(new Error('Connection ended'));
  client.once('end', tell);
  return { promise, forget: () => client.off('end', tell) };
}

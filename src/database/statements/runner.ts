/** How a statement is run on a connection: prepared by name, values always bound, rows as services see them. */
import { type Pool, type PoolClient, TypeOverrides, types } from 'pg';
import { forgetPrepared, openPreparedNames } from './preparedNames.js';
import type { Share } from './shares.js';

export interface Runner {
  pool: Pool;
  onStatement: ((text: string) => void) | undefined;
  /** Whether statements are prepared by name. */
  named: boolean;
  /** Longest wait for a batch of a stream's rows, and longest life of a stream, in milliseconds; 0: no limit. */
  batchTimeoutMs: number;
  streamTimeoutMs: number;
  /** Aborted when nobody waits for the answer any more; its reason is thrown then. */
  signal: AbortSignal | undefined;
  /** Of the caller in the connections; absent: the pool has no shares. */
  share: Share | undefined;
  /** Begins the transaction that each read runs in; absent: a read has none of its own. Throws NotFresh. */
  beginRead: ((client: PoolClient) => Promise<void>) | undefined;
}

export const connectTo = ({ pool, share }: Runner): Promise<PoolClient> => share?.connect?.(pool) ?? pool.connect();

/** A connection that shows another state than is asked for; there is nothing wrong with it. */
export class NotFresh extends Error {
  override readonly name = 'NotFresh';
}

export const rowTypes = new TypeOverrides();
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

export async function run<Row>(
  client: PoolClient,
  { onStatement, named }: Runner,
  text: string,
  values: readonly unknown[],
  form?: 'binary',
): Promise<Row[]> {
  onStatement?.(text);
  const name = named ? preparedNames.nameOf(text) : undefined;
  if (name && preparedNames.isFull(client, name, text)) await forgetPrepared(client);
  // the types of pg don't know `binary`
  const further = { binary: form === 'binary', ...(name && { name }) };
  const result = await client.query({ text, values: values as unknown[], types: rowTypes, ...further });
  return result.rows as Row[];
}

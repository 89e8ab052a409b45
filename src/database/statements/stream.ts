/** The rows of one statement from a cursor, all of one snapshot, each batch read when it is asked for. */
import type { PoolClient } from 'pg';
import Cursor from 'pg-cursor';
import { runWithin } from './cancel.js';
import { connectTo, type Runner, rowTypes } from './runner.js';

/** Whoever stops reading gives the connection back by `return()`; an aborted signal has the batch under way cancelled. */
export async function* streamRows<Row extends object>(
  runner: Runner,
  text: string,
  values: readonly unknown[],
  batch: number,
  form?: 'binary',
): AsyncGenerator<Row[]> {
  const { signal, share, batchTimeoutMs: timeoutMs, onStatement } = runner;
  const client = await connectTo(runner);
  let cursor: OpenCursor<Row> | undefined;
  try {
    await runWithin(client, { signal }, () => begin(client, runner));
    onStatement?.(text);
    cursor = openCursor<Row>(client, text, values, form);
    const read = () => runWithin(client, { signal, timeoutMs, overdue: share?.overdue }, () => cursor!.read(batch));
    for (let rows = await read(); rows.length > 0; rows = await read()) {
      yield rows;
      if (rows.length < batch) break;
    }
  } finally {
    client.release(await (cursor ? cursor.close() : rollback(client)));
  }
}

// a pooler's connection is not the one that was set so at its opening
const withoutCompiling = 'set local jit = off';

async function begin(client: PoolClient, { beginRead, streamTimeoutMs }: Runner): Promise<void> {
  // whoever reads slowly makes the statement slow
  const limits = `set local statement_timeout = ${streamTimeoutMs}; ${withoutCompiling}`;
  if (beginRead) await beginRead(client);
  await client.query(beginRead ? limits : `begin read only; ${limits}`);
}

interface OpenCursor<Row> {
  read(count: number): Promise<Row[]>;
  /** Ends the transaction too; gives what is wrong with the connection afterwards. */
  close(): Promise<Error | undefined>;
}

function openCursor<Row>(
  client: PoolClient,
  text: string,
  values: readonly unknown[],
  form: 'binary' | undefined,
): OpenCursor<Row> {
  const ended = untilEnd(client);
  const cursor = new Cursor<Row>(text, values as unknown[], { types: rowTypes } as never);
  if (form === 'binary') askForBytes(cursor);
  client.query(cursor);
  let hasFailed = false;
  return {
    async read(count) {
      try {
        return await cursor.read(count);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    },
    async close() {
      try {
        // one that failed, or whose connection is gone, never says that it is closed
        const closing = hasFailed ? undefined : cursor.close().then(noError, asGiven);
        return (closing && (await Promise.race([closing, ended.promise]))) ?? (await rollback(client));
      } finally {
        ended.forget();
      }
    },
  };
}

/** As pg's own queries do with `binary: true`; a cursor has no such option. */
function askForBytes(cursor: Cursor): void {
  const { submit } = cursor;
  cursor.submit = (connection) => {
    const binding = connection as unknown as { bind(config: object): void };
    const { bind } = binding;
    binding.bind = (config) => bind.call(binding, { ...config, binary: true });
    try {
      submit.call(cursor, connection);
    } finally {
      binding.bind = bind;
    }
  };
}

/** Nothing was written. Gives what is wrong with the connection. */
const rollback = (client: PoolClient): Promise<Error | undefined> => client.query('rollback').then(noError, asGiven);

const noError = () => undefined;
const asGiven = (error: Error): Error => error;

/** Resolves with an error when the connection ends. */
function untilEnd(client: PoolClient): { promise: Promise<Error>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<Error>();
  const fail = () => resolve(new Error('Connection ended'));
  client.once('end', fail);
  return { promise, forget: () => client.off('end', fail) };
}

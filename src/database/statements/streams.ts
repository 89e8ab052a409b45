/** Lists that are streamed: how many at a time, and how they give way to the token endpoints. */
import type { Pool } from 'pg';
import { openSlots, type Slots, TooManyWaiting } from '../../slots.js';
import type { Sql } from '../../sql.js';
import type { Reader } from './shares.js';

/** Resolves when it is the reader's turn to have a batch of rows, with what ends it. Throws why the signal was aborted. */
type ThrottleList = (reader: Reader) => Promise<() => void>;

/** The same statements, of which no more than there are slots are streamed at a time, each batch of rows in its turn. */
export function streamInSlots(sql: Sql, slots: Slots, throttle: ThrottleList, reader: Reader = {}): Sql {
  async function* stream<Row extends object>(text: string, values: readonly unknown[], batch: number, form?: 'binary') {
    const releaseSlot = await slots.hold(reader);
    const batches = sql.stream<Row>(text, values, batch, form)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const release = await throttle(reader);
        const rows = await batches.next().finally(release);
        if (rows.done) return;
        yield rows.value;
      }
    } finally {
      await batches.return?.();
      releaseSlot();
    }
  }
  return {
    rows: (text, values, form) => sql.rows(text, values, form),
    batchedRow: (statement, values) => sql.batchedRow(statement, values),
    transaction: (work) => sql.transaction(work),
    stream,
  };
}

type Connect = (callback?: (error: Error) => void) => unknown;

/** So many requests may wait for a connection of the pool. */
export function limitWaiting(pool: Pool, waitingMax: number): void {
  const connect = pool.connect.bind(pool) as Connect;
  const limited: Connect = (callback) => {
    if (pool.waitingCount < waitingMax) return connect(callback);
    const refusal = new TooManyWaiting(`${pool.waitingCount} wait for a connection already`);
    return callback ? callback(refusal) : Promise.reject(refusal);
  };
  pool.connect = limited as Pool['connect'];
}

/**
 * Lists give way to the token endpoints: while these are in use, PostgreSQL fetches rows for one list of a caller and for two
 * in all at a time, however many are being read, and pauses as long afterwards. Otherwise all go on at once.
 */

/** For so long after a statement of the token endpoints the next one is expected. */
const expectedMs = 500;
/** Longest wait for a turn: a list whose rows take long holds up others for no longer. */
const slotTimeoutMs = 2_000;
/** Longest pause after a turn. */
const pauseMsMax = 200;

/** @param tokenPool has the connections of the token endpoints; absent: they share those of the others, and nobody gives way */
export function openListThrottle(tokenPool: Pool | undefined): ThrottleList {
  if (!tokenPool) return async () => nothing;
  const slots = openSlots({ max: 2, ofOneMax: 1, waitingMax: Number.POSITIVE_INFINITY, timeoutMs: slotTimeoutMs });
  let usedAt = Number.NEGATIVE_INFINITY;
  tokenPool.on('release', () => {
    usedAt = performance.now();
  });
  const isInUse = () => tokenPool.totalCount > tokenPool.idleCount || performance.now() - usedAt < expectedMs;
  return async (reader) => {
    if (!isInUse()) return nothing;
    try {
      const release = await slots.hold(reader);
      const begunAt = performance.now();
      // the next turn comes after as long a pause as this one took: lists have half of a processor's time each
      return () => release(Math.min(pauseMsMax, performance.now() - begunAt));
    } catch (error) {
      if (error instanceof TooManyWaiting) return nothing;
      throw error;
    }
  };
}

const nothing = () => undefined;

/** Limits streams of lists, and lets them give way to the token endpoints. */
import type { Pool } from 'pg';
import { openSlots, type Slots, TooManyWaiting } from '../../slots.js';
import type { Sql } from '../../sql.js';
import type { Reader } from './shares.js';

/** Waits for the reader's turn to fetch a batch of rows; returns a function that ends it. Throws the signal's reason. */
type ThrottleList = (reader: Reader) => Promise<() => void>;

/** Limits simultaneous streams to the number of slots, and fetches each batch of rows in its turn. */
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
      try {
        await batches.return?.();
      } finally {
        releaseSlot();
      }
    }
  }
  return { ...sql, stream };
}

type Connect = (callback?: (error: Error) => void) => unknown;

/** Limits the requests that wait for a connection of the pool. */
export function limitWaiting(pool: Pool, waitingMax: number): void {
  const connect = pool.connect.bind(pool) as Connect;
  const limited: Connect = (callback) => {
    if (pool.waitingCount < waitingMax) return connect(callback);
    const refusal = new TooManyWaiting(`${pool.waitingCount} are waiting for a connection already`);
    return callback ? callback(refusal) : Promise.reject(refusal);
  };
  pool.connect = limited as Pool['connect'];
}

/** How long after a statement the token endpoints count as in use. */
const expectedMs = 500;
/** Longest wait for a turn, so that a slow list delays the others no longer. */
const slotTimeoutMs = 2_000;
/** Longest pause after a turn. */
const pauseMsMax = 200;

/**
 * Lists give way to the token endpoints: while these are in use, PostgreSQL fetches rows for one list of a caller and for two
 * in all at a time, however many are being read, and pauses as long afterwards. Otherwise all run in parallel.
 * @param tokenPool the connections of the token endpoints; absent: connections are shared, and no list gives way
 */
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
      // a pause as long as the turn: each list uses at most half of a processor
      return () => release(Math.min(pauseMsMax, performance.now() - begunAt));
    } catch (error) {
      if (error instanceof TooManyWaiting) return nothing;
      throw error;
    }
  };
}

const nothing = () => undefined;

/** Places for a bounded number of users, with a bounded line of waiting ones. */
import type { Pool } from 'pg';
import type { Sql } from '../../sql.js';

/** So many at a time; the next ones wait in line, for a bounded time and in a bounded number, and further ones are refused at once. */

/** Has the SQLSTATE that PostgreSQL itself has for it: too_many_connections. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
  // no fault of the code: where it was thrown would cost more to write than the refusal saves
  override readonly stack = '';
  readonly code = '53300';

  /** @param isOfOne it is other requests of the same one that are in the way */
  constructor(
    message: string,
    readonly isOfOne = false,
  ) {
    super(message);
  }
}

/** Who asks: for nobody who has gone anything is done, and nobody gets everything. */
export interface Reader {
  /** Aborted when nobody waits for the answer any more; its reason is thrown then. */
  signal?: AbortSignal | undefined;
  /** Tells one from another; absent: not bounded by itself. */
  name?: string | undefined;
  /** What is thrown when the statements of a reading request took longer than this, in milliseconds. */
  overdue?: ((timeoutMs: number) => unknown) | undefined;
}

interface AskingReader extends Reader {
  /** Slots that stay free for others than this one; absent: none. */
  leavesFree?: number;
}

export interface Slots {
  /** What gives a slot back that is free now; undefined where none is. */
  tryHold(reader: AskingReader): (() => void) | undefined;
  /** Resolves with what gives the slot back. Throws TooManyWaiting, and why the signal was aborted. */
  hold(reader: AskingReader): Promise<() => void>;
  countWaiting(): number;
}

interface SlotsOptions {
  max: number;
  /** Most of one reader. */
  ofOneMax: number;
  /** Most that wait; the next is refused. */
  waitingMax: number;
  /** Most of one reader that wait; absent: as many as of all. */
  waitingOfOneMax?: number;
  /** Longest wait, in milliseconds. */
  timeoutMs: number;
}

/** The part of the longest wait by which one may be shorter than another. */
const spread = 0.25;

export function openSlots({ max, ofOneMax, waitingMax, waitingOfOneMax = waitingMax, timeoutMs }: SlotsOptions): Slots {
  const waiting = new Set<{ reader: AskingReader; serve(): void }>();
  const waitingOf = new Map<string | undefined, number>();
  const heldBy = new Map<string | undefined, number>();
  let held = 0;

  const hasAll = ({ name }: Reader): boolean => name !== undefined && (heldBy.get(name) ?? 0) >= ofOneMax;
  const isFreeFor = (reader: AskingReader): boolean => held < max - (reader.leavesFree ?? 0) && !hasAll(reader);

  function take({ name }: Reader): () => void {
    held += 1;
    count(heldBy, name, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      held -= 1;
      count(heldBy, name, -1);
      for (const next of waiting) if (isFreeFor(next.reader)) next.serve();
    };
  }

  return {
    countWaiting: () => waiting.size,
    tryHold: (reader) => (isFreeFor(reader) ? take(reader) : undefined),
    async hold(reader) {
      const { signal } = reader;
      signal?.throwIfAborted();
      if (isFreeFor(reader)) return take(reader);
      if (waiting.size >= waitingMax) throw new TooManyWaiting(`${waiting.size} wait for a slot already`);
      const { name } = reader;
      if (name !== undefined && (waitingOf.get(name) ?? 0) >= waitingOfOneMax)
        throw new TooManyWaiting(`${waitingOfOneMax} of one caller wait for a slot already`, true);
      return new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          clearTimeout(timeout);
          signal?.removeEventListener('abort', leave);
          waiting.delete(next);
          count(waitingOf, name, -1);
          settle();
        };
        const next = { reader, serve: () => end(() => resolve(take(reader))) };
        const leave = () => end(() => reject(signal!.reason));
        const giveUp = () => end(() => reject(new TooManyWaiting(`waited for ${timeoutMs} ms`, hasAll(reader))));
        // those who came at the same moment don't give up, and come again, at the same moment
        const timeout = setTimeout(giveUp, timeoutMs * (1 - spread * Math.random()));
        signal?.addEventListener('abort', leave, { once: true });
        waiting.add(next);
        count(waitingOf, name, 1);
      });
    },
  };
}

/** Names that stand for nothing any more are forgotten. */
function count(counts: Map<string | undefined, number>, name: string | undefined, by: 1 | -1): void {
  const counted = (counts.get(name) ?? 0) + by;
  if (counted === 0) counts.delete(name);
  else counts.set(name, counted);
}

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
      return () => void setTimeout(release, Math.min(pauseMsMax, performance.now() - begunAt)).unref();
    } catch (error) {
      if (error instanceof TooManyWaiting) return nothing;
      throw error;
    }
  };
}

const nothing = () => undefined;

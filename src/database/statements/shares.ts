/**
 * Limits how much of the database one caller of the administration may use: a third of the connections at a
 * time, and a limited time for a request that only reads. See docs/decisions/0040-caller-database-share.md.
 */
import type { Pool, PoolClient } from 'pg';
import { openSlots, type SlotOwner, type Slots } from '../../slots.js';

/** The request that a statement belongs to. Work stops when its client has gone. */
export interface Reader extends SlotOwner {
  /** Makes the error for a reading request whose statements took longer than this many milliseconds. */
  overdue?: ((timeoutMs: number) => unknown) | undefined;
}

interface SharesOptions {
  /** Time limit for the statements of one reading request, in milliseconds. */
  readTimeoutMs: number;
  /** Maximum number of waiting requests; further ones are refused. */
  waitingMax: number;
  /** Their longest wait, in milliseconds. */
  timeoutMs: number;
}

/** A caller's share of the connections, as one request uses it. */
export interface ConnectionShare {
  /** Aborted when the caller has gone or the statements took too long. */
  signal?: AbortSignal | undefined;
  /** Waits for the caller's turn and a connection; releasing the connection ends the turn. Absent: no limit. */
  connect?(pool: Pool): Promise<PoolClient>;
  /** Called when a statement begins; returns what to call at its end. */
  beginRun?(): () => void;
  /** Makes the error for a list's batch that took too long. */
  overdue?(): unknown;
}

/** Connections that reads leave free for authentication and changes; changes leave half of them free. */
const keptMax = 2;

export function openShares({ readTimeoutMs, waitingMax, timeoutMs }: SharesOptions) {
  const slotsOf = new Map<Pool, Slots>();

  async function hold(pool: Pool, reader: Reader, keptPart: number): Promise<() => void> {
    const { max } = pool.options;
    const third = (of: number) => Math.max(1, Math.floor(of / 3));
    const bounds = { ofOneMax: third(max), waitingMax, waitingOfOneMax: Math.ceil(waitingMax / 3), timeoutMs };
    const slots = slotsOf.get(pool) ?? openSlots({ max, ...bounds });
    slotsOf.set(pool, slots);
    const asking = { ...reader, leavesFree: Math.floor(Math.min(keptMax, max / 2) * keptPart) };
    return slots.tryHold(asking) ?? slots.hold(asking);
  }

  async function connect(pool: Pool, release: () => void): Promise<PoolClient> {
    const client = await pool.connect().catch((error) => {
      release();
      throw error;
    });
    const giveBack = client.release;
    client.release = (broken) => {
      try {
        giveBack(broken);
      } finally {
        release();
      }
    };
    return client;
  }

  /** Waits until a change may use a connection of the pool; returns a function that ends its turn. */
  const holdForChange = (pool: Pool, reader: Reader) => hold(pool, reader, 0.5);
  return {
    /** For a request that changes nothing. */
    ofRead(reader: Reader): ConnectionShare {
      const time = openReadTime(readTimeoutMs, reader);
      const asking = { name: reader.name, signal: time.signal };
      return { ...time, connect: async (pool) => connect(pool, await hold(pool, asking, 1)) };
    },
    ofChange: (reader: Reader): ConnectionShare => ({
      connect: async (pool) => connect(pool, await holdForChange(pool, reader)),
    }),
    holdForChange,
    countWaiting: () => [...slotsOf.values()].reduce((sum, slots) => sum + slots.countWaiting(), 0),
  };
}

/** Measures the time in which any statement of the request runs; parallel statements count once. */
function openReadTime(
  timeoutMs: number,
  { signal: left, overdue: reasonFor }: Reader,
): Required<Omit<ConnectionShare, 'connect'>> {
  const overdue = () => reasonFor?.(timeoutMs) ?? new ReadOverdue(`took more than ${timeoutMs} ms`);
  const ending = new AbortController();
  const leave = () => ending.abort(left!.reason);
  if (left?.aborted) leave();
  else left?.addEventListener('abort', leave, { once: true });
  let running = 0;
  let begunAt = 0;
  let spentMs = 0;
  let timer: NodeJS.Timeout | undefined;
  // reads pending answers first, since the process may have been busy
  const judge = () => setImmediate(() => running > 0 && ending.abort(overdue()));
  const beginRun = () => {
    running += 1;
    if (running === 1) {
      begunAt = performance.now();
      timer = setTimeout(judge, timeoutMs - spentMs);
    }
    return () => {
      running -= 1;
      if (running > 0) return;
      clearTimeout(timer);
      spentMs += performance.now() - begunAt;
    };
  };
  return { signal: ending.signal, beginRun, overdue };
}

/** Has PostgreSQL's SQLSTATE query_canceled. */
class ReadOverdue extends Error {
  override readonly name = 'ReadOverdue';
  readonly code = '57014';
}

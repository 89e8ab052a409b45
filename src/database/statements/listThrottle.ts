/**
 * Lists give way to the token endpoints: while these are in use, PostgreSQL fetches rows for one list of a caller and for two
 * in all at a time, however many are being read, and pauses as long afterwards. Otherwise all go on at once.
 */
import type { Pool } from 'pg';
import { openSlots, type ThrottleList, TooManyWaiting } from './slots.js';

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

/**
 * Lists give way to the token endpoints: while these are in use, PostgreSQL fetches rows for one list of a caller and for two
 * in all at a time, however many are being read. Otherwise all go on at once.
 */
import type { Pool } from 'pg';
import { openSlots, type TakeTurn } from './slots.js';
import { TooManyWaiting } from './waitLimit.js';

/** For so long after a statement of the token endpoints the next one is expected. */
const expectedMs = 500;
/** Longest waits for a turn: a list whose rows take long holds up others for no longer. The first rows are the dearest. */
const firstMsMax = 2_000;
const nextMsMax = 250;

/** @param tokenPool has the connections of the token endpoints; absent: they share those of the others, and nobody gives way */
export function openTurns(tokenPool: Pool | undefined): TakeTurn {
  if (!tokenPool) return async () => nothing;
  const turns = openSlots({ max: 2, ofOneMax: 1, waitingMax: Number.POSITIVE_INFINITY, timeoutMs: nextMsMax });
  let usedAt = Number.NEGATIVE_INFINITY;
  tokenPool.on('release', () => {
    usedAt = performance.now();
  });
  const isInUse = () => tokenPool.totalCount > tokenPool.idleCount || performance.now() - usedAt < expectedMs;
  return async (reader, isFirst) => {
    if (!isInUse()) return nothing;
    try {
      return await turns.hold(reader, isFirst ? firstMsMax : nextMsMax);
    } catch (error) {
      if (error instanceof TooManyWaiting) return nothing;
      throw error;
    }
  };
}

const nothing = () => undefined;

/** Changes of tables while others use them: whoever uses a table queues behind a change that waits for its lock. */
import { setTimeout as pause } from 'node:timers/promises';

/** No longer than a slow request. */
export const lockBriefly = 'set local lock_timeout = 500';
const betweenMs = 1_000;

// https://www.postgresql.org/docs/18/errcodes-appendix.html
const lockNotAvailable = '55P03';

/**
 * Tries again until no other transaction keeps a table locked.
 * @param work a transaction that begins with `lockBriefly`
 * @param onLocked called after each attempt in vain; may throw
 */
export async function besideOthers<Result>(
  work: () => Promise<Result>,
  onLocked: (attempt: number, error: unknown) => void,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code !== lockNotAvailable) throw error;
      onLocked(attempt, error);
      await pause(betweenMs);
    }
  }
}

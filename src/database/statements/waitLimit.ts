/** Who may wait for a connection: so many, and no more; the next is refused at once instead of queued without bound. */
import type { Pool } from 'pg';

type Connect = (callback?: (error: Error) => void) => unknown;

/** Has the SQLSTATE that PostgreSQL itself has for it: too_many_connections. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
  // no fault of the code: where it was thrown would cost more to write than the refusal saves
  override readonly stack = '';
  readonly code = '53300';
}

export function limitWaiting(pool: Pool, waitingMax: number): void {
  const connect = pool.connect.bind(pool) as Connect;
  const limited: Connect = (callback) => {
    if (pool.waitingCount < waitingMax) return connect(callback);
    const refusal = new TooManyWaiting(`${pool.waitingCount} wait for a connection already`);
    return callback ? callback(refusal) : Promise.reject(refusal);
  };
  pool.connect = limited as Pool['connect'];
}

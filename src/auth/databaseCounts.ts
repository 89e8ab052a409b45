/**
 * Counts that processes share, in the table `rate_limits`: each a row that ends with its window, by the database's clock
 * alone, so that no process whose clock is wrong locks anybody out or lets anybody in.
 */
import type { Sql } from '../sql.js';

export const windowMs = 60_000;

export interface Count {
  points: number;
  msBeforeEnd: number;
}

/** A key has at most 255 characters. */
export interface Counts {
  /** Counts one, and gives the count with it. */
  add(key: string): Promise<Count>;
  /** Undefined: nothing is counted. */
  find(key: string): Promise<Count | undefined>;
  takeBack(key: string): Promise<void>;
}

const nowMs = '(extract(epoch from now()) * 1000)::bigint';
// One that ends later than any could was written by a clock that was ahead. Twice the window, since `now()` is when a
// statement began: another one that came later may have opened the count for which this one waited.
const isRunning = `limits.expire between ${nowMs} and ${nowMs} + ${2 * windowMs}`;
const shown = `limits.points, greatest(0, limits.expire - ${nowMs})::int as "msBeforeEnd"`;

const addOne = `insert into rate_limits as limits (key, points, expire) values ($1, 1, ${nowMs} + ${windowMs})
  on conflict (key) do update set
    points = case when ${isRunning} then limits.points + 1 else 1 end,
    expire = case when ${isRunning} then limits.expire else excluded.expire end
  returning ${shown}`;
const findOne = `select ${shown} from rate_limits limits where key = $1 and ${isRunning}`;
const takeOneBack = `update rate_limits limits set points = points - 1 where key = $1 and ${isRunning} and points > 0`;

const removedAtOnce = 1_000;
const removeEnded = `delete from rate_limits where key = any(array(
    select key from rate_limits limits where (${isRunning}) is not true limit ${removedAtOnce} for update skip locked))
  returning 1`;
const removeEveryMs = 5 * 60_000;

/** @param everyMs how often ended counts are removed, in milliseconds; a failure leaves them for the next time */
export function openDatabaseCounts(sql: Sql, everyMs = removeEveryMs): Counts {
  let removedAt = performance.now();
  const removeNowAndThen = (): void => {
    if (performance.now() - removedAt < everyMs) return;
    removedAt = performance.now();
    removeAll(sql).catch(() => undefined);
  };
  return {
    async add(key) {
      removeNowAndThen();
      const [count] = await sql.rows<Count>(addOne, [key]);
      return count!;
    },
    async find(key) {
      const [count] = await sql.rows<Count>(findOne, [key]);
      return count;
    },
    async takeBack(key) {
      await sql.rows(takeOneBack, [key]);
    },
  };
}

async function removeAll(sql: Sql): Promise<void> {
  for (let removed = removedAtOnce; removed === removedAtOnce; ) removed = (await sql.rows(removeEnded)).length;
}

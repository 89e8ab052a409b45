/** Counts by key in windows of a minute: in this process, or in the table `rate_limits` of a database that processes share. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../errors.js';
import type { Sql } from '../sql.js';
import { type Count, type Counts, openDatabaseCounts, windowMs } from './databaseCounts.js';

/** Where counts are kept. A database that is away fails what is counted: nothing passes uncounted. */
export type LimiterStore = 'memory' | Sql;

interface LimiterOptions {
  /** Of each key, a minute. */
  limit: number;
  store: LimiterStore;
  /** Tells the counts of one limiter from another's. */
  prefix: string;
  /** What there are too many of, for the caller. */
  counted: 'failures' | 'requests';
}

export interface Limiter {
  /** Throws GatehouseError with status 429 and Retry-After over the limit. */
  count(key: string): Promise<void>;
  /** Counts nothing. Throws what `count` would. */
  assertBelowLimit(key: string): Promise<void>;
  /** Takes one count back. */
  refund(key: string): Promise<void>;
}

export function openLimiter({ limit, store, prefix, counted }: LimiterOptions): Limiter {
  const counts = store === 'memory' ? openMemoryCounts(limit) : openDatabaseCounts(store);
  const name = (key: string): string => `${prefix}:${key}`;
  // a clock that was set meanwhile makes no wait longer than the window
  const refusal = ({ msBeforeEnd }: Count): Error =>
    tooManyRequests(counted, Math.max(1, Math.ceil(Math.min(msBeforeEnd, windowMs) / 1_000)));
  return {
    async count(key) {
      const count = await counts.add(name(key));
      if (count.points > limit) throw refusal(count);
    },
    async assertBelowLimit(key) {
      const count = await counts.find(name(key));
      if (count && count.points >= limit) throw refusal(count);
    },
    refund: (key) => counts.takeBack(name(key)),
  };
}

function openMemoryCounts(limit: number): Counts {
  const limiter = new RateLimiterMemory({ points: limit, duration: windowMs / 1_000 });
  const read = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Count => ({
    points: consumedPoints,
    msBeforeEnd: msBeforeNext,
  });
  return {
    async add(key) {
      try {
        return read(await limiter.consume(key));
      } catch (reason) {
        if (reason instanceof RateLimiterRes) return read(reason);
        throw reason;
      }
    },
    async find(key) {
      const found = await limiter.get(key);
      return found ? read(found) : undefined;
    },
    async takeBack(key) {
      await limiter.reward(key);
    },
  };
}

/** Counts by key in windows of a minute: in this process, or in the table `rate_limits` of a database that processes share. */
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { tooManyRequests } from '../errors.js';

/** Where counts are kept. A database that is away fails what is counted: nothing passes uncounted. */
export type LimiterStore = 'memory' | { pool: unknown };

export interface LimiterOptions {
  /** Of each key, a minute. */
  limit: number;
  store: LimiterStore;
  /** Tells the counts of one limiter from another's. */
  prefix: string;
  /** What there are too many of, for the caller. */
  counted: 'failures' | 'requests';
}

export interface Limiter {
  /** @throws GatehouseError with status 429 and Retry-After over the limit */
  count(key: string): Promise<void>;
  /** Counts nothing. @throws what `count` would */
  refuseOver(key: string): Promise<void>;
  /** Takes one count back. */
  forgive(key: string): Promise<void>;
}

export function openLimiter({ limit, store, prefix, counted }: LimiterOptions): Limiter {
  const limiter = openStore({ points: limit, duration: 60, keyPrefix: prefix }, store);
  const refusal = ({ msBeforeNext }: RateLimiterRes): Error =>
    tooManyRequests(counted, Math.max(1, Math.ceil(msBeforeNext / 1_000)));
  return {
    async count(key) {
      try {
        await limiter.consume(key);
      } catch (reason) {
        throw reason instanceof RateLimiterRes ? refusal(reason) : reason;
      }
    },
    async refuseOver(key) {
      const counts = await limiter.get(key);
      if (counts && counts.consumedPoints >= limit) throw refusal(counts);
    },
    async forgive(key) {
      await limiter.reward(key);
    },
  };
}

function openStore(
  options: { points: number; duration: number; keyPrefix: string },
  store: LimiterStore,
): RateLimiterAbstract {
  if (store === 'memory') return new RateLimiterMemory(options);
  return new RateLimiterPostgres({
    ...options,
    storeClient: store.pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
  });
}

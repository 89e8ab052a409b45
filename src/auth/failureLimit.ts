/** Counts the failures of clients to name themselves, so that nobody can try secrets, or burn processor time on hashes. */
import { createHash } from 'node:crypto';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';

/** Over the limit: nothing was judged. */
export class TooManyFailures extends Error {
  override readonly name = 'TooManyFailures';
  constructor(readonly retryAfterSeconds: number) {
    super('too many failures');
  }
}

export interface FailureLimit {
  /** Counts an attempt of a client from an address, before it is judged. @throws TooManyFailures */
  count(clientId: string, address: string | null): Promise<void>;
  /** Takes one count back: the attempt succeeded. */
  forgive(clientId: string, address: string | null): Promise<void>;
}

export interface FailureLimitOptions {
  /** Failures a minute, per client and per address; 0: no limit. */
  limit: number;
  /** Where counts are kept: in this process, or in the table `rate_limits` of a database that processes share. */
  store: 'memory' | { pool: unknown };
}

const windowSeconds = 60;

export function openFailureLimit({ limit, store }: FailureLimitOptions): FailureLimit {
  if (limit === 0) return { count: async () => undefined, forgive: async () => undefined };
  const limiter = openLimiter(limit, store);
  const keysOf = (clientId: string, address: string | null): string[] => [
    // a client id may have any length
    `client ${createHash('sha256').update(clientId).digest('base64url')}`,
    ...(address === null ? [] : [`address ${address}`]),
  ];
  return {
    async count(clientId, address) {
      for (const key of keysOf(clientId, address)) await consume(limiter, key);
    },
    async forgive(clientId, address) {
      for (const key of keysOf(clientId, address)) await limiter.reward(key);
    },
  };
}

function openLimiter(points: number, store: FailureLimitOptions['store']): RateLimiterAbstract {
  const options = { points, duration: windowSeconds, keyPrefix: 'failure' };
  if (store === 'memory') return new RateLimiterMemory(options);
  return new RateLimiterPostgres({
    ...options,
    storeClient: store.pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
  });
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new TooManyFailures(Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)));
  }
}

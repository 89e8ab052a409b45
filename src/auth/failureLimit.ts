/** Counts the failures of clients to name themselves, so that nobody can try secrets, or burn processor time on hashes. */
import { createHash } from 'node:crypto';
import { type LimiterStore, openLimiter } from './limiter.js';

export interface FailureLimit {
  /** Counts an attempt of a client from an address, before it is judged. Throws GatehouseError with status 429 over the limit. */
  count(clientId: string, address: string | null): Promise<void>;
  /** Counts nothing. Throws what `count` would. */
  assertBelowLimit(clientId: string, address: string | null): Promise<void>;
  /** Takes one count back: the attempt succeeded. */
  refund(clientId: string, address: string | null): Promise<void>;
}

interface FailureLimitOptions {
  /** Failures a minute, per client and per address; 0: no limit. */
  limit: number;
  store: LimiterStore;
}

export function openFailureLimit({ limit, store }: FailureLimitOptions): FailureLimit {
  if (limit === 0) {
    const nothing = async () => undefined;
    return { count: nothing, assertBelowLimit: nothing, refund: nothing };
  }
  const limiter = openLimiter({ limit, store, prefix: 'failure', counted: 'failures' });
  // the address first: one that is over its limit opens no further counts by making up client ids
  const keysOf = (clientId: string, address: string | null): string[] => [
    ...(address === null ? [] : [`address ${address}`]),
    // a client id may have any length
    `client ${createHash('sha256').update(clientId).digest('base64url')}`,
  ];
  return {
    async count(clientId, address) {
      for (const key of keysOf(clientId, address)) await limiter.count(key);
    },
    async assertBelowLimit(clientId, address) {
      for (const key of keysOf(clientId, address)) await limiter.assertBelowLimit(key);
    },
    async refund(clientId, address) {
      for (const key of keysOf(clientId, address)) await limiter.refund(key);
    },
  };
}

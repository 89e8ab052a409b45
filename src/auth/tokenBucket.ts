/** Limits how often unknown callers may cause work, with a token bucket. */

interface TokenBucketOptions {
  /** The size of the bucket. */
  spare: number;
  /** The time after which a token is added, in milliseconds. */
  refillMs: number;
  /** Milliseconds since the epoch. */
  now(): number;
}

export type TokenBucket = ReturnType<typeof openTokenBucket>;

export function openTokenBucket({ spare, refillMs, now }: TokenBucketOptions) {
  let tokens = spare;
  let countedAt = now();
  const refill = () => {
    // a clock that was put back must not lengthen the wait
    tokens = Math.min(spare, tokens + Math.abs(now() - countedAt) / refillMs);
    countedAt = now();
  };
  return {
    /** Takes a token; false where there is none besides those that are reserved. */
    tryTake(reserved = 0): boolean {
      refill();
      if (tokens < 1 + reserved) return false;
      tokens -= 1;
      return true;
    },
    isFull(): boolean {
      refill();
      return tokens === spare;
    },
  };
}

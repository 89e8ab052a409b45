/** A token bucket: for what unknown callers may cause, but not often. */

interface TokenBucketOptions {
  /** Tokens that may be taken at once. */
  spare: number;
  /** After this time a token comes back. */
  refillMs: number;
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface TokenBucket {
  /** Takes a token; false where there is none. */
  tryTake(): boolean;
  /** Whether it has all that may be taken at once. */
  isFull(): boolean;
}

export function openTokenBucket({ spare, refillMs, now }: TokenBucketOptions): TokenBucket {
  let tokens = spare;
  let countedAt = now();
  const refill = () => {
    // a clock that was put back must not lengthen the wait
    tokens = Math.min(spare, tokens + Math.abs(now() - countedAt) / refillMs);
    countedAt = now();
  };
  return {
    tryTake() {
      refill();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    isFull() {
      refill();
      return tokens === spare;
    },
  };
}

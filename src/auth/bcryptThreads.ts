/**
 * bcrypt in threads of low priority (nice 10): a comparison takes some fifty milliseconds of a processor, and gets them when
 * nobody else wants it. Where the system knows no priorities of threads it runs all the same.
 */
import { Piscina } from 'piscina';

interface BcryptThreads {
  compare(secret: string, hash: string): Promise<boolean>;
  hash(secret: string, cost: number): Promise<string>;
}

const lowPriority = 10;

/** @param count threads at most; the first use starts one, and one that nobody needs for a minute ends */
export function openBcryptThreads(count: number): BcryptThreads {
  const threads = new Piscina({
    filename: new URL('./bcryptWork.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: count,
    idleTimeout: 60_000,
    niceIncrement: lowPriority,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  return {
    compare: (secret, hash) => threads.run({ secret, hash }, { name: 'compare' }),
    hash: (secret, cost) => threads.run({ secret, cost }, { name: 'hash' }),
  };
}

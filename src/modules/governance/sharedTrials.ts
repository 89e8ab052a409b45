/** Trials whose results readers share: a trial holds the lock of all change sets, for seconds if it is large. */
import { LRUCache } from 'lru-cache';

const msKept = 60_000;
const bytesMax = 32_000_000;

type Trials<Result extends object> = LRUCache<string, Result, () => Promise<Result>>;

/** @param sizeOf estimated bytes of a result */
export const newTrials = <Result extends object>(sizeOf: (result: Result) => number): Trials<Result> =>
  new LRUCache({
    ttl: msKept,
    maxSize: bytesMax,
    sizeCalculation: sizeOf,
    fetchMethod: (_key, _stale, { context: begin }) => begin(),
    ignoreFetchAbort: true,
  });

/** Makes the trial, unless one of the same key is running or was made within the last minute: then all get its result. */
export async function shareTrial<Result extends object>(
  trials: Trials<Result>,
  key: string,
  trial: () => Promise<Result>,
): Promise<Result> {
  let isOwn = false;
  const begin = () => {
    isOwn = true;
    return trial();
  };
  try {
    return await trials.forceFetch(key, { context: begin });
  } catch (error) {
    if (isOwn) throw error;
    // it may have failed for the sake of the reader who began it: one of the others makes it
    return shareTrial(trials, key, trial);
  }
}

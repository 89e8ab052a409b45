/**
 * When a process stood still, and why: collections of garbage, waiting for a processor, and turns of its event loop that
 * took long. Times are of the monotonic clock, which all processes of a machine share.
 */
import { openSync, readSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';

/** `garbage`: it collected; `processor`: it could run, and no processor was free; `busy`: its event loop came late, by whichever cause. */
export interface Pause {
  cause: 'garbage' | 'processor' | 'busy';
  /** Milliseconds. */
  from: number;
  to: number;
  /** Of a `processor`: how much of the time between it waited, in milliseconds. */
  waited: number;
}

const tickMs = 4;
const leastMs = 0.5;
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Keeps no process alive. @param tell of each, after it @returns ends it */
export function watchPauses(tell: (pause: Pause) => void): () => void {
  const origin = monotonicMs() - performance.now();
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      const from = origin + startTime;
      if (duration >= leastMs) tell({ cause: 'garbage', from, to: from + duration, waited: duration });
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  let last = monotonicMs();
  let lastWait = waitedMs();
  const timer = setInterval(() => {
    const at = monotonicMs();
    const wait = waitedMs();
    const late = at - last - tickMs;
    if (wait - lastWait >= leastMs) tell({ cause: 'processor', from: last, to: at, waited: wait - lastWait });
    if (late >= 1) tell({ cause: 'busy', from: at - late, to: at, waited: late });
    [last, lastWait] = [at, wait];
  }, tickMs).unref();
  return () => {
    clearInterval(timer);
    observer.disconnect();
  };
}

const statistics = Buffer.alloc(128);
let statisticsFile: number | undefined;

/** How long the main thread has waited for a processor so far, in milliseconds (proc(5), schedstat). */
function waitedMs(): number {
  statisticsFile ??= openSync('/proc/self/schedstat', 'r');
  const length = readSync(statisticsFile, statistics, 0, statistics.length, 0);
  return Number(statistics.toString('latin1', 0, length).split(' ')[1]) / 1e6;
}

/** Milliseconds by what slow answers waited for. */
export type Waits = Record<'garbage' | 'processor' | 'busy' | 'generator' | 'other', number>;
export const noWaits = (): Waits => ({ garbage: 0, processor: 0, busy: 0, generator: 0, other: 0 });

/**
 * Adds what an answer waited for between two moments: first what the process that answered did, then what the load
 * generator did; `other` is PostgreSQL, its disk, and the work itself.
 */
export function addWaits(
  waits: Waits,
  from: number,
  to: number,
  side: readonly Pause[],
  generator: readonly Pause[],
): void {
  let left = to - from;
  const take = (name: keyof Waits, ms: number) => {
    const taken = Math.min(left, ms);
    waits[name] += taken;
    left -= taken;
  };
  const overlap = (pauses: readonly Pause[], cause: Pause['cause']) =>
    pauses.reduce((sum, pause) => {
      const both = Math.min(to, pause.to) - Math.max(from, pause.from);
      return pause.cause === cause && both > 0 ? sum + Math.min(both, pause.waited) : sum;
    }, 0);
  const garbage = overlap(side, 'garbage');
  const processor = overlap(side, 'processor');
  take('garbage', garbage);
  take('processor', processor);
  take('busy', Math.max(0, overlap(side, 'busy') - garbage - processor));
  take('generator', overlap(generator, 'busy'));
  waits.other += left;
}

/** Shares, the largest first. */
export function waitsText(waits: Waits): string {
  const names: Record<keyof Waits, string> = {
    garbage: 'collections of garbage',
    processor: 'a free processor',
    busy: 'other requests in its event loop',
    generator: 'the load generator',
    other: 'PostgreSQL, the disk and its own work',
  };
  const all = Object.values(waits).reduce((sum, ms) => sum + ms, 0);
  return (Object.entries(waits) as [keyof Waits, number][])
    .sort(([, one], [, other]) => other - one)
    .filter(([, ms]) => ms / all >= 0.005)
    .map(([name, ms]) => `${names[name]} ${((100 * ms) / all).toFixed(0)} %`)
    .join(', ');
}

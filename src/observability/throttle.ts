/** Limits warnings about frequent events. */

const intervalMs = 60_000;

/** Warns at the first event, then at most once a minute with the number of events since. */
export function throttle(warn: (count: number) => void): (count: number) => void {
  let total = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (count) => {
    total += count;
    if (performance.now() - warnedAt < intervalMs) return;
    warn(total);
    total = 0;
    warnedAt = performance.now();
  };
}

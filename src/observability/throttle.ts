/** Limits warnings about frequent events: one at the first event, then at most one a minute with the number of events since. */
const intervalMs = 60_000;
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

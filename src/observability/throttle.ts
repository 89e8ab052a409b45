/** For warnings of what may happen a thousand times a second. */

const intervalMs = 60_000;

/** Warns at once, and then once a minute with how many it has been since. */
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

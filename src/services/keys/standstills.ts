/**
 * Notices that this process stood still: it was stopped, got no CPU, or its machine was suspended. What was read before is
 * older than anybody counted on. Linux's monotonic clock goes on while a process is stopped, but not while the machine is
 * suspended (clock_gettime(2), CLOCK_MONOTONIC); the wall clock does when it is set right after that. So both are compared.
 */
const lookIntervalMs = 200;
/** Longer than the timer is late on a busy machine, shorter than the keys are kept. */
const standstillMsMin = 500;

interface Standstills {
  /** How many there were so far, one that has just ended included. */
  count(): number;
  stop(): void;
}

/** The clocks are in milliseconds; one that is set back shows nothing. */
export function watchStandstills(monotonic = () => performance.now(), wall = Date.now): Standstills {
  let monotonicSeen = monotonic();
  let wallSeen = wall();
  let standstills = 0;
  const count = () => {
    const [monotonicNow, wallNow] = [monotonic(), wall()];
    if (Math.max(monotonicNow - monotonicSeen, wallNow - wallSeen) > standstillMsMin) standstills += 1;
    monotonicSeen = monotonicNow;
    wallSeen = wallNow;
    return standstills;
  };
  const timer = setInterval(count, lookIntervalMs).unref();
  return { count, stop: () => clearInterval(timer) };
}

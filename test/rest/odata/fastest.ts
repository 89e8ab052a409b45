/** How long a reading takes by itself: what a text costs it costs each time, what a busy machine adds it adds now and then. */
/** Milliseconds of processor time of the fastest of up to five runs; one run where that is fast enough already. */
export function fastest(read: () => void, enoughMs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5 && least >= enoughMs; run++) {
    const start = process.cpuUsage();
    read();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

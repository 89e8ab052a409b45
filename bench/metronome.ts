/** A thread that tells when requests are due: more exact than timers, and not held up by whoever reads answers. */
import { parentPort, workerData } from 'node:worker_threads';

export interface Beat {
  /** Milliseconds of the monotonic clock. */
  startsAt: number;
  intervalMs: number;
  count: number;
}

const { startsAt, intervalMs, count } = workerData as Beat;
const nobody = new Int32Array(new SharedArrayBuffer(4));
const now = () => Number(process.hrtime.bigint()) / 1e6;

for (let posted = 0; posted < count; ) {
  const wait = startsAt + posted * intervalMs - now();
  if (wait > 0) Atomics.wait(nobody, 0, 0, wait);
  posted = Math.min(count, Math.floor((now() - startsAt) / intervalMs) + 1);
  // how many have been due so far
  parentPort!.postMessage(posted);
}

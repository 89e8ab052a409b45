/** Runs one of the workers that share a port. It ends when the primary says so or has ended; SIGINT is left to the primary. */
import cluster from 'node:cluster';
import type { Config } from '../config/config.js';
import type { Metrics } from '../observability/metrics.js';
import type { Closing, Health } from '../server/gate.js';
import { startApp } from '../startApp.js';

/** @param notice called with each sentence for the operator */
export async function runWorker(config: Config, notice: (line: string) => void): Promise<void> {
  let gathered: { registry: Metrics['registry']; health: Health } | undefined;
  const sendMetrics = async (): Promise<void> => {
    if (gathered) await send({ metrics: await gathered.registry.getMetricsAsJSON() });
  };
  const sendReadiness = async (): Promise<void> => {
    if (gathered) await send({ readiness: await gathered.health.report() });
  };
  // the primary may end while this worker starts; Node then ends the worker
  cluster.worker!.on('error', () => undefined);
  process.on('message', ({ isAskedFor }: { isAskedFor?: string }) => {
    if (isAskedFor === 'heartbeat') void send({ isAlive: true });
    if (isAskedFor === 'metrics') void sendMetrics();
    if (isAskedFor === 'readiness') void sendReadiness();
  });
  const app = await startApp({
    config,
    notice,
    gatherMetrics: (registry, health) => {
      gathered = { registry, health };
    },
  });
  let ending = false;
  const end = async (closing: Closing): Promise<void> => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(0), closing.delayMs + closing.graceMs);
    // the primary keeps its totals
    await app
      .close(closing)
      .finally(sendMetrics)
      .finally(() => process.exit(0));
  };
  const own: Closing = { delayMs: config.shutdownDelayMs, graceMs: config.shutdownGraceMs };
  process.on('message', ({ closing }: { closing?: Closing }) => closing && end(closing));
  process.on('disconnect', () => end(own));
  process.on('SIGTERM', () => end(own));
  process.on('SIGINT', () => undefined);
  await send({ listensOn: app.url, greeting: await app.greet() });
}

/** Sends a message to the primary, if it still runs. */
function send(message: object): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send!(message, () => resolve());
    else resolve();
  });
}

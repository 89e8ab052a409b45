/** One of the workers that share a port. It ends when the primary says so, or has gone; signals of a terminal reach it too, and are the primary's. */
import cluster from 'node:cluster';
import type { Config } from '../config/config.js';
import type { Metrics } from '../observability/metrics.js';
import type { Closing } from '../server/drain.js';
import { startApp } from '../startApp.js';

export async function runWorker(config: Config): Promise<void> {
  let registry: Metrics['registry'] | undefined;
  const sendMetrics = async (): Promise<void> => {
    if (registry) await send({ metrics: await registry.getMetricsAsJSON() });
  };
  // a primary that goes while this worker starts; Node ends a worker whose primary has gone
  cluster.worker!.on('error', () => undefined);
  process.on('message', ({ isAskedFor }: { isAskedFor?: string }) => {
    if (isAskedFor === 'heartbeat') void send({ isAlive: true });
    if (isAskedFor === 'metrics') void sendMetrics();
  });
  const app = await startApp({
    config,
    notice: () => undefined,
    gatherMetrics: (opened) => {
      registry = opened;
    },
  });
  let ending = false;
  const end = async (closing: Closing): Promise<void> => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(0), closing.delayMs + closing.graceMs);
    // what it counted outlives it
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
  await send({ listensOn: app.url });
}

/** To the primary; one that has gone hears nothing. */
function send(message: object): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send!(message, () => resolve());
    else resolve();
  });
}

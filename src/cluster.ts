/** WORKERS=n: a primary process that prepares the database once and keeps n workers, which share the port. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { AggregatorRegistry, Registry } from 'prom-client';
import { openApp, startApp } from './app.js';
import type { Config } from './config.js';
import type { Dependencies } from './context.js';
import { loadDemoData } from './dev/development.js';
import { OperatorError } from './errors.js';
import type { Closing } from './http/gate.js';
import { openHealth, operationsListener } from './http/health.js';
import { listen } from './listening.js';
import { type Log, openLog } from './observability/log.js';
import type { Metrics } from './observability/metrics.js';

export interface Workers {
  url: string;
  dependencies: Dependencies;
  close(closing: Closing): Promise<void>;
  /** Ends all workers at once. */
  kill(): void;
}

/** Opens everything that is done once, then starts the workers; the first one must listen before the others start. */
export async function openWorkers(config: Config, notice: (line: string) => void): Promise<Workers> {
  const log = openLog(config.logLevel);
  const app = await openApp({ config, notice, log });
  const flock = new Flock(log);
  try {
    await loadDemoData(app.commandContext());
    const closeOperations = config.metricsPort === undefined ? undefined : await serveOperations(config, flock);
    const url = await flock.start();
    await Promise.all(Array.from({ length: config.workers - 1 }, () => flock.start()));
    const close = async (closing: Closing) => {
      await flock.close(closing);
      closeOperations?.();
      await app.close();
    };
    return { url, dependencies: app.dependencies, close, kill: () => flock.kill() };
  } catch (error) {
    flock.kill();
    await app.close();
    throw error;
  }
}

const steadyMs = 60_000;
const pauseMsMin = 250;
const pauseMsMax = 30_000;

/** The workers; one that ends is replaced, later and later when they end soon after their start. */
class Flock {
  readonly #listening = new Set<Worker>();
  #closing = false;
  #hasty = 0;

  constructor(readonly log: Log) {}

  get count(): number {
    return this.#listening.size;
  }
  get listening(): readonly Worker[] {
    return [...this.#listening];
  }
  get isClosing(): boolean {
    return this.#closing;
  }

  /** Resolves with the address when the worker listens. */
  async start(): Promise<string> {
    const worker = cluster.fork();
    const startedAt = performance.now();
    const url = await addressOf(worker);
    this.#listening.add(worker);
    worker.once('exit', (code, signal) => {
      this.#listening.delete(worker);
      if (this.#closing) return;
      this.log.error({ pid: worker.process.pid, code, signal }, 'a worker ended, and another one takes its place');
      if (performance.now() - startedAt > steadyMs) this.#hasty = 0;
      this.#replace();
    });
    return url;
  }

  #replace(): void {
    const pause = Math.min(pauseMsMax, pauseMsMin * 2 ** this.#hasty);
    this.#hasty += 1;
    setTimeout(() => {
      if (!this.#closing) this.start().catch(() => this.#replace());
    }, pause);
  }

  async close(closing: Closing): Promise<void> {
    this.#closing = true;
    const all = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const ended = all.map((worker) => once(worker, 'exit'));
    for (const worker of all) if (worker.isConnected()) worker.send({ closing });
    await Promise.all(ended);
  }

  kill(): void {
    this.#closing = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
  }
}

function addressOf(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', ({ listensOn }: { listensOn?: string }) => {
      if (listensOn) resolve(listensOn);
    });
    // it told why itself
    worker.once('exit', () => reject(new OperatorError('No worker could be started.')));
  });
}

/** METRICS_PORT: what all workers counted, together. */
async function serveOperations(config: Config, flock: Flock): Promise<() => void> {
  let underWay: Promise<string> | undefined;
  const metrics = () => {
    underWay ??= metricsOf(flock.listening).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const check = async () => ({
    checks: { workers: flock.isClosing ? 'are ending' : flock.count > 0 ? 'ok' : 'none listens' },
  });
  const health = openHealth(check, config.basePath);
  const server = createServer(operationsListener(health, metrics, Registry.PROMETHEUS_CONTENT_TYPE));
  await listen(server, config.host, config.metricsPort!, 'METRICS_PORT');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

const metricsMsMax = 5_000;

/** Of workers that listen: prom-client itself asks those too that are only starting, and waits for them in vain. */
async function metricsOf(workers: readonly Worker[]): Promise<string> {
  const told = await Promise.all(workers.map(askMetrics));
  return AggregatorRegistry.aggregate(told).metrics();
}

function askMetrics(worker: Worker): Promise<object[]> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      worker.off('message', tell).off('exit', leave);
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error('a worker is silent'))), metricsMsMax);
    const tell = ({ metrics }: { metrics?: object[] }) => metrics && end(() => resolve(metrics));
    const leave = () => end(() => resolve([]));
    worker.on('message', tell).on('exit', leave);
    worker.send({ isAskedFor: 'metrics' }, (error) => error && leave());
  });
}

/** One worker. It ends when the primary says so, or has gone; signals of a terminal reach it too, and are the primary's. */
export async function runWorker(config: Config): Promise<void> {
  const app = await startApp({ config, notice: () => undefined, gatherMetrics });
  let ending = false;
  const end = (closing: Closing): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(0), closing.delayMs + closing.graceMs);
    void app.close(closing).finally(() => process.exit(0));
  };
  const own: Closing = { delayMs: config.shutdownDelayMs, graceMs: config.shutdownGraceMs };
  process.on('message', ({ closing }: { closing?: Closing }) => closing && end(closing));
  process.on('disconnect', () => end(own));
  process.on('SIGTERM', () => end(own));
  process.on('SIGINT', () => undefined);
  process.send?.({ listensOn: app.url });
}

/** The primary asks for them over its channel. */
function gatherMetrics(registry: Metrics['registry']): void {
  process.on('message', async ({ isAskedFor }: { isAskedFor?: string }) => {
    if (isAskedFor === 'metrics') process.send?.({ metrics: await registry.getMetricsAsJSON() });
  });
}

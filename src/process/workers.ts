/** The primary process of WORKERS: starts workers, watches them, gathers their metrics. It does without the application. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Config } from '../config/config.js';
import { OperatorError } from '../errors.js';
import { type Log, openLog } from '../observability/log.js';
import type { ProcessMetrics } from '../observability/metrics.js';
import type { Closing, ReadinessReport } from '../server/gate.js';
import type { Greeting } from '../startApp.js';

const askEveryMs = 5_000;
/** Counts questions instead of time, so that a primary that was suspended does not find its workers silent. */
const unansweredMax = 6;

/**
 * Sends a question to a worker every few seconds. Returns a function: whether more than one question is unanswered.
 * @param onSilent called once, after 30 seconds without an answer
 */
function watchAnswers(worker: Worker, onSilent: () => void): () => boolean {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered === unansweredMax) {
      clearInterval(timer);
      onSilent();
      return;
    }
    unanswered += 1;
    if (worker.isConnected()) worker.send({ isAskedFor: 'heartbeat' }, () => undefined);
  }, askEveryMs).unref();
  worker.on('message', () => {
    unanswered = 0;
  });
  worker.once('exit', () => clearInterval(timer));
  return () => unanswered > 1;
}

interface WatchedWorker {
  worker: Worker;
  /** Whether it does not answer. */
  isSilent(): boolean;
}

interface WorkersSeen {
  /** Workers that listen. */
  listening: readonly WatchedWorker[];
  isClosing: boolean;
}

/** Serves the merged metrics of all workers on METRICS_PORT. Returns a function that closes the port. */
async function serveWorkersMetrics(
  { config, log }: { config: Config; log: Log },
  workers: WorkersSeen,
): Promise<() => Promise<void>> {
  const [gate, { serveMetrics }, merging] = await Promise.all([
    import('../server/gate.js'),
    import('./monitoring.js'),
    import('../observability/metrics.js'),
  ]);
  const health = gate.openHealth(() => readinessOf(workers, gate), config.basePath);
  const metrics = { gather: gatherFrom(workers, merging), contentType: merging.mergedContentType };
  return (await serveMetrics({ config, log }, health, metrics)).close;
}

/** What the workers report: that of one that is not ready, if there is one. */
async function readinessOf(
  { isClosing, listening }: WorkersSeen,
  { isReady }: typeof import('../server/gate.js'),
): Promise<ReadinessReport> {
  if (isClosing) return { checks: { workers: 'are ending' } };
  if (listening.length === 0) return { checks: { workers: 'none listens' } };
  const reports: ReadinessReport[] = [];
  const take = ({ readiness }: FromWorker) => readiness && reports.push(readiness);
  await Promise.all(listening.map((worker) => ask(worker, 'readiness', { timeoutMs: readinessTimeoutMs, take })));
  if (reports.length === 0) return { checks: { workers: 'none answers' } };
  const report = reports.find((each) => !isReady(each)) ?? reports[0]!;
  return { ...report, checks: { workers: 'ok', ...report.checks } };
}

/** Merges the metrics of listening workers. (prom-client would also wait for workers that are starting.) */
function gatherFrom(
  workers: WorkersSeen,
  { openMergedMetrics, totalsOf }: typeof import('../observability/metrics.js'),
): () => Promise<string> {
  const merged = openMergedMetrics();
  const last = new Map<Worker, ProcessMetrics>();
  cluster.on('message', (worker, { metrics }: FromWorker) => {
    if (metrics) last.set(worker, metrics);
  });
  cluster.on('exit', (worker) => {
    merged.keepTotals(last.get(worker) ?? []);
    last.delete(worker);
  });
  return async () => {
    const { listening } = workers;
    if (listening.length === 0) throw new Error('no worker listens');
    const answers = await Promise.all(
      listening.map((worker) => ask(worker, 'metrics', { timeoutMs: metricsTimeoutMs })),
    );
    // the totals of a worker that has just ended are already kept
    const gathered = listening.flatMap(({ worker }, index) => {
      const metrics = last.get(worker);
      return metrics ? [answers[index] ? metrics : totalsOf(metrics)] : [];
    });
    return merged.merge(gathered, [
      { name: 'gatehouse_workers', help: 'Workers that listen.', value: listening.length },
      {
        name: 'gatehouse_workers_silent',
        help: 'Workers that listen and do not answer; their last known totals are used.',
        value: answers.filter((answered) => !answered).length,
      },
    ]);
  };
}

/** Longer than a figure of a worker's metrics may take. */
const metricsTimeoutMs = 6_000;
/** Longer than a worker waits for the database. */
const readinessTimeoutMs = 3_000;

/** A message of a worker. */
interface FromWorker {
  metrics?: ProcessMetrics;
  readiness?: ReadinessReport;
}

/** Resolves with true if the worker answered in time or ended. */
function ask(
  { worker, isSilent }: WatchedWorker,
  isAskedFor: keyof FromWorker,
  { timeoutMs, take }: { timeoutMs: number; take?: (message: FromWorker) => void },
): Promise<boolean> {
  if (isSilent()) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (answered: boolean): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(answered);
    };
    const timer = setTimeout(() => end(false), timeoutMs);
    const onMessage = (message: FromWorker) => {
      if (!message[isAskedFor]) return;
      take?.(message);
      end(true);
    };
    const onExit = () => end(true);
    worker.on('message', onMessage).on('exit', onExit);
    worker.send({ isAskedFor }, (error) => error && end(true));
  });
}

interface Workers {
  url: string;
  greet(): Promise<Greeting>;
  close(closing: Closing): Promise<void>;
  /** Ends all workers at once. */
  kill(): void;
}

/**
 * Starts the workers. The first one prepares the database, and must listen before the others start.
 * Throws OperatorError if the first one ends before it listens. Any worker that ends later is replaced.
 * @param notice called with each sentence for the operator
 */
export async function openWorkers(config: Config, notice: (line: string) => void): Promise<Workers> {
  const log = openLog(config.logLevel);
  const pool = new WorkerPool(log, notice);
  try {
    const closeOperations =
      config.metricsPort === undefined ? undefined : await serveWorkersMetrics({ config, log }, pool);
    const { listensOn: url, greeting } = await pool.start();
    await Promise.allSettled(Array.from({ length: config.workers - 1 }, () => pool.start()));
    const close = async (closing: Closing) => {
      await pool.close(closing);
      await closeOperations?.();
    };
    return { url, greet: async () => greeting, close, kill: () => pool.kill() };
  } catch (error) {
    pool.kill();
    throw error;
  }
}

const steadyMs = 60_000;
const pauseMsMin = 250;
const pauseMsMax = 30_000;

/** Replaces workers that end or do not answer, with growing pauses if they end soon after their start. */
class WorkerPool {
  readonly #listening = new Set<WatchedWorker>();
  #hasListened = false;
  #closing = false;
  #quickExits = 0;

  constructor(
    readonly log: Log,
    readonly notice: (line: string) => void,
  ) {}

  get listening(): readonly WatchedWorker[] {
    return [...this.#listening];
  }
  get isClosing(): boolean {
    return this.#closing;
  }

  /** Resolves when the worker listens, and rejects if it ends before, with its reason. */
  async start(): Promise<Listening> {
    const worker = cluster.fork();
    const startedAt = performance.now();
    const watched = { worker, isSilent: watchAnswers(worker, () => this.#end(worker)) };
    worker.once('exit', (code, signal) => {
      this.#listening.delete(watched);
      if (this.#closing || !this.#hasListened) return;
      this.log.error({ pid: worker.process.pid, code, signal }, 'a worker ended and is replaced');
      if (performance.now() - startedAt > steadyMs) this.#quickExits = 0;
      this.#replace();
    });
    worker.on('message', ({ failure }: { failure?: string }) => {
      // the start itself says why its first worker failed
      if (failure && this.#hasListened) this.notice(failure);
    });
    const listening = await listeningOf(worker);
    this.#hasListened = true;
    this.#listening.add(watched);
    return listening;
  }

  /** Kills a worker: a stopped or looping process reads no messages. */
  #end(worker: Worker): void {
    this.log.error({ pid: worker.process.pid }, 'a worker does not answer and is killed');
    worker.process.kill('SIGKILL');
  }

  #replace(): void {
    const pause = Math.min(pauseMsMax, pauseMsMin * 2 ** this.#quickExits);
    this.#quickExits += 1;
    setTimeout(() => {
      if (!this.#closing) this.start().catch(() => undefined); // its end starts another replacement
    }, pause);
  }

  async close(closing: Closing): Promise<void> {
    this.#closing = true;
    const all = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const ended = all.map((worker) => once(worker, 'exit'));
    const listening = new Set(this.listening.map(({ worker }) => worker));
    for (const worker of all) {
      // a worker that is starting has no requests and may not read messages
      if (!listening.has(worker)) worker.process.kill('SIGKILL');
      else if (worker.isConnected()) worker.send({ closing });
    }
    await Promise.all(ended);
  }

  kill(): void {
    this.#closing = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
  }
}

/** What a worker sends when it listens. */
interface Listening {
  listensOn: string;
  greeting: Greeting;
}

function listeningOf(worker: Worker): Promise<Listening> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: Partial<Listening> & { failure?: string }) => {
      if (message.listensOn) resolve(message as Listening);
      if (message.failure) reject(new OperatorError(message.failure));
    });
    worker.once('exit', () => reject(new OperatorError('No worker could be started.')));
  });
}

/** METRICS_PORT of a primary process: what all its workers counted, and whether they answer. */
import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../config/config.js';
import type { Log } from '../observability/log.js';
import { mergedContentType, openMergedMetrics, type ProcessMetrics, totalsOf } from '../observability/mergedMetrics.js';
import { metricsListener, openHealth } from '../server/health.js';
import type { Heartbeat } from './heartbeat.js';
import { listenOnMetricsPort } from './metricsPort.js';

export interface WatchedWorker {
  worker: Worker;
  heartbeat: Heartbeat;
}

interface WorkersSeen {
  /** Those that listen. */
  listening: readonly WatchedWorker[];
  isClosing: boolean;
}

/** Listens on METRICS_PORT. Gives what closes it. */
export async function serveWorkersMetrics(
  { config, log }: { config: Config; log: Log },
  workers: WorkersSeen,
): Promise<() => void> {
  const health = openHealth(async () => ({ checks: { workers: readinessOf(workers) } }), config.basePath);
  const answer = metricsListener(health, gatherFrom(workers), mergedContentType);
  return (await listenOnMetricsPort({ config, log }, answer)).close;
}

function readinessOf({ isClosing, listening }: WorkersSeen): string {
  if (isClosing) return 'are ending';
  if (listening.length === 0) return 'none listens';
  return listening.some(({ heartbeat }) => !heartbeat.isSilent()) ? 'ok' : 'none answers';
}

/** Of workers that listen: prom-client itself asks those too that are only starting, and waits for them in vain. */
function gatherFrom(workers: WorkersSeen): () => Promise<string> {
  const merged = openMergedMetrics();
  const last = new Map<Worker, ProcessMetrics>();
  cluster.on('message', (worker, { metrics }: { metrics?: ProcessMetrics }) => {
    if (metrics) last.set(worker, metrics);
  });
  cluster.on('exit', (worker) => {
    merged.keepTotals(last.get(worker) ?? []);
    last.delete(worker);
  });
  return async () => {
    const { listening } = workers;
    if (listening.length === 0) throw new Error('no worker listens');
    const answers = await Promise.all(listening.map((each) => askMetrics(each)));
    // one that ended meanwhile is among those whose totals were kept
    const gathered = listening.flatMap(({ worker }, index) => {
      const known = last.get(worker);
      return known ? [answers[index] ? known : totalsOf(known)] : [];
    });
    return merged.merge(gathered, [
      { name: 'gatehouse_workers', help: 'Workers that listen.', value: listening.length },
      {
        name: 'gatehouse_workers_silent',
        help: 'Workers that listen and do not answer: their totals are those of before.',
        value: answers.filter((answered) => !answered).length,
      },
    ]);
  };
}

const answerTimeoutMs = 2_000;

/** Whether it answered in time, or ended. */
function askMetrics({ worker, heartbeat }: WatchedWorker): Promise<boolean> {
  if (heartbeat.isSilent()) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (answered: boolean): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(answered);
    };
    const timer = setTimeout(() => end(false), answerTimeoutMs);
    const onMessage = ({ metrics }: { metrics?: object[] }) => metrics && end(true);
    const onExit = () => end(true);
    worker.on('message', onMessage).on('exit', onExit);
    worker.send({ isAskedFor: 'metrics' }, (error) => error && end(true));
  });
}

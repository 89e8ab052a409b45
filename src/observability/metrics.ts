/** Metrics of one process, and of several processes merged into one service. */
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CurrentRequest } from './currentRequest.js';
import { durationBuckets, openRequestMetrics } from './requestMetrics.js';

/** The JSON form of a registry. */
export type ProcessMetrics = readonly object[];

interface MergedMetrics {
  /** Keeps the totals of a process that ended, so that sums do not decrease. */
  keepTotals(metrics: ProcessMetrics): void;
  /** The text for Prometheus. */
  merge(processes: readonly ProcessMetrics[], figures: readonly MergedFigure[]): Promise<string>;
}

/** A figure of the merging process itself. */
interface MergedFigure {
  name: string;
  help: string;
  value: number;
}

export const mergedContentType = Registry.PROMETHEUS_CONTENT_TYPE;

const totalTypes = new Set(['counter', 'histogram']);
/** Counters and histograms, without gauges. */
export const totalsOf = (metrics: ProcessMetrics): ProcessMetrics =>
  (metrics as readonly { type: string }[]).filter(({ type }) => totalTypes.has(type));

const aggregate = (processes: readonly ProcessMetrics[]) => AggregatorRegistry.aggregate(processes as object[]);

export function openMergedMetrics(): MergedMetrics {
  // sequential, because two processes may end at the same moment
  let ended: Promise<ProcessMetrics> = Promise.resolve([]);
  return {
    keepTotals(metrics) {
      ended = ended.then((before) => aggregate([before, totalsOf(metrics)]).getMetricsAsJSON());
    },
    async merge(processes, figures) {
      return aggregate([await ended, ...processes, await asMetrics(figures)]).metrics();
    },
  };
}

function asMetrics(figures: readonly MergedFigure[]): Promise<ProcessMetrics> {
  const registry = new Registry();
  for (const { name, help, value } of figures) new Gauge({ name, help, registers: [registry] }).set(value);
  return registry.getMetricsAsJSON();
}

/** The metrics for Prometheus, and functions that count events. */
export interface Metrics {
  registry: Registry;
  requestEnded(request: CurrentRequest): void;
  statementEnded(milliseconds: number): void;
  secretLookedUp(isFound: boolean): void;
  replicaRead(result: string): void;
  /** Counts the hardened policy's verdict on a request. */
  requestRehearsed(operation: string, verdict: string): void;
}

export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requestEnded = openRequestMetrics(registry);
  const statements = new Histogram({
    name: 'gatehouse_statement_duration_seconds',
    help: 'SQL statements, without the wait for a connection.',
    buckets: durationBuckets,
    registers,
  });
  const lookups = { hit: 0, miss: 0 };
  new Counter({
    name: 'gatehouse_secret_lookups_total',
    help: 'Look-ups of remembered client secrets. A miss costs a bcrypt comparison.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      for (const [result, count] of Object.entries(lookups)) this.inc({ result }, count);
    },
  });
  const replicaReads = new Counter({
    name: 'gatehouse_replica_reads_total',
    help: 'Reads meant for replicas, by who answered: replica, or the primary because the replica was behind, failed or away.',
    labelNames: ['result'],
    registers,
  });
  return {
    registry,
    requestEnded,
    statementEnded: (milliseconds) => statements.observe(milliseconds / 1_000),
    secretLookedUp(isFound) {
      lookups[isFound ? 'hit' : 'miss'] += 1;
    },
    replicaRead: (result) => replicaReads.labels(result).inc(),
    requestRehearsed: countRehearsed(registry),
  };
}

function countRehearsed(registry: Registry): Metrics['requestRehearsed'] {
  const total = new Counter({
    name: 'gatehouse_rehearsed_requests_total',
    help: 'TOKEN_POLICY=rehearsal: requests by the verdict of the hardened policy.',
    labelNames: ['endpoint', 'verdict'],
    registers: [registry],
  });
  // looking up a child by its labels costs more than counting
  const counters = new Map<string, { inc(): void }>();
  return (endpoint, verdict) => {
    const name = `${endpoint} ${verdict}`;
    let counted = counters.get(name);
    if (!counted) {
      counted = total.labels({ endpoint, verdict });
      counters.set(name, counted);
    }
    counted.inc();
  };
}

/** A figure that is read when Prometheus asks; omitted if it cannot be read. */
interface Figure {
  name: string;
  help: string;
  read(): Promise<number | undefined> | number | undefined;
  /** How the values of several workers are combined. */
  aggregator: 'sum' | 'max';
}

export function showFigures({ registry }: Metrics, figures: Figure[]): void {
  for (const { name, help, read, aggregator } of figures)
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      async collect() {
        const value = await Promise.resolve(read()).catch(() => undefined);
        this.remove();
        if (value !== undefined) this.set(value);
      },
    });
}

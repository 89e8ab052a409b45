/** Metrics of one process, and of several as one service. */
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CurrentRequest } from './currentRequest.js';
import { durationBuckets, openRequestMetrics } from './requestMetrics.js';

/** What several processes counted, as that of one service. Totals of a process that ended stay, or they would go back. */

/** As a registry gives them as JSON. */
export type ProcessMetrics = readonly object[];

interface MergedMetrics {
  /** A process ended, and this is what it counted last. */
  keepTotals(metrics: ProcessMetrics): void;
  /** The text for Prometheus. */
  merge(processes: readonly ProcessMetrics[], figures: readonly MergedFigure[]): Promise<string>;
}

/** Of the one who merges. */
interface MergedFigure {
  name: string;
  help: string;
  value: number;
}

export const mergedContentType = Registry.PROMETHEUS_CONTENT_TYPE;

const totalTypes = new Set(['counter', 'histogram']);
/** Without what is only so at the moment. */
export const totalsOf = (metrics: ProcessMetrics): ProcessMetrics =>
  (metrics as readonly { type: string }[]).filter(({ type }) => totalTypes.has(type));

const aggregate = (processes: readonly ProcessMetrics[]) => AggregatorRegistry.aggregate(processes as object[]);

export function openMergedMetrics(): MergedMetrics {
  // one after the other, since two processes may end at the same moment
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

/** What Prometheus reads: rate, errors and duration by endpoint and grant, statements, the pool, the cache of secrets. */

/** Called for what is counted, as it happens. */
export interface Metrics {
  registry: Registry;
  requestEnded(request: CurrentRequest): void;
  statementEnded(milliseconds: number): void;
  secretLookedUp(found: boolean): void;
  replicaRead(result: string): void;
  /** What the hardened policy would say of a request. */
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
    help: 'Look-ups among the client secrets verified before; a miss costs a hash.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      for (const [result, count] of Object.entries(lookups)) this.inc({ result }, count);
    },
  });
  const replicaReads = new Counter({
    name: 'gatehouse_replica_reads_total',
    help: 'Reads for replicas: answered by one, or by the primary since it was behind, failed or away.',
    labelNames: ['result'],
    registers,
  });
  return {
    registry,
    requestEnded,
    statementEnded: (milliseconds) => statements.observe(milliseconds / 1_000),
    secretLookedUp(found) {
      lookups[found ? 'hit' : 'miss'] += 1;
    },
    replicaRead: (result) => replicaReads.labels(result).inc(),
    requestRehearsed: countRehearsed(registry),
  };
}

function countRehearsed(registry: Registry): Metrics['requestRehearsed'] {
  const total = new Counter({
    name: 'gatehouse_rehearsed_requests_total',
    help: 'TOKEN_POLICY=rehearsal: requests by what the hardened policy would say of them.',
    labelNames: ['endpoint', 'verdict'],
    registers: [registry],
  });
  // finding a child by its labels costs more than counting
  const known = new Map<string, { inc(): void }>();
  return (endpoint, verdict) => {
    const name = `${endpoint} ${verdict}`;
    let counted = known.get(name);
    if (!counted) {
      counted = total.labels({ endpoint, verdict });
      known.set(name, counted);
    }
    counted.inc();
  };
}

/** Figures that are looked up when Prometheus asks; one that can't be had is left out. */
interface Figure {
  name: string;
  help: string;
  read(): Promise<number | undefined> | number | undefined;
  /** How the workers of one machine are put together. */
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

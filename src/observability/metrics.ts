/** Metrics of one process, and of several processes merged into one service. */
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  Registry,
} from 'prom-client';
import { type CurrentRequest, endpointOf, grantOf, methodOf } from './currentRequest.js';

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
}

export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // a timer: at the usual 10 ms, the largest part of what a process without requests costs
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  // of workers the last start, so that it shows restarts, as that of a process does; the library leaves it out
  Object.assign(registry.getSingleMetric('process_start_time_seconds')!, { aggregator: 'max' });
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
  };
}

/** Adds a counter; returns a function that raises it, for values of its labels. */
export function openCounter(
  { registry }: Metrics,
  { name, help, labelNames = [] }: { name: string; help: string; labelNames?: readonly string[] },
): (by: number, ...values: string[]) => void {
  const total = new Counter({ name, help, labelNames, registers: [registry] });
  // looking up a child by its labels costs more than counting
  const counters = new Map<string, { inc(by: number): void }>();
  return (by, ...values) => {
    const key = values.join(' ');
    let counted = counters.get(key);
    if (!counted) {
      counted = total.labels(...values);
      counters.set(key, counted);
    }
    counted.inc(by);
  };
}

interface FigureBase {
  name: string;
  help: string;
  /** How the values of several workers are combined. */
  aggregator: 'sum' | 'max' | 'min';
}
/** A figure that is read when Prometheus asks; omitted if it cannot be read in time. */
interface Figure extends FigureBase {
  read(): Promise<number | undefined> | number | undefined;
}
/** A figure with a value for each value of a label. */
interface LabelledFigure extends FigureBase {
  label: string;
  readEach(): Promise<Readonly<Record<string, number>>>;
}

/** Longer than any check of /readyz. A database that hangs must not make the metrics hang: Prometheus waits 10 seconds. */
const figureTimeoutMs = 4_500;

function inTime<T>(value: T | Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), figureTimeoutMs);
  });
  return Promise.race([value, late])
    .catch(() => undefined)
    .finally(() => clearTimeout(timer));
}

export function showFigures({ registry }: Metrics, figures: (Figure | LabelledFigure)[]): void {
  for (const figure of figures) {
    const { name, help, aggregator } = figure;
    new Gauge({
      name,
      help,
      aggregator,
      labelNames: 'label' in figure ? [figure.label] : [],
      registers: [registry],
      async collect() {
        if ('label' in figure) {
          const values = await inTime(figure.readEach());
          this.reset();
          for (const [key, value] of Object.entries(values ?? {})) this.set({ [figure.label]: key }, value);
        } else {
          const value = await inTime(figure.read());
          this.remove();
          if (value !== undefined) this.set(value);
        }
      },
    });
  }
}

/** Upper bounds in seconds; longer durations are in a last bucket. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const labelNames = ['method', 'endpoint', 'grant'] as const;

/** Requests with the same labels. */
interface Series {
  labels: Record<(typeof labelNames)[number], string>;
  byStatus: Map<string | number, number>;
  /** Counts by bucket; one more than there are bounds. */
  durations: number[];
  seconds: number;
  statements: number;
}

/** Returns a function that counts a finished request. */
function openRequestMetrics(registry: Registry): (ended: CurrentRequest) => void {
  const series = new Map<string, Series>();
  registerSeries(registry, series);
  const countSpecial = countOccurrences(registry);
  return (ended) => {
    const { response, startedAt, statements } = ended;
    const matching = findSeries(series, ended);
    const status = response.writableFinished ? response.statusCode : 'aborted';
    matching.byStatus.set(status, (matching.byStatus.get(status) ?? 0) + 1);
    const seconds = (performance.now() - startedAt) / 1_000;
    let bucket = 0;
    while (seconds > durationBuckets[bucket]!) bucket++;
    matching.durations[bucket]! += 1;
    matching.seconds += seconds;
    matching.statements += statements;
    countSpecial(ended);
  };
}

function findSeries(series: Map<string, Series>, ended: CurrentRequest): Series {
  const method = methodOf(ended) ?? 'other';
  const endpoint = endpointOf(ended) ?? 'other';
  const grant = grantOf(ended, endpoint);
  const name = `${method} ${endpoint} ${grant}`;
  let matching = series.get(name);
  if (!matching) {
    const durations = new Array<number>(durationBuckets.length + 1).fill(0);
    matching = { labels: { method, endpoint, grant }, byStatus: new Map(), durations, seconds: 0, statements: 0 };
    series.set(name, matching);
  }
  return matching;
}

function registerSeries(registry: Registry, series: ReadonlyMap<string, Series>): void {
  const registers = [registry];
  new Counter({
    name: 'gatehouse_requests_total',
    help: 'Requests by status; aborted: the caller left before the answer.',
    labelNames: [...labelNames, 'status'],
    registers,
    collect() {
      this.reset();
      for (const { labels, byStatus } of series.values())
        for (const [status, count] of byStatus) this.inc({ ...labels, status: String(status) }, count);
    },
  });
  registry.registerMetric(durationsOf(series));
  new Counter({
    name: 'gatehouse_request_statements_total',
    help: 'SQL statements run for requests.',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { labels, statements } of series.values()) this.inc(labels, statements);
    },
  });
}

/** A histogram in the form that a registry reads. */
function durationsOf(series: ReadonlyMap<string, Series>): Metric {
  const histogram = {
    name: 'gatehouse_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    type: 'histogram',
    aggregator: 'sum',
  };
  const { name } = histogram;
  const samplesOf = ({ labels, durations, seconds }: Series) => {
    let value = 0;
    const samples = durations.map((count, bucket) => {
      value += count;
      return { metricName: `${name}_bucket`, labels: { le: durationBuckets[bucket] ?? '+Inf', ...labels }, value };
    });
    const sum = { metricName: `${name}_sum`, labels, value: seconds };
    return [...samples, sum, { metricName: `${name}_count`, labels, value }];
  };
  const get = async () => ({ ...histogram, values: [...series.values()].flatMap(samplesOf) });
  // a registry needs no more; the library's type only allows its own classes
  return { name, get } as unknown as Metric;
}

/** Counts rare events. */
function countOccurrences(registry: Registry): (ended: CurrentRequest) => void {
  const registers = [registry];
  const clientFailures = new Counter({
    name: 'gatehouse_client_failures_total',
    help: 'Clients that could not be authenticated: unknown, inactive, or with a wrong secret or assertion.',
    labelNames: ['cause'],
    registers,
  });
  const recoveries = new Counter({
    name: 'gatehouse_renewals_recovered_total',
    help: 'Renewals whose lost answer was repeated.',
    registers,
  });
  const endedSessions = new Counter({
    name: 'gatehouse_sessions_ended_by_provider_total',
    help: 'Sessions ended because their user signed out at the identity provider.',
    registers,
  });
  return ({ recovered, endedSessions: ended, clientFailure }) => {
    if (recovered) recoveries.inc();
    if (ended > 0) endedSessions.inc(ended);
    if (clientFailure) clientFailures.labels(clientFailure).inc();
  };
}

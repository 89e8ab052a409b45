/**
 * Counts requests by method, endpoint, grant and status. The counting is our own: prom-client builds a text from the labels
 * for each look-up, which would cost a fifth of a validation.
 */
import { Counter, type Metric, type Registry } from 'prom-client';
import { type CurrentRequest, endpointOf, grantOf, methodOf } from './currentRequest.js';

/** Upper bounds in seconds; longer durations are in a last bucket. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

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
export function openRequestMetrics(registry: Registry): (ended: CurrentRequest) => void {
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

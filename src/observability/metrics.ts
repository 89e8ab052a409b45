/** What Prometheus reads: rate, errors and duration by endpoint and grant, statements, the pool, the cache of secrets. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { endpointOf, grantOf, methodOf, type RequestUnderWay } from './currentRequest.js';

/** Called for what is counted, as it happens. */
export interface Metrics {
  registry: Registry;
  requestEnded(request: RequestUnderWay): void;
  statementEnded(milliseconds: number): void;
  secretLookedUp(found: boolean): void;
  replicaRead(result: string): void;
  /** What the hardened policy would say of a request. */
  requestRehearsed(operation: string, verdict: string): void;
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requestEnded = countRequests(registry);
  const statements = new Histogram({
    name: 'gatehouse_statement_duration_seconds',
    help: 'SQL statements, without the wait for a connection.',
    buckets,
    registers,
  });
  const lookups = new Counter({
    name: 'gatehouse_secret_lookups_total',
    help: 'Look-ups among the client secrets verified before; a miss costs a hash.',
    labelNames: ['result'],
    registers,
  });
  const replicaReads = new Counter({
    name: 'gatehouse_replica_reads_total',
    help: 'Reads for replicas: answered by one, or by the primary since it was behind, failed or away.',
    labelNames: ['result'],
    registers,
  });
  const [hits, misses] = [lookups.labels('hit'), lookups.labels('miss')];
  return {
    registry,
    requestEnded,
    statementEnded: (milliseconds) => statements.observe(milliseconds / 1_000),
    secretLookedUp: (found) => (found ? hits : misses).inc(),
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

interface Counted {
  count: { inc(): void };
  duration: { observe(seconds: number): void };
  statements: { inc(by: number): void };
}

function countRequests(registry: Registry): Metrics['requestEnded'] {
  const registers = [registry];
  const labelNames = ['method', 'endpoint', 'grant'] as const;
  const total = new Counter({
    name: 'gatehouse_requests_total',
    help: 'Requests by their answer; status aborted: the caller went before it.',
    labelNames: [...labelNames, 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'gatehouse_request_duration_seconds',
    help: 'From the head of a request to the end of its answer.',
    labelNames,
    buckets,
    registers,
  });
  const statements = new Counter({
    name: 'gatehouse_request_statements_total',
    help: 'SQL statements run for requests.',
    labelNames,
    registers,
  });
  const clientFailures = new Counter({
    name: 'gatehouse_client_failures_total',
    help: 'Clients that could not be authenticated: unknown, inactive, or with a wrong secret or assertion.',
    labelNames: ['cause'],
    registers,
  });
  const recoveries = new Counter({
    name: 'gatehouse_renewals_recovered_total',
    help: 'Renewals whose answer was lost and is given again.',
    registers,
  });
  const endedSessions = new Counter({
    name: 'gatehouse_sessions_ended_by_provider_total',
    help: 'Sessions that ended because their users signed out at the identity provider.',
    registers,
  });
  // finding a child by its labels costs more than counting
  const known = new Map<string, Counted>();
  return (ended) => {
    const method = methodOf(ended) ?? 'other';
    const endpoint = endpointOf(ended) ?? 'other';
    const grant = grantOf(ended, endpoint);
    const status = ended.response.writableFinished ? String(ended.response.statusCode) : 'aborted';
    const name = `${method} ${endpoint} ${grant} ${status}`;
    let counted = known.get(name);
    if (!counted) {
      const labels = { method, endpoint, grant };
      counted = {
        count: total.labels({ ...labels, status }),
        duration: duration.labels(labels),
        statements: statements.labels(labels),
      };
      known.set(name, counted);
    }
    counted.count.inc();
    counted.duration.observe((performance.now() - ended.startedAt) / 1_000);
    counted.statements.inc(ended.statements);
    if (ended.recovered) recoveries.inc();
    if (ended.endedSessions > 0) endedSessions.inc(ended.endedSessions);
    if (ended.clientFailure) clientFailures.labels(ended.clientFailure).inc();
  };
}

/** Figures that are looked up when Prometheus asks; one that can't be had is left out. */
export interface Figure {
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

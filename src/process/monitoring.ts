/** Serves metrics and health, and defines the metrics of the database. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import type { Dependencies } from '../context.js';
import type { Database } from '../database/connect.js';
import type { ReplicaWatch } from '../database/connections/replicas.js';
import type { Log } from '../observability/log.js';
import { type Metrics, showFigures } from '../observability/metrics.js';
import { type Health, isReady, metricsListener } from '../server/gate.js';
import { createListener } from '../server/httpServer.js';
import { openDatabaseFigures, openWaitingRecords } from '../services/maintenance/readiness.js';
import { listen } from './listen.js';

const connectionsMax = 100;

/** Serves health and metrics on METRICS_PORT. @param gather returns the text of the metrics */
export async function serveMetrics(
  { config, log }: { config: Config; log: Log },
  health: Health,
  { gather, contentType }: { gather(): Promise<string>; contentType: string },
): Promise<{ url: string; close(): Promise<void> }> {
  const answer = metricsListener(health, gather, contentType);
  const server = createListener({ ...config, connectionsMax, log }).on('request', answer);
  const url = await listen(server, config.host, config.metricsPort!, 'METRICS_PORT');
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, close };
}

/** Logs once that a replica does not answer, and once that it answers again. */
export const watchReplicas = (log: Log, metrics: Metrics | undefined): ReplicaWatch => ({
  read: (result) => metrics?.replicaRead(result),
  changed: (host, isAway) =>
    isAway
      ? log.warn({ host }, 'a database replica does not answer: the primary answers its reads')
      : log.info({ host }, 'a database replica answers again'),
});

/** Shows what /readyz says: a load balancer that takes a process out of service hides its failures from all other metrics. */
export function showReadiness(metrics: Metrics, health: Health): void {
  // after gatehouse_database_waiting was read: the check itself waits for a connection
  const report = () => nextTurn().then(health.report);
  showFigures(metrics, [
    {
      name: 'gatehouse_ready',
      help: 'Whether /readyz is 200: 1, or 0. Of several workers: whether it is for all.',
      aggregator: 'min',
      read: async () => Number(isReady(await report())),
    },
    {
      name: 'gatehouse_check_passed',
      help: 'The checks of /readyz: 1 passed, 0 failed. replicas and disk do not make the process unready.',
      aggregator: 'min',
      label: 'check',
      async readEach() {
        const { checks, replicas = 'ok', disk = 'ok' } = await report();
        const results = Object.entries({ ...checks, replicas, disk });
        return Object.fromEntries(results.map(([check, result]) => [check, Number(result === 'ok')]));
      },
    },
  ]);
}

export function showDatabase(
  metrics: Metrics,
  { pools, countWaiting, background }: Database,
  { config, clock }: Pick<Dependencies, 'config' | 'clock'>,
): void {
  const figure = openDatabaseFigures(background);
  const connections = 'Connections to the database of this process:';
  const sumOf = (count: (pool: Database['pools'][number]) => number) => () =>
    pools.reduce((sum, pool) => sum + count(pool), 0);
  showFigures(metrics, [
    {
      name: 'gatehouse_database_connections',
      help: `${connections} all.`,
      aggregator: 'sum',
      read: sumOf(({ totalCount }) => totalCount),
    },
    {
      name: 'gatehouse_database_connections_idle',
      help: `${connections} idle.`,
      aggregator: 'sum',
      read: sumOf(({ idleCount }) => idleCount),
    },
    {
      name: 'gatehouse_database_waiting',
      help: 'Requests that wait for a connection.',
      aggregator: 'sum',
      read: countWaiting,
    },
    {
      name: 'gatehouse_clock_difference_seconds',
      help: 'Difference between the clocks of this process and of the database.',
      aggregator: 'max',
      read: () => Math.abs(clock.aheadMs()) / 1_000,
    },
    {
      name: 'gatehouse_signing_key_age_seconds',
      help: 'Time since the signing key began to sign.',
      aggregator: 'max',
      read: () => figure('key_age'),
    },
    {
      name: 'gatehouse_token_rows',
      help: 'Token records, estimated.',
      aggregator: 'max',
      read: () => figure('token_rows'),
    },
    {
      name: 'gatehouse_token_dead_rows',
      help: 'Old versions of token records that are not vacuumed yet, estimated.',
      aggregator: 'max',
      read: () => figure('dead_token_rows'),
    },
    {
      name: 'gatehouse_clean_up_age_seconds',
      help: 'Time since the last clean-up of any process; before the first one, since the start of this process.',
      aggregator: 'max',
      read: async () =>
        (await figure('clean_up_age')) ?? (config.housekeepingMinutes > 0 ? process.uptime() : undefined),
    },
    {
      name: 'gatehouse_clean_up_waiting_records',
      help: 'Token records that are due for removal, estimated.',
      aggregator: 'max',
      read: openWaitingRecords(background, config.tokenRetentionDays),
    },
    {
      name: 'gatehouse_cleaned_up_records',
      help: 'Records removed by clean-ups so far.',
      aggregator: 'max',
      read: () => figure('cleaned_up'),
    },
    {
      name: 'gatehouse_unapproved_change_sets',
      help: 'Change sets that commands made without the approval that APPROVALS requires, of those that are kept.',
      aggregator: 'max',
      read: () => figure('unapproved'),
    },
  ]);
}

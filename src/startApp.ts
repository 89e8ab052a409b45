/** Starts the service: its port, its background work, and the application that answers. */
import { type App, type AppOptions, openApp } from './app.js';
import { type Config, version } from './config/config.js';
import { allMigrations } from './database/migrations/all.js';
import { loadDevelopment } from './development.js';
import { works as modulesWorks, tasks } from './modules/background.js';
import { sweeps } from './modules/cleanUp.js';
import { observeRequests, openAccessLog } from './observability/currentRequest.js';
import { type Log, openLog } from './observability/log.js';
import { openMetrics } from './observability/metrics.js';
import type { Tracing } from './observability/tracing.js';
import { listen } from './process/listen.js';
import { serveMetrics, showDatabase, showReadiness } from './process/monitoring.js';
import { welcome } from './process/welcome.js';
import { type Closing, guard } from './server/gate.js';
import { createListener } from './server/httpServer.js';
import { createServer } from './server/routes.js';
import { startKeyMaintenance } from './services/keys/keyMaintenance.js';
import { startHousekeeping } from './services/maintenance/purge.js';
import { openReadiness } from './services/maintenance/readiness.js';
import { startSchedule } from './services/maintenance/schedule.js';
import { describeUsersOfNoIssuer } from './services/tokens/usersOfNoIssuer.js';

export interface RunningApp extends App {
  /** The address that it listens on. */
  url: string;
  /** The address of the metrics, with METRICS_PORT. */
  metricsUrl: string | undefined;
  greet(): Promise<Greeting>;
  /** @param closing how long open requests may take; absent: a second */
  close(closing?: Closing): Promise<void>;
}

/** What the operator is told when the service runs. */
export interface Greeting {
  warning: string | undefined;
  /** The text for a terminal. */
  screen: string;
}

const promptly: Closing = { delayMs: 0, graceMs: 1_000 };

/** Listens first, so that a taken port is reported before anything is started, and answers when all is open. */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { config, log = openLog(config.logLevel) } = options;
  const server = createListener({ ...config, log });
  const gate = guard(server, config.basePath);
  const metrics = config.metricsPort === undefined ? undefined : openMetrics();
  const url = await listen(server, config.host, config.port, 'PORT');
  const closers: (() => Promise<void>)[] = [];
  try {
    const tracing = await openTraces(config, log);
    if (tracing) closers.push(tracing.close);
    if (metrics) {
      showReadiness(metrics, gate.health);
      options.gatherMetrics?.(metrics.registry, gate.health);
    }
    const metricsServer =
      metrics &&
      !options.gatherMetrics &&
      (await serveMetrics({ config, log }, gate.health, {
        gather: () => metrics.registry.metrics(),
        contentType: metrics.registry.contentType,
      }));
    if (metricsServer) closers.push(metricsServer.close);
    const ownUrl = url + config.basePath;
    const app = await openApp({ ...options, log, serving: true, metrics }, ownUrl);
    closers.push(app.close);
    const { dependencies, database } = app;
    if (!config.databaseUrl) (await loadDevelopment()).keepIssuer(config, app.dependencies.issuerUrl);
    const development = config.idTokenIssuers ? undefined : await loadDevelopment();
    await development?.loadDemoData(app.commandContext());
    const keyMaintenance = await startKeyMaintenance({ ...dependencies, sql: database.background });
    closers.push(keyMaintenance.stop);
    const background = { sql: database.background, log, clock: dependencies.clock, config };
    closers.push(startHousekeeping({ ...background, sweeps }).stop);
    const works = modulesWorks.flatMap((open) => open(dependencies, { sql: database.background, metrics }) ?? []);
    closers.push(...works.map(({ stop }) => stop));
    const taskContext = () => ({ ...app.commandContext(), face: 'schedule' as const });
    const allTasks = [...tasks, ...works.flatMap(({ task }) => task ?? [])];
    closers.push(startSchedule({ ...background, taskContext }, allTasks).stop);
    if (metrics) showDatabase(metrics, database, dependencies);
    const provided = development?.openDevelopment(dependencies);
    const answer = keyMaintenance.afterReading(createServer(dependencies, provided, options.consoleFolder));
    const ended = [
      metrics?.requestEnded,
      openAccessLog(config.accessLog, log),
      ...works.map(({ requestEnded }) => requestEnded),
    ];
    const observed = observeRequests(answer, { ended, begin: tracing?.begin });
    gate.open(observed, readinessOf(app));
    const close = async (closing = promptly) => {
      // a fifth of the time is for what is collected in memory
      await gate.close({ ...closing, graceMs: Math.floor(closing.graceMs * 0.8) });
      for (const closer of closers.splice(0).reverse()) await closer();
    };
    const greet = async () => ({
      // the service runs: a failure of the database must not end it now
      warning: await describeUsersOfNoIssuer(dependencies.sql, config).catch(() => undefined),
      screen: await welcome({ dependencies, url }),
    });
    return { ...app, url, metricsUrl: metricsServer ? metricsServer.url : undefined, greet, close };
  } catch (error) {
    server.close();
    server.closeAllConnections();
    for (const closer of closers.splice(0).reverse()) await closer();
    throw error;
  }
}

/** Loads the libraries only if the setting is set. */
async function openTraces(config: Config, log: Log): Promise<Tracing | undefined> {
  if (!config.otlpEndpoint) return undefined;
  const { openTracing } = await import('./observability/tracing.js');
  const { otlpEndpoint: endpoint, otlpServiceName: serviceName, otlpSamplerArg: share } = config;
  return openTracing({ endpoint, serviceName, share, version, log });
}

const readinessOf = ({ database: { tokens, probeReplicas, isDiskFull }, dependencies: { keys, clock } }: App) =>
  openReadiness({
    sql: tokens,
    keys,
    clock,
    migrations: allMigrations.map(({ name }) => name),
    probeReplicas,
    isDiskFull,
  });

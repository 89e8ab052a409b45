/** The only place where things are constructed; the service, its commands and the tests all start here. */
import { randomBytes } from 'node:crypto';
import { openClientKeys } from './auth/clientKeys.js';
import { openSecretChecker } from './auth/clientSecret.js';
import { openFailureLimit } from './auth/failureLimit.js';
import { openIdTokenVerifier } from './auth/idToken.js';
import { openSignIns } from './auth/providerSignIn.js';
import { openRequestLimit } from './auth/requestLimit.js';
import { openVerifiedTokens } from './auth/verifiedTokens.js';
import { type Config, type IdTokenIssuer, version } from './config/config.js';
import { ownAddress } from './config/ownAddress.js';
import { consoleAddress } from './console/address.js';
import type { Context, Dependencies } from './context.js';
import { connect, type Database } from './database/connect.js';
import { migrate, missingMigrations } from './database/migrate.js';
import { allMigrations } from './database/migrations/all.js';
import { developmentIssuer, loadDemoData, openDevelopment } from './dev/development.js';
import { developmentEncryptionKey } from './dev/keptSecret.js';
import { openEmbeddedPostgres } from './dev/postgres/open.js';
import { OperatorError } from './errors.js';
import { openAccessLog } from './http/accessLog.js';
import { currentRequest, observeRequests } from './observability/currentRequest.js';
import { type Log, openLog } from './observability/log.js';
import { type Metrics, openMetrics } from './observability/metrics.js';
import { observeStatements } from './observability/statements.js';
import type { Tracing } from './observability/tracing.js';
import { listen } from './process/listen.js';
import { countLookups, serveMetrics, showDatabase, watchReplicas } from './process/monitoring.js';
import { type Closing, guard } from './server/drain.js';
import { createListener } from './server/httpServer.js';
import { createServer } from './server/routes.js';
import { openAnswerCache } from './services/answerCache/answerCache.js';
import { openDatabaseClock } from './services/keys/databaseClock.js';
import { startKeyMaintenance } from './services/keys/keyMaintenance.js';
import { openSigningKeys } from './services/keys/keyStore.js';
import { startHousekeeping } from './services/maintenance/purge.js';
import { openReadiness } from './services/maintenance/readiness.js';
import { openRehearsal } from './services/policyReadiness/openRehearsal.js';
import { openRefusalRecorder } from './services/refusals/refusalRecorder.js';
import { openClientUses } from './services/tokens/clientUses.js';
import { systemCaller } from './services/tokens/identifyCaller.js';
import { openRecoveryAudit } from './services/tokens/recoveryAudit.js';
import { countUsage } from './services/usage/countUsage.js';
import { openUsageRecorder } from './services/usage/usageRecorder.js';
import type { Sql } from './sql.js';

export interface AppOptions {
  config: Config;
  /** Called with what the operator should know, a sentence at a time. */
  notice(line: string): void;
  log?: Log;
  /** Called with each SQL statement. */
  onStatement?: (text: string) => void;
  /** Requests are served: a statement may not take long, and not everybody may wait for a connection. A command has no limits. */
  serving?: boolean;
  metrics?: Metrics | undefined;
  /** Whoever shows the metrics in place of a port of our own. */
  gatherMetrics?: (registry: Metrics['registry']) => void;
  /** Of the console's built files, where it isn't `dist/console`. */
  consoleFolder?: string;
}

export interface App {
  dependencies: Dependencies;
  database: Database;
  /** The context of a command: the service itself calls. */
  commandContext(): Context;
  close(): Promise<void>;
}

/** Everything but the listening: database (embedded where none is set), migrations, keys, verifiers. */
export async function openApp(
  { config, notice, log = openLog(config.logLevel), onStatement, serving = false, metrics }: AppOptions,
  issuerUrl = config.issuerUrl ?? ownAddress(config),
  ownUrl = issuerUrl,
): Promise<App> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const url = config.databaseUrl ?? (await openEmbedded(config, notice, closers));
    const timeoutMs = config.databaseTimeoutMs;
    if (config.autoMigrate) await migrate(config.databaseDirectUrl ?? url, timeoutMs);
    const database = await connect({
      url,
      poolMax: config.databasePoolMax,
      timeoutMs,
      named: config.databaseNamedStatements,
      ...(serving && {
        tokenPoolMax: config.databaseTokenPoolMax,
        streamsMax: config.databaseStreamsMax,
        waitingMax: config.databaseWaitingMax,
        statementTimeoutMs: config.databaseStatementTimeoutMs,
        observe: observeStatements({ log, metrics, slowMs: config.slowStatementMs }),
        replicas: { urls: config.databaseReplicaUrls, watch: watchReplicas(log, metrics) },
      }),
      ...(onStatement && { onStatement }),
    });
    closers.push(() => database.close());
    if (!config.autoMigrate) await requireMigrations(database);
    const encryptionKeys = config.keyEncryptionKeys ?? [developmentEncryptionKey(config.dataDir)];
    const clock = openDatabaseClock();
    const { signingAlg } = config;
    const keys = await openSigningKeys({ sql: database.background, encryptionKeys, signingAlg, clock });
    const secrets = openSecretChecker({ cost: config.bcryptCost });
    const clientUses = openClientUses({ sql: database.background, log });
    closers.push(() => clientUses.close());
    const recoveries = openRecoveryAudit({ sql: database.background, config, log });
    closers.push(() => recoveries.close());
    const refusalRecorder = openRefusalRecorder({
      sql: database.background,
      log,
      clock,
      retentionDays: config.refusalRetentionDays,
    });
    closers.push(() => refusalRecorder.close());
    const rehearsal = openRehearsal({ config, sql: database.background, secrets, log, clock, metrics });
    closers.push(async () => rehearsal?.close());
    const countsIn = (sql: Sql) => (config.limiterStore === 'memory' ? 'memory' : sql);
    const issuers = idTokenIssuers(config, issuerUrl, ownUrl);
    const { callback } = consoleAddress({ config, issuerUrl });
    const providers = {
      log: (details: object, message: string) => log.info(details, message),
      network: {
        privateHosts: config.privateProviderHosts,
        observe: (url: URL) => currentRequest()?.trace?.fetchBegan(url),
      },
    };
    const dependencies: Dependencies = {
      config,
      issuerUrl,
      encryptionKeys,
      orm: database.orm,
      sql: database.sql,
      tokenSql: database.tokens,
      reads: database.sql,
      openReads: database.openReads,
      answers:
        serving && config.answersRememberedMb > 0
          ? openAnswerCache(config.answersRememberedMb * 1024 * 1024)
          : undefined,
      holdListSlot: database.lists.hold,
      log,
      clock,
      keys,
      idTokens: openIdTokenVerifier(issuers, providers),
      signIns: config.console ? openSignIns(issuers, { ...providers, callback }) : [],
      clientKeys: openClientKeys({ log: providers.log, network: providers.network }),
      verified: openVerifiedTokens(),
      secrets: metrics ? countLookups(secrets, metrics) : secrets,
      clientUses,
      recoveries,
      refusalRecorder,
      rehearsal,
      failures: openFailureLimit({ limit: config.clientFailureLimit, store: countsIn(database.tokens) }),
      tokenRequests: openRequestLimit(config.tokenRateLimit, countsIn(database.tokens), 'token'),
      adminRequests: openRequestLimit(config.adminRateLimit, countsIn(database.sql), 'admin'),
    };
    const commandContext = () => ({
      ...dependencies,
      caller: systemCaller(config.systemUserGuid),
      address: null,
      traceId: randomBytes(16).toString('hex'),
      face: 'cli' as const,
    });
    return { dependencies, database, commandContext, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function requireMigrations({ background }: Database): Promise<void> {
  const missing = await missingMigrations(background);
  if (missing.length > 0)
    throw new OperatorError(
      `The database lacks ${missing.join(', ')}, and AUTO_MIGRATE is no: run npx gatehouse migrate first.`,
    );
}

export interface RunningApp extends App {
  /** Where it really listens. */
  url: string;
  /** Where metrics are read, with METRICS_PORT. */
  metricsUrl: string | undefined;
  /** Absent: requests under way may take a second more. */
  close(closing?: Closing): Promise<void>;
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
    if (metrics) options.gatherMetrics?.(metrics.registry);
    const metricsServer =
      metrics && !options.gatherMetrics && (await serveMetrics({ config, log }, gate.health, metrics));
    if (metricsServer) closers.push(metricsServer.close);
    const ownUrl = url + config.basePath;
    const app = await openApp({ ...options, log, serving: true, metrics }, config.issuerUrl ?? ownUrl, ownUrl);
    closers.push(app.close);
    await loadDemoData(app.commandContext());
    const { dependencies, database } = app;
    const keyMaintenance = await startKeyMaintenance({ ...dependencies, sql: database.background });
    closers.push(() => keyMaintenance.stop());
    const usage = openUsageRecorder({
      sql: database.background,
      log,
      clock: dependencies.clock,
      retentionDays: config.usageRetentionDays,
    });
    closers.push(() => usage.close());
    const housekeeping = startHousekeeping({ sql: database.background, config, log });
    closers.push(() => housekeeping.stop());
    if (metrics) showDatabase(metrics, database, dependencies);
    const development = config.idTokenIssuers
      ? undefined
      : openDevelopment(dependencies, consoleAddress(dependencies).callback);
    const answer = createServer(dependencies, development, options.consoleFolder);
    const usageEnded = config.usageRetentionDays > 0 ? countUsage(usage) : undefined;
    const ended = [metrics?.requestEnded, openAccessLog(config.accessLog, log), usageEnded];
    const observed = observeRequests(answer, { ended, begin: tracing?.begin });
    gate.open(observed, readinessOf(app));
    const close = async (closing = promptly) => {
      await gate.close(closing);
      for (const closer of closers.splice(0).reverse()) await closer();
    };
    return { ...app, url, metricsUrl: metricsServer ? metricsServer.url : undefined, close };
  } catch (error) {
    server.close();
    server.closeAllConnections();
    for (const closer of closers.splice(0).reverse()) await closer();
    throw error;
  }
}

/** Without the setting not even the libraries are loaded. */
async function openTraces(config: Config, log: Log): Promise<Tracing | undefined> {
  if (!config.otlpEndpoint) return undefined;
  const { openTracing } = await import('./observability/tracing.js');
  const { otlpEndpoint: endpoint, otlpServiceName: serviceName, otlpSamplerArg: share } = config;
  return openTracing({ endpoint, serviceName, share, version, log });
}

const readinessOf = ({ database: { tokens, probeReplicas }, dependencies: { keys, clock } }: App) =>
  openReadiness({ sql: tokens, keys, clock, migrations: allMigrations.map(({ name }) => name), probeReplicas });

async function openEmbedded(
  config: Config,
  notice: AppOptions['notice'],
  closers: (() => Promise<void>)[],
): Promise<string> {
  const embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, notice });
  closers.push(() => embedded.close());
  return embedded.url;
}

const idTokenIssuers = (config: Config, issuerUrl: string, ownUrl: string): IdTokenIssuer[] =>
  config.idTokenIssuers ?? [developmentIssuer(issuerUrl, ownUrl)];

/** The only place where things are constructed; the service, its commands and the tests all start here. */
import { randomBytes } from 'node:crypto';
import { openSecretChecker } from './auth/clientSecret.js';
import { openFailureLimit } from './auth/failureLimit.js';
import { openIdTokenVerifier } from './auth/idToken.js';
import { openRequestLimit } from './auth/requestLimit.js';
import { openVerifiedTokens } from './auth/verifiedTokens.js';
import { ownAddress } from './config/ownAddress.js';
import { type Config, type IdTokenIssuer, version } from './config.js';
import type { Context, Dependencies } from './context.js';
import { connect, type Database } from './database/connect.js';
import { migrate, missingMigrations } from './database/migrate.js';
import { allMigrations } from './database/migrations/all.js';
import { developmentIssuer, developmentRoutes, loadDemoData } from './dev/development.js';
import { openEmbeddedPostgres } from './dev/embeddedPostgres.js';
import { developmentEncryptionKey } from './dev/keptSecret.js';
import { OperatorError } from './errors.js';
import { type Closing, guard } from './http/gate.js';
import { createListener } from './http/listener.js';
import { createServer, type FurtherRoutes } from './http/server.js';
import { listen } from './listening.js';
import { type Log, openLog } from './observability/log.js';
import { type Metrics, openMetrics } from './observability/metrics.js';
import { currentRequest, observeRequests } from './observability/requestUnderWay.js';
import { observeStatements } from './observability/statements.js';
import type { Tracing } from './observability/tracing.js';
import { countLookups, serveOperations, showDatabase, watchReplicas } from './operations.js';
import { systemCaller } from './services/caller.js';
import { startHousekeeping } from './services/housekeeping.js';
import { startKeyLife } from './services/keyLife.js';
import { openReadiness } from './services/readiness.js';
import { openSigningKeys } from './services/signingKeys.js';

export interface AppOptions {
  config: Config;
  /** Told of what the operator should know, a sentence at a time. */
  notice(line: string): void;
  log?: Log;
  /** Told of each SQL statement. */
  onStatement?: (text: string) => void;
  /** Requests are served: a statement may not take long, and not everybody may wait for a connection. A command has no limits. */
  serving?: boolean;
  metrics?: Metrics | undefined;
  /** Whoever shows the metrics in place of a port of our own. */
  gatherMetrics?: (registry: Metrics['registry']) => void;
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
    const keys = await openSigningKeys({ sql: database.operations, encryptionKeys, signingAlg: config.signingAlg });
    const secrets = openSecretChecker({ cost: config.bcryptCost });
    const limiterStore = config.limiterStore === 'memory' ? 'memory' : { pool: database.pool };
    const dependencies: Dependencies = {
      config,
      issuerUrl,
      encryptionKeys,
      orm: database.orm,
      sql: database.sql,
      reads: database.sql,
      openReads: database.openReads,
      log,
      keys,
      idTokens: openIdTokenVerifier(idTokenIssuers(config, issuerUrl, ownUrl), {
        log: (event) => log.info(event),
        network: {
          privateHosts: config.privateProviderHosts,
          observe: (url) => currentRequest()?.trace?.fetchBegan(url),
        },
      }),
      verified: openVerifiedTokens(),
      secrets: metrics ? countLookups(secrets, metrics) : secrets,
      failures: openFailureLimit({ limit: config.clientFailureLimit, store: limiterStore }),
      tokenRequests: openRequestLimit(config.tokenRateLimit, limiterStore, 'token'),
      adminRequests: openRequestLimit(config.adminRateLimit, limiterStore, 'admin'),
    };
    const commandContext = () => ({
      ...dependencies,
      caller: systemCaller(config.systemUserGuid),
      address: null,
      traceId: randomBytes(16).toString('hex'),
    });
    return { dependencies, database, commandContext, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function requireMigrations({ operations }: Database): Promise<void> {
  const missing = await missingMigrations(operations);
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

/** Listens first, so that a taken port is told before anything is started, and answers when all is open. */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { config, log = openLog(config.logLevel) } = options;
  const server = createListener();
  const gate = guard(server, config.basePath);
  const metrics = config.metricsPort === undefined ? undefined : openMetrics();
  const url = await listen(server, config.host, config.port, 'PORT');
  const closers: (() => Promise<void>)[] = [];
  try {
    const tracing = await openTraces(config, log);
    if (tracing) closers.push(tracing.close);
    if (metrics) options.gatherMetrics?.(metrics.registry);
    const operations = metrics && !options.gatherMetrics && (await serveOperations(config, gate.health, metrics));
    if (operations) closers.push(operations.close);
    const ownUrl = url + config.basePath;
    const app = await openApp({ ...options, log, serving: true, metrics }, config.issuerUrl ?? ownUrl, ownUrl);
    closers.push(app.close);
    await loadDemoData(app.commandContext());
    const { dependencies, database } = app;
    const keyLife = await startKeyLife({ ...dependencies, sql: database.operations });
    closers.push(() => keyLife.stop());
    const housekeeping = startHousekeeping({ sql: database.operations, config, log });
    closers.push(() => housekeeping.stop());
    if (metrics) showDatabase(metrics, database, config);
    const answer = createServer(dependencies, furtherRoutes(dependencies));
    const observed = observeRequests(answer, { ended: metrics?.requestEnded, begin: tracing?.begin });
    gate.open(observed, readinessOf(app));
    const close = async (closing = promptly) => {
      await gate.close(closing);
      for (const closer of closers.splice(0).reverse()) await closer();
    };
    return { ...app, url, metricsUrl: operations ? operations.url : undefined, close };
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

const readinessOf = ({ database: { operations, lookAtReplicas }, dependencies: { keys } }: App) =>
  openReadiness({ sql: operations, keys, migrations: allMigrations.map(({ name }) => name), lookAtReplicas });

function furtherRoutes(dependencies: Dependencies): FurtherRoutes[] {
  return dependencies.config.idTokenIssuers ? [] : developmentRoutes(dependencies);
}

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

/** Constructs everything, for the service (which startApp opens), for commands and for tests. */
import { randomBytes } from 'node:crypto';
import { openClientKeys } from './auth/clientKeys.js';
import { openSecretChecker } from './auth/clientSecret.js';
import { providerNetworkOf } from './auth/egressProxy.js';
import { openIdTokenVerifier } from './auth/idToken.js';
import { openFailureLimit, openRequestLimit } from './auth/limiter.js';
import { openVerifiedTokens } from './auth/tokenFormat.js';
import { type Config, ownAddress } from './config/config.js';
import type { Context, Dependencies } from './context.js';
import { connect, type Database } from './database/connect.js';
import { requireFit } from './database/fitness.js';
import { migrate, missingMigrations } from './database/migrate.js';
import { loadDevelopment, loadEmbeddedPostgres } from './development.js';
import { openAnswerCache } from './engine/answerCache.js';
import { OperatorError } from './errors.js';
import { recorders } from './modules/background.js';
import { clientGrants } from './modules/clientGrants.js';
import { currentRequest } from './observability/currentRequest.js';
import { type Log, openLog } from './observability/log.js';
import type { Metrics } from './observability/metrics.js';
import { observeStatements } from './observability/statements.js';
import { watchReplicas } from './process/monitoring.js';
import type { Health } from './server/gate.js';
import { openDatabaseClock, openKeysOrLost, openSigningKeys } from './services/keys/keyStore.js';
import { systemCaller } from './services/tokens/caller.js';
import { openClientUses } from './services/tokens/clientUses.js';
import { openGrantUses } from './services/tokens/grantUses.js';
import { openRecoveryAudit } from './services/tokens/recoveryAudit.js';
import type { Sql } from './sql.js';

export interface AppOptions {
  config: Config;
  /** Called with each sentence for the operator. */
  notice(line: string): void;
  log?: Log;
  /** Called with each SQL statement. */
  onStatement?: ((text: string) => void) | undefined;
  /** Time limit for the statements of a reading request, in milliseconds; absent: 3 seconds. */
  readTimeoutMs?: number;
  /** Whether requests are served, with limits for statements and waiting requests. Commands have no limits. */
  serving?: boolean;
  /** The command works with keys that KEY_ENCRYPTION_KEY does not open: they fail when they are used. */
  keysMayBeLost?: boolean | undefined;
  metrics?: Metrics | undefined;
  /** Exposes the metrics and the health instead of METRICS_PORT. */
  gatherMetrics?: (registry: Metrics['registry'], health: Health) => void;
  /** Folder of the console's built files, if it isn't `dist/console`. */
  consoleFolder?: string;
}

export interface App {
  dependencies: Dependencies;
  database: Database;
  /** The context of a command: the service itself calls. */
  commandContext(): Context;
  close(): Promise<void>;
}

/**
 * Constructs everything except the listener: database (embedded if none is set), migrations, keys, verifiers.
 * @param listensOn the address of the service that is started; absent: a command
 */
export async function openApp(
  { config, notice, log = openLog(config.logLevel), metrics, ...options }: AppOptions,
  listensOn?: string,
): Promise<App> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  const closeLater = <T extends { close(): Promise<void> } | undefined>(opened: T): T => {
    if (opened) closers.push(() => opened.close());
    return opened;
  };
  try {
    const database = await openDatabase({ config, notice, log, metrics, ...options }, closers);
    const issuerUrl = config.issuerUrl ?? listensOn ?? (await findIssuer(config)) ?? ownAddress(config);
    const encryptionKeys = config.keyEncryptionKeys ?? [(await loadDevelopment()).encryptionKeyIn(config.dataDir)];
    const clock = openDatabaseClock(options.serving ? log : undefined);
    const { signingAlg } = config;
    // a shell may lack the service's settings
    const keepsAlgorithm = listensOn === undefined;
    const store = { sql: database.background, encryptionKeys, signingAlg, keepsAlgorithm, clock };
    const keys = await (options.keysMayBeLost ? openKeysOrLost(store) : openSigningKeys(store));
    const secrets = openSecretChecker({ cost: config.bcryptCost, lookedUp: metrics?.secretLookedUp });
    const forRecorders = { sql: database.background, log, clock, config };
    const countsIn = (sql: Sql) => (config.limiterStore === 'memory' ? 'memory' : sql);
    const issuers = config.idTokenIssuers ?? [
      (await loadDevelopment()).developmentIssuer(issuerUrl, listensOn ?? issuerUrl),
    ];
    const providers = {
      log: (details: object, message: string) => log.info(details, message),
      network: {
        ...providerNetworkOf(config),
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
      sqlBeside: database.beside,
      reads: database.sql,
      openReads: database.openReads,
      openChanges: database.openChanges,
      holdForChange: database.holdForChange,
      answers:
        options.serving && config.answersRememberedMb > 0
          ? openAnswerCache(config.answersRememberedMb * 1024 * 1024)
          : undefined,
      holdListSlot: database.lists.hold,
      log,
      clock,
      keys,
      issuers,
      network: providers.network,
      idTokens: openIdTokenVerifier(issuers, providers),
      clientKeys: openClientKeys({ log: providers.log, network: providers.network }),
      verified: openVerifiedTokens(),
      secrets,
      clientUses: closeLater(openClientUses(forRecorders)),
      grantUses: closeLater(openGrantUses(forRecorders)),
      recoveries: closeLater(openRecoveryAudit(forRecorders)),
      refusalRecorder: { note: () => undefined },
      rehearsal: undefined,
      ...Object.assign(
        {},
        ...recorders.map((open) => closeLater(open({ ...forRecorders, secrets, metrics }))?.recorder),
      ),
      failures: openFailureLimit({ limit: config.clientFailureLimit, store: countsIn(database.tokens) }),
      tokenRequests: openRequestLimit(config.tokenRateLimit, countsIn(database.tokens), 'token'),
      adminRequests: openRequestLimit(config.adminRateLimit, countsIn(database.sql), 'admin'),
      clientGrants,
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

/** Opens and migrates the database. Adds to `closers` each function that closes what it opened. */
async function openDatabase(
  { config, notice, log, onStatement, readTimeoutMs = 3_000, serving, metrics }: AppOptions & { log: Log },
  closers: (() => Promise<void>)[],
): Promise<Database> {
  const url = config.databaseUrl ?? (await openEmbedded(config, notice, closers));
  const timeoutMs = config.databaseTimeoutMs;
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
      readTimeoutMs: Math.min(readTimeoutMs, config.databaseStatementTimeoutMs || readTimeoutMs),
      observe: observeStatements({ log, metrics, slowMs: config.slowStatementMs }),
      replicas: { urls: config.databaseReplicaUrls, watch: watchReplicas(log, metrics) },
    }),
    ...(onStatement && { onStatement }),
  });
  closers.push(() => database.close());
  await requireFit(database.background);
  const missing = await missingMigrations(database.background);
  if (missing.length > 0 && !config.autoMigrate)
    throw new OperatorError(
      `The database lacks ${missing.join(', ')}, and AUTO_MIGRATE is no: run bin/gatehouse migrate first.`,
    );
  if (missing.length > 0) await migrate(config.databaseDirectUrl ?? url, timeoutMs, notice);
  return database;
}

/** The issuer of the service that used the embedded database last. */
const findIssuer = async (config: Config): Promise<string | undefined> =>
  config.databaseUrl ? undefined : (await loadDevelopment()).findIssuer(config);

async function openEmbedded(
  config: Config,
  notice: AppOptions['notice'],
  closers: (() => Promise<void>)[],
): Promise<string> {
  const embedded = await (await loadEmbeddedPostgres()).openEmbeddedPostgres({ dataDir: config.dataDir, notice });
  closers.push(() => embedded.close());
  return embedded.url;
}

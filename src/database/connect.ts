/** The connection to PostgreSQL: one pool for the ORM and for plain statements. */
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { Pool } from 'pg';
import { readDatabaseUrl } from '../config/databaseUrl.js';
import type { Sql } from '../context.js';
import { allRecords } from '../entities/all.js';
import { type Hosts, openHosts, tryEachHost } from './hosts.js';
import { releaseLostConnections } from './lostConnections.js';
import { allMigrations } from './migrations/all.js';
import { ColumnNaming } from './naming.js';
import { openReplicas, type ReplicasSeen, type ReplicaWatch } from './replicas.js';
import { openSql } from './sql.js';
import { limitWaiting } from './waiting.js';
import { type ObserveStatement, watchedClient } from './watchedClient.js';

export interface ConnectOptions {
  /** As libpq writes it, with one host or several. */
  url: string;
  poolMax: number;
  /** Longest wait for a connection, in milliseconds. */
  timeoutMs: number;
  /** Longest run of a statement, in milliseconds; absent or 0: no limit. A list that is streamed may take ten minutes. */
  statementTimeoutMs?: number;
  /** Most requests that wait for a connection; the next is refused at once. Absent: no limit. */
  waitingMax?: number;
  /** Whether statements are prepared by name; absent: they are. */
  named?: boolean;
  /** Told of each statement, for counting in tests and benchmarks. */
  onStatement?: (text: string) => void;
  /** Told of each statement's begin and end. */
  observe?: ObserveStatement;
  applicationName?: string;
  /** Standbys for reads, and who watches them. */
  replicas?: { urls: readonly string[]; watch: ReplicaWatch };
}

export function ormOptions(url: string, onPoolCreated?: (pool: Pool) => void, connection: object = {}): Options {
  return {
    entities: allRecords,
    metadataProvider: ReflectMetadataProvider,
    metadataCache: { enabled: false },
    namingStrategy: ColumnNaming,
    clientUrl: readDatabaseUrl(url).hosts[0].url,
    forceUtcTimezone: true,
    batchSize: 1000,
    ignoreUndefinedInQuery: true,
    driverOptions: { ...connection, ...(onPoolCreated && { onPoolCreated }) },
    extensions: [Migrator],
    logger: () => undefined,
    migrations: {
      path: 'dist/src/database/migrations',
      pathTs: 'src/database/migrations',
      tableName: 'migrations',
      snapshot: false,
      snapshotName: 'snapshot',
      emit: 'ts',
      migrationsList: allMigrations,
      silent: true,
      // each in a transaction of its own, but for those that say they can be in none
      allOrNothing: false,
    },
  } as Options;
}

export interface Database {
  orm: MikroORM;
  sql: Sql;
  /** For the limiter's library. */
  pool: Pool;
  /** Three connections of their own, made when needed: for what must not wait behind requests. */
  operations: Sql;
  /** The reads of one request, on replicas where there are any; without, plain `sql`. */
  openReads: () => Sql;
  /** Which replicas answer; undefined where there are none. */
  lookAtReplicas: (() => Promise<ReplicasSeen>) | undefined;
  close(): Promise<void>;
}

/** Opens the pools. */
export async function connect(options: ConnectOptions): Promise<Database> {
  const { url, onStatement, waitingMax, timeoutMs, named = true } = options;
  const hosts = openHosts(url, timeoutMs);
  let pool: Pool | undefined;
  const orm = await MikroORM.init({
    ...ormOptions(
      url,
      (created) => {
        pool = created;
        releaseLostConnections(created);
        // the ORM connects at once
        tryEachHost(created, hosts, timeoutMs);
      },
      connectionOptions(options, hosts),
    ),
    ...(onStatement && { loggerFactory: () => statementLogger(onStatement) as never }),
  });
  await orm.em.getConnection().getNativeClient();
  if (!pool) throw new Error('the ORM made no pool');
  if (waitingMax !== undefined) limitWaiting(pool, waitingMax);
  const streamMsMax = options.statementTimeoutMs ? streamedMsMax : 0;
  const sqlOptions = { ...(onStatement && { onStatement }), named, streamMsMax, waitingMax, timeoutMs };
  const sql = openSql(pool, sqlOptions);
  const operations = new Pool(connectionOptions({ ...options, poolMax: 3 }, hosts));
  operations.on('error', nothing);
  tryEachHost(operations, hosts, timeoutMs);
  const pools = openReplicaPools(options);
  const replicas =
    pools.length > 0 ? openReplicas({ ...sqlOptions, pools, primary: sql, watch: options.replicas!.watch }) : undefined;
  const close = async () => {
    await Promise.all([orm.close(), operations.end(), ...pools.map((replica) => replica.pool.end())]);
  };
  return {
    orm,
    sql,
    pool,
    operations: openSql(operations, { named }),
    openReads: replicas?.openReads ?? (() => sql),
    lookAtReplicas: replicas?.look,
    close,
  };
}

// nobody waits long for a replica: the primary is there
const replicaConnectMsMax = 1_000;

function openReplicaPools(options: ConnectOptions): { host: string; pool: Pool }[] {
  const timeoutMs = Math.min(options.timeoutMs, replicaConnectMsMax);
  return (options.replicas?.urls ?? []).map((url) => {
    const hosts = openHosts(url, timeoutMs);
    const pool = new Pool(connectionOptions({ ...options, timeoutMs }, hosts)).on('error', nothing);
    if (options.waitingMax !== undefined) limitWaiting(pool, options.waitingMax);
    return { host: hosts.names, pool };
  });
}

/** The server ends a statement that is too slow; where it can't even tell so, the connection is given up a second later. */
const answerGraceMs = 1_000;
const idleInTransactionMsMax = 60_000;
const streamedMsMax = 10 * 60_000;

function connectionOptions(
  { poolMax, timeoutMs, statementTimeoutMs = 0, applicationName, observe }: ConnectOptions,
  hosts: Hosts,
) {
  const answerMsMax = statementTimeoutMs > 0 ? statementTimeoutMs + answerGraceMs : 0;
  return {
    max: poolMax,
    connectionTimeoutMillis: timeoutMs,
    application_name: applicationName ?? 'gatehouse',
    keepAlive: true,
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionMsMax,
    }),
    Client: watchedClient(hosts, { answerMsMax, observe }),
  };
}

const nothing = () => undefined;
/** A logger for the ORM that only tells the statements. */
function statementLogger(onStatement: (text: string) => void) {
  return {
    log: nothing,
    warn: nothing,
    error: nothing,
    setDebugMode: nothing,
    isEnabled: () => true,
    logQuery: ({ query }: { query: string }) => onStatement(query),
  };
}

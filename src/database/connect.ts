/** Opens the connection pools and the ORM. */
import { UnderscoreNamingStrategy } from '@mikro-orm/core';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { type Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { Pool } from 'pg';
import { readDatabaseUrl } from '../config/databaseUrl.js';
import { allRecords } from '../entities/all.js';
import { columnName } from '../entities/fieldTypes.js';
import { openSlots } from '../slots.js';
import type { Sql } from '../sql.js';
import { lockBriefly } from './besideOthers.js';
import { type Hosts, openHosts, tryEachHost } from './connections/failover.js';
import { openReplicas, type ReplicaWatch } from './connections/replicas.js';
import { type ObserveStatement, releaseLostConnections, watchedClient } from './connections/watchedClient.js';
import { allMigrations } from './migrations/all.js';
import { openShares, type Reader } from './statements/shares.js';
import { openSql } from './statements/sql.js';
import { limitWaiting, openListThrottle, streamInSlots } from './statements/streams.js';

class ColumnNaming extends UnderscoreNamingStrategy {
  override propertyToColumnName(property: string): string {
    return columnName(property);
  }
}

export interface ConnectOptions {
  /** As libpq writes it, with one host or several. */
  url: string;
  /** Maximum number of connections for requests. */
  poolMax: number;
  /** Connections that stay open without work; absent: 0. */
  poolMin?: number;
  /** Connections reserved for the token endpoints, at most half of all; absent: all are shared. */
  tokenPoolMax?: number;
  /** Maximum number of simultaneous streams, at most half of the other connections; absent: no limit. */
  streamsMax?: number;
  /** Longest wait for a connection, in milliseconds. */
  timeoutMs: number;
  /**
   * Statement timeout in milliseconds; absent or 0: no limit. For a stream it applies to each
   * batch of rows; a whole stream may take ten minutes.
   */
  statementTimeoutMs?: number;
  /**
   * Time limit for the statements of a reading request, and for each batch of a list's rows, in milliseconds; with
   * it each caller has a share of the connections. Absent: neither.
   */
  readTimeoutMs?: number;
  /** Whether to remove the role's time limits too, for work that may take hours. */
  unlimited?: boolean;
  /** Maximum number of requests that wait for a connection; further ones are refused at once. Absent: no limit. */
  waitingMax?: number;
  /** Whether statements are prepared by name; absent: they are. */
  named?: boolean;
  /** Called for each statement, for counting in tests and benchmarks. */
  onStatement?: (text: string) => void;
  /** Called when each statement begins and ends. */
  observe?: ObserveStatement;
  applicationName?: string;
  /** Standbys for reads, and their observer. */
  replicas?: { urls: readonly string[]; watch: ReplicaWatch };
}

type MigrationClass = new (...parameters: ConstructorParameters<typeof Migration>) => Migration & Pick<Migration, 'up'>;

/** Those outside a transaction say it themselves: an index that is created concurrently waits, and nobody behind it. */
const lockingBriefly = (migration: { name: string; class: MigrationClass }) => ({
  ...migration,
  class: class extends migration.class {
    override getQueries() {
      return this.isTransactional() ? [lockBriefly, ...super.getQueries()] : super.getQueries();
    }
  },
});

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
      migrationsList: allMigrations.map(lockingBriefly),
      silent: true,
      // each in a separate transaction, except those that can't run in one
      allOrNothing: false,
    },
  } as Options;
}

export type Database = Awaited<ReturnType<typeof connect>>;

/** Opens the pools. */
export async function connect(options: ConnectOptions) {
  const { url, onStatement, waitingMax = Number.POSITIVE_INFINITY, timeoutMs, named = true } = options;
  const parts = partsOf(options);
  const hosts = openHosts(url, timeoutMs);
  const { orm, pool } = await openOrm({ ...options, poolMax: parts.others }, hosts);
  const tokenPool = parts.tokens > 0 ? openPool({ ...options, poolMax: parts.tokens }, hosts) : pool;
  const forRequests = [...new Set([pool, tokenPool])];
  for (const requestPool of forRequests) limitWaiting(requestPool, waitingMax);
  const background = openPool({ ...options, poolMax: backgroundMax, poolMin: 1 }, hosts);
  const { statementTimeoutMs: batchTimeoutMs = 0, readTimeoutMs } = options;
  const shares = readTimeoutMs === undefined ? undefined : openShares({ readTimeoutMs, waitingMax, timeoutMs });
  const streamTimeoutMs = batchTimeoutMs > 0 ? streamTimeoutDefaultMs : 0;
  const sqlOptions = { onStatement, named, batchTimeoutMs, streamTimeoutMs, waitingMax, timeoutMs };
  const bounds = { ofOneMax: parts.streamsOfOne, waitingMax, timeoutMs };
  const streams = openSlots({ max: parts.streams, ...bounds });
  const throttle = openListThrottle(parts.tokens > 0 ? tokenPool : undefined);
  const replicaPools = openReplicaPools({ ...options, poolMax: parts.others });
  const replicas =
    replicaPools.length > 0
      ? openReplicas({ ...sqlOptions, pools: replicaPools, watch: options.replicas!.watch })
      : undefined;
  /**
   * Opens the reads of one request, on replicas if there are any. When the reader leaves, the running statement is cancelled and the
   * signal's reason is thrown.
   */
  const openReads = (reader: Reader = {}): Sql => {
    const share = shares?.ofRead(reader) ?? { signal: reader.signal };
    const primary = openSql(pool, { ...sqlOptions, ...(readTimeoutMs && { batchTimeoutMs: readTimeoutMs }), share });
    return streamInSlots(replicas?.openReads(primary, share) ?? primary, streams, throttle, reader);
  };
  const sql = streamInSlots(openSql(pool, sqlOptions), streams, throttle);
  /**
   * Opens the statements of a request that may change something, on its caller's share of the connections. They end with the reader's
   * signal only if it has one: a change does not.
   */
  const openChanges = (reader: Reader): Sql => {
    if (!shares) return sql;
    const own = openSql(pool, { ...sqlOptions, share: { ...shares.ofChange(reader), signal: reader.signal } });
    // a batch serves several callers, so it is on nobody's share
    return streamInSlots({ ...own, batchedRow: sql.batchedRow }, streams, throttle, reader);
  };
  const ownPools = [...forRequests, background, ...replicaPools.map((replica) => replica.pool)];
  const close = async () => {
    // the ORM ends the pool that it made
    await Promise.all([orm.close(), ...ownPools.filter((each) => each !== pool).map((each) => each.end())]);
  };
  /** Connections reserved for the token endpoints, so that large or slow reads don't delay them. */
  const tokens = openSql(tokenPool, sqlOptions);
  return {
    orm,
    sql,
    /** Statements of a request that holds a connection of `sql` meanwhile, which may be the only one. */
    beside: parts.others > 1 ? sql : tokens,
    /** Slots for lists, held from before the caller is authorized to the list's end: twice the number of streams. */
    lists: openSlots({ max: 2 * parts.streams, ...bounds }),
    tokens,
    /** The pools of all connections for requests, for metrics. */
    pools: forRequests as readonly Pool[],
    /** Returns the number of statements that wait for a connection or for their caller's share. */
    countWaiting: () => forRequests.reduce((sum, { waitingCount }) => sum + waitingCount, shares?.countWaiting() ?? 0),
    /** Up to four separate connections for background work, which must not wait behind requests. */
    background: openSql(background, { named }),
    openReads,
    openChanges,
    /** Waits until the caller may use a connection for a change; returns a function that releases it. */
    holdForChange: async (reader: Reader) => (await shares?.holdForChange(pool, reader)) ?? nothing,
    /** Reads the state of the replicas; undefined if there are none. */
    probeReplicas: replicas?.probe,
    /** Whether a write failed in the last minute because the disk of the database was full. */
    isDiskFull: hosts.isDiskFull,
    close,
  };
}

interface Parts {
  /** 0: the token endpoints share the connections of the others. */
  tokens: number;
  others: number;
  streams: number;
  /** Limit for one reader; the rest is for others. */
  streamsOfOne: number;
}

function partsOf({ poolMax, tokenPoolMax = 0, streamsMax = Number.POSITIVE_INFINITY }: ConnectOptions): Parts {
  const atMostHalf = (count: number, of: number) => Math.min(count, Math.max(1, Math.floor(of / 2)));
  const tokens = atMostHalf(tokenPoolMax, poolMax);
  const others = Math.max(1, poolMax - tokens);
  const streams = Number.isFinite(streamsMax) ? atMostHalf(streamsMax, others) : streamsMax;
  return { tokens, others, streams, streamsOfOne: Math.ceil((streams * 2) / 3) };
}

async function openOrm(options: ConnectOptions, hosts: Hosts): Promise<{ orm: MikroORM; pool: Pool }> {
  const { url, timeoutMs, onStatement } = options;
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
  return { orm, pool };
}

function openPool(options: ConnectOptions, hosts: Hosts): Pool {
  const pool = new Pool(connectionOptions(options, hosts)).on('error', nothing);
  tryEachHost(pool, hosts, options.timeoutMs);
  return pool;
}

// a short timeout, since the primary can answer
const replicaConnectTimeoutMs = 1_000;

function openReplicaPools(options: ConnectOptions): { host: string; pool: Pool }[] {
  const timeoutMs = Math.min(options.timeoutMs, replicaConnectTimeoutMs);
  return (options.replicas?.urls ?? []).map((url) => {
    const hosts = openHosts(url, timeoutMs);
    const pool = openPool({ ...options, timeoutMs }, hosts);
    if (options.waitingMax !== undefined) limitWaiting(pool, options.waitingMax);
    return { host: hosts.names, pool };
  });
}

/** The server cancels a slow statement; if no answer comes, the connection is closed a second later, or when a server that hangs is noticed. */
const answerGraceMs = 1_000;
/** Commands and migrations, which may take hours, are not given up for a server that is slow for seconds. */
const patienceOfCommands = 12;
const idleInTransactionTimeoutMs = 60_000;
const backgroundMax = 4;
const streamTimeoutDefaultMs = 10 * 60_000;

function connectionOptions(
  {
    poolMax,
    poolMin = 0,
    timeoutMs,
    statementTimeoutMs = 0,
    unlimited = false,
    applicationName,
    observe,
    readTimeoutMs,
  }: ConnectOptions,
  hosts: Hosts,
) {
  const isForRequests = readTimeoutMs !== undefined || statementTimeoutMs > 0;
  const hangTimeoutMs = isForRequests ? timeoutMs : timeoutMs * patienceOfCommands;
  const answerTimeoutMs = statementTimeoutMs > 0 ? statementTimeoutMs + answerGraceMs : 0;
  return {
    max: poolMax,
    min: poolMin,
    connectionTimeoutMillis: timeoutMs,
    application_name: applicationName ?? 'gatehouse',
    keepAlive: true,
    unlimited,
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    }),
    Client: watchedClient(hosts, { answerTimeoutMs, hangTimeoutMs, observe }),
  };
}

const nothing = () => undefined;
/** A logger for the ORM that only passes on the statements. */
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

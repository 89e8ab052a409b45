/** The connection to PostgreSQL: one pool for the ORM and for plain statements. */
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Sql } from '../context.js';
import { allRecords } from '../entities/all.js';
import { releaseLostConnections } from './lostConnections.js';
import { allMigrations } from './migrations/all.js';
import { ColumnNaming } from './naming.js';
import { openSql } from './sql.js';

export interface ConnectOptions {
  url: string;
  poolMax: number;
  /** Longest wait for a connection, in milliseconds. */
  timeoutMs: number;
  /** Told of each statement, for counting in tests and benchmarks. */
  onStatement?: (text: string) => void;
  applicationName?: string;
}

export function ormOptions(url: string, onPoolCreated?: (pool: Pool) => void, connection: object = {}): Options {
  return {
    entities: allRecords,
    metadataProvider: ReflectMetadataProvider,
    metadataCache: { enabled: false },
    namingStrategy: ColumnNaming,
    clientUrl: url,
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
    },
  } as Options;
}

export interface Database {
  orm: MikroORM;
  sql: Sql;
  /** For the limiter's library. */
  pool: Pool;
  close(): Promise<void>;
}

/** Opens the pool; no connection is made yet. */
export async function connect({
  url,
  poolMax,
  timeoutMs,
  onStatement,
  applicationName,
}: ConnectOptions): Promise<Database> {
  let pool: Pool | undefined;
  const orm = await MikroORM.init({
    ...ormOptions(
      url,
      (created) => {
        pool = created;
        releaseLostConnections(created);
      },
      {
        max: poolMax,
        connectionTimeoutMillis: timeoutMs,
        application_name: applicationName ?? 'gatehouse',
        keepAlive: true,
      },
    ),
    ...(onStatement && { loggerFactory: () => statementLogger(onStatement) as never }),
  });
  await orm.em.getConnection().getNativeClient();
  if (!pool) throw new Error('the ORM made no pool');
  return { orm, sql: openSql(pool, onStatement), pool, close: () => orm.close() };
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

/** Settings of the database and its connections. */

import { databaseUrl, replicaUrls } from './databaseUrl.js';
import { boolean, integer } from './parsers.js';
import { optional, setting } from './setting.js';

export const databaseSettings = {
  databaseUrl: optional(
    'DATABASE_URL',
    databaseUrl,
    'PostgreSQL to use, one host or several with `target_session_attrs`; not set: an embedded one under `DATA_DIR`.',
    true,
  ),
  databaseDirectUrl: optional(
    'DATABASE_DIRECT_URL',
    databaseUrl,
    'The same database past a transaction pooler, for migrations.',
    true,
  ),
  databaseReplicaUrls: setting(
    'DATABASE_REPLICA_URLS',
    replicaUrls,
    '',
    'Streaming standbys of the database, separated by commas, one server each: administrative reads go there while they have the last change.',
    true,
  ),
  autoMigrate: setting(
    'AUTO_MIGRATE',
    boolean,
    'yes',
    'yes: a start runs pending migrations, one process at a time; no: it refuses, and `npx gatehouse migrate` runs them.',
  ),
  databasePoolMax: setting(
    'DATABASE_POOL_MAX',
    integer(1, 1_000),
    '20',
    'Most connections to the database per process, for requests.',
  ),
  databaseTokenPoolMax: setting(
    'DATABASE_TOKEN_POOL_MAX',
    integer(1, 1_000),
    '8',
    'Of these, those that /token, /revoke, /validate-token, /profiles and /introspect have for themselves; half of them at most.',
  ),
  databaseStreamsMax: setting(
    'DATABASE_STREAMS_MAX',
    integer(1, 1_000),
    '6',
    'Most lists under /api that a process reads at once, each on a connection; half of the others at most, and two thirds of them for one caller. The next waits its turn, and is answered 503 after DATABASE_TIMEOUT_MS.',
  ),
  databaseTimeoutMs: setting(
    'DATABASE_TIMEOUT_MS',
    integer(100, 600_000),
    '5000',
    'Longest wait for a connection, in milliseconds; then 503.',
  ),
  databaseWaitingMax: setting(
    'DATABASE_WAITING_MAX',
    integer(0, 1_000_000),
    '1000',
    'Most requests of a process that wait for a connection, of the token endpoints and of the others each; the next is answered 503 at once.',
  ),
  databaseStatementTimeoutMs: setting(
    'DATABASE_STATEMENT_TIMEOUT_MS',
    integer(0, 3_600_000),
    '10000',
    'Longest run of a statement, in milliseconds; then 503. 0: no limit. Commands have none.',
  ),
  databaseNamedStatements: setting(
    'DATABASE_NAMED_STATEMENTS',
    boolean,
    'yes',
    'no: statements are not prepared by name, for transaction poolers that know no prepared statements.',
  ),
} as const;

/** What every service function receives, a sentence per member. */
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Caller } from './auth/caller.js';
import type { SecretChecker } from './auth/clientSecret.js';
import type { FailureLimit } from './auth/failureLimit.js';
import type { IdTokenVerifier } from './auth/idToken.js';
import type { KeyRing } from './auth/keyRing.js';
import type { RequestLimit } from './auth/requestLimit.js';
import type { VerifiedTokens } from './auth/verifiedTokens.js';
import type { Config } from './config.js';
import type { Log } from './observability/log.js';

/**
 * Statements with bind parameters, prepared once per connection. Rows are as JSON would have them: times as
 * ISO 8601 with milliseconds and Z, bigint as text, uuid in lower case, bytea as Buffer.
 * A database that is away or busy is thrown as the driver's error; `toGatehouseError` makes it a 503.
 */
export interface Sql {
  rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The first row of `statement.one`, perhaps in one statement with others who ask for the same at the same moment. */
  rowTogether<Row extends object>(statement: SharedStatement, values: readonly unknown[]): Promise<Row>;
  /** One transaction on one connection; commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** The rows of one statement from a cursor, `batch` at a time; all read from one snapshot. */
  stream<Row extends object>(text: string, values: readonly unknown[], batch: number): AsyncIterable<Row[]>;
}

/** A statement that one may run for itself, and many at once. */
export interface SharedStatement {
  /** Always gives a row. */
  one: string;
  /**
   * $1, $2… are arrays with a member for each who asks. Gives what `one` would, by `ord`, from 1; whoever gets no row
   * runs `one`.
   */
  many: string;
}

export interface SigningKeys {
  /** The keys as last read. */
  ring(): KeyRing;
  /** Reads the keys again and gives them, as they were at the call or later. */
  reload(): Promise<KeyRing>;
  /** The same for a key id that the ring lacks, which a stranger may have made up: seldom, so it may wait a little. A failure is a 503. */
  reloadForUnknown(): Promise<KeyRing>;
}

/** Made once, in src/app.ts. */
export interface Dependencies {
  /** The settings. */
  config: Config;
  /** `iss` of the tokens, from the settings or from the address listened on. */
  issuerUrl: string;
  /** KEY_ENCRYPTION_KEY: the first encrypts, all decrypt. */
  encryptionKeys: Buffer[];
  /** Entities, for changes: see services/change.ts. */
  orm: MikroORM;
  /** Statements, for reads and for the token endpoints. */
  sql: Sql;
  /** Reads of what is administered: `sql`, or what `openReads` gave where a request changes nothing. */
  reads: Sql;
  /** Reads for a request that changes nothing, on replicas where there are any (DATABASE_REPLICA_URLS). */
  openReads: () => Sql;
  /** Structured log; never give it a secret, a token or a hash. */
  log: Log;
  /** The keys that sign and verify our tokens. */
  keys: SigningKeys;
  /** Verifies identity providers' ID tokens. */
  idTokens: IdTokenVerifier;
  /** Access tokens whose signature was checked before. */
  verified: VerifiedTokens;
  /** Hashes and checks client secrets. */
  secrets: SecretChecker;
  /** Counts failures of client authentication. */
  failures: FailureLimit;
  /** Count the requests of an address to the token endpoints, and to the administration; undefined: no limit. */
  tokenRequests: RequestLimit | undefined;
  adminRequests: RequestLimit | undefined;
}

/** Dependencies and what is known of one request. */
export interface Context extends Dependencies {
  /** Who calls; services ask `permit` of it before anything else. */
  caller: Caller;
  /** Address of the caller, at most 45 characters, or null for a command. */
  address: string | null;
  /** Names the request in errors, log and audit events. */
  traceId: string;
}

export type { EntityManager };

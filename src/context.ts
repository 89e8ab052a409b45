/** Defines what every service function receives. */
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Caller, Permission } from './auth/caller.js';
import type { ClientKeys } from './auth/clientKeys.js';
import type { SecretChecker } from './auth/clientSecret.js';
import type { IdTokenVerifier } from './auth/idToken.js';
import type { KeyRing } from './auth/keyRing.js';
import type { FailureLimit, RequestLimit } from './auth/limits.js';
import type { ProviderNetwork } from './auth/providerDocuments.js';
import type { VerifiedTokens } from './auth/tokenFormat.js';
import type { Config, IdTokenIssuer } from './config/config.js';
import type { AnswerCache } from './engine/answerCache.js';
import type { Log } from './observability/log.js';
import type { Sql } from './sql.js';

export interface SigningKeys {
  /** Returns the keys that were read last. */
  ring(): KeyRing;
  /** Reads the keys again and returns them, as of the call or later. */
  reload(): Promise<KeyRing>;
  /** Reads the keys again and returns them. If that takes longer than a quarter of a second, or fails, those that were read last. */
  ringInTime(): Promise<KeyRing>;
  /** Reads the keys for an unknown key id. Since strangers can invent ids, it may wait, so that reads stay rare. A failure is a 503. */
  reloadForUnknown(): Promise<KeyRing>;
}

/** A refused token request, without a secret, a token or a hash, and without text of the caller except the client id. */
export interface NotedRefusal {
  traceId: string;
  /** The caller's address. Used for rate limits; never stored. */
  address: string | null;
  endpoint: string | null;
  grant: string | null;
  /** The presented client id, shortened. */
  clientId: string | null;
  /** The check that refused. */
  reason: string;
  detail: string;
  /** The guid of the renewal token's record. */
  tokenGuid: string | null;
}

/** Stores refused token requests by trace id; no request waits for it. */
export interface RefusalRecorder {
  note(refusal: NotedRefusal): void;
}

/** The hardened policy's verdict on a request that was answered as documented. */
export type RehearsedVerdict =
  | 'passed'
  | 'noCredentials'
  | 'wrongCredentials'
  | 'anotherClient'
  | 'anotherProfile'
  | 'reuse'
  | 'repeatedIdToken'
  /** The secret was not compared, for lack of time. */
  | 'notJudged';

/** Counts what the hardened policy would refuse; no request waits for it. */
export interface Rehearsal {
  /** @param clientId empty: no client @param operation a path */
  note(clientId: string, operation: string, verdict: RehearsedVerdict): void;
  /** Checks a client's secret when there is time, and reports the result; undefined: there was no time. */
  proves(credentials: { clientId: string; clientSecret: string }, then: (isProven: boolean | undefined) => void): void;
  /** Returns the stored hash that the secret matched in the rehearsal. */
  findProven(credentials: { clientId: string; clientSecret: string }): string | undefined;
}

/** The clock that all processes share. */
export interface DatabaseClock {
  now(): Date;
  /** Milliseconds by which this process is ahead of it (negative: behind); 0 if unknown. */
  aheadMs(): number;
}

/** Issues tokens to clients for themselves (client_credentials), for the scopes of one capability. */
export interface ClientGrant {
  /** None: its tokens have no scopes, and it is for every request that asks for none of another grant's. */
  scopes: readonly string[];
  /** Why it is refused to a client. */
  refusal: string;
  /** The only audience of its tokens. */
  audienceOf(dependencies: Pick<Dependencies, 'issuerUrl'>): string;
  /** Undefined: the client may not have one. Throws TokenRefusal `invalidClient`. */
  issue(
    context: Context,
    credentials: { clientId: string; clientSecret: string; assertion?: string | undefined },
    scopes: readonly string[],
  ): Promise<object | undefined>;
}

/** Constructed once, in src/app.ts. */
export interface Dependencies {
  /** The settings. */
  config: Config;
  /** `iss` of the tokens, from the settings or from the address listened on. */
  issuerUrl: string;
  /** KEY_ENCRYPTION_KEY: the first encrypts, all decrypt. */
  encryptionKeys: Buffer[];
  /** The ORM's entities, for changes: see services/records/change.ts. */
  orm: MikroORM;
  /** Runs statements; at the token endpoints on the connections of `tokenSql`. */
  sql: Sql;
  /** Runs statements on connections reserved for the token endpoints, which the administration can't delay. */
  tokenSql: Sql;
  /** Statements of a request that holds a connection of `sql` meanwhile. */
  sqlBeside: Sql;
  /** Runs administrative reads: `sql`, or the result of `openReads` for a request that changes nothing. */
  reads: Sql;
  /**
   * Opens reads for a request that changes nothing, on replicas if there are any (DATABASE_REPLICA_URLS).
   * @param reader aborts `signal` when it has gone, so that its statement is cancelled; `overdue` makes the error for
   * statements that took too long; in a request's context all are set already
   */
  openReads: (reader?: {
    signal?: AbortSignal;
    name?: string | undefined;
    overdue?: (timeoutMs: number) => unknown;
  }) => Sql;
  /** Statements of a request that may change something, on its caller's share of the connections. With a signal they end with it. */
  openChanges: (reader: { name: string | undefined; signal?: AbortSignal }) => Sql;
  /** Waits until the caller may use a connection for a change; returns a function that releases it. */
  holdForChange: (reader: { name: string | undefined }) => Promise<() => void>;
  /** Answers of administrative reads; undefined: none are cached (ANSWERS_REMEMBERED_MB). */
  answers: AnswerCache | undefined;
  /** Waits, without a statement, until the reader may begin a list; returns a function that releases the slot. */
  holdListSlot: (reader: { signal?: AbortSignal; name?: string | undefined }) => Promise<() => void>;
  /** Structured log; never give it a secret, a token or a hash. */
  log: Log;
  /** The clock for times that the database compares with its own. */
  clock: DatabaseClock;
  /** The keys that sign and verify our tokens. */
  keys: SigningKeys;
  /** The identity providers: the entries of ID_TOKEN_ISSUERS, or the development provider. */
  issuers: readonly IdTokenIssuer[];
  /** Verifies identity providers' ID tokens. */
  idTokens: IdTokenVerifier;
  /** How the addresses of others are reached: identity providers, keys of clients. */
  network: ProviderNetwork;
  /** The cache of verified access tokens. */
  verified: VerifiedTokens;
  /** Hashes and checks client secrets. */
  secrets: SecretChecker;
  /**
   * Notes when a client's secret or keys were last used. No request waits for this recorder or the following ones.
   * @param credential the stored hash of the secret, or the revision credential of a client with keys
   */
  clientUses: { note(clientId: string, credential: string): void };
  /** Notes on which day a user last got tokens for a profile. */
  grantUses: { note(userGuid: string, profileId: string): void };
  /** Notes recovered renewals by client. */
  recoveries: { note(recovery: { clientId: string; tokenGuid: string; traceId: string }): void };
  /** Notes why token requests were refused. */
  refusalRecorder: RefusalRecorder;
  /** Counts what the hardened policy would refuse; undefined unless TOKEN_POLICY=rehearsal. */
  rehearsal: Rehearsal | undefined;
  /** Counts failures of client authentication. */
  failures: FailureLimit;
  /** The public keys of clients. */
  clientKeys: ClientKeys;
  /** Count the requests of an address to the token endpoints, and to the administration; undefined: no limit. */
  tokenRequests: RequestLimit | undefined;
  adminRequests: RequestLimit | undefined;
  /** What clients may request for themselves. */
  clientGrants: readonly ClientGrant[];
}

/** The dependencies and the data of one request. */
export interface Context extends Dependencies {
  /** The caller; services call `permit` before anything else. */
  caller: Caller;
  /** Address of the caller, at most 45 characters, or null for a command. */
  address: string | null;
  /**
   * Fields that a read left out because the caller lacks their additional permission, by name, such
   * as `Token.user`. Absent: the whole read is refused.
   */
  refusals?: Map<string, Refusal>;
  /** Identifies the request in errors, log and audit events. */
  traceId: string;
  /** The interface of the request, as change sets record it. */
  face: 'graphql' | 'rest' | 'scim' | 'cli' | 'schedule';
  /** The note of change sets that have none of their own. */
  note?: string;
  /** Whether all changes are rolled back (a dry run). */
  isDryRun?: boolean;
  /** Whether a second person approved the changes. */
  isApproved?: boolean;
  /** The condition of a change: whether it holds for this version of the catalogue. Absent: it always holds. */
  ifVersion?: (version: string) => boolean;
  /** The transaction for changes; absent: each change has its own. */
  changing?: EntityManager;
  /** Waits until the caller may begin a transaction; returns a function that ends its turn. Absent: no limit. */
  holdTransaction?: () => Promise<() => void>;
}

export interface Refusal {
  permission: Permission;
  /** The field's first place in the answer; undefined if no record has it. */
  path?: readonly (string | number)[];
}

export type { EntityManager };

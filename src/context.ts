/** What every service function receives, a sentence per member. */
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Caller, Permission } from './auth/caller.js';
import type { ClientKeys } from './auth/clientKeys.js';
import type { SecretChecker } from './auth/clientSecret.js';
import type { IdTokenVerifier } from './auth/idToken.js';
import type { KeyRing } from './auth/keyRing.js';
import type { FailureLimit, RequestLimit } from './auth/limiter.js';
import type { ProviderSignIn } from './auth/providerSignIn.js';
import type { VerifiedTokens } from './auth/tokenFormat.js';
import type { Config } from './config/config.js';
import type { Log } from './observability/log.js';
import type { Sql } from './sql.js';

export interface SigningKeys {
  /** The keys as last read. */
  ring(): KeyRing;
  /** Reads the keys again and gives them, as they were at the call or later. */
  reload(): Promise<KeyRing>;
  /** The same for a key id that the ring lacks, which a stranger may have made up: rare, so it may wait a little. A failure is a 503. */
  reloadForUnknown(): Promise<KeyRing>;
}

/** Writes when a client's secret was last used; no request waits for it. */
export interface ClientUses {
  /** @param credential the stored hash of the secret that was used, or of keys what stands for the record that has them */
  note(clientId: string, credential: string): void;
}

/** Writes of which clients a lost answer was given again; no request waits for it. */
export interface Recoveries {
  note(recovery: { clientId: string; tokenGuid: string; traceId: string }): void;
}

/** A refused token request, in our own words and without a secret, a token or a hash. */
export interface NotedRefusal {
  traceId: string;
  /** Whose it was; not kept. */
  address: string | null;
  endpoint: string | null;
  grant: string | null;
  /** As presented, bounded. */
  clientId: string | null;
  /** Which check refused. */
  reason: string;
  detail: string;
  /** The guid of the record of a renewal token. */
  tokenGuid: string | null;
}

/** Keeps refused token requests for who asks by their trace id; no request waits for it. */
export interface RefusalRecorder {
  note(refusal: NotedRefusal): void;
}

/** What the hardened policy would say of a request that was answered as documented. */
export type RehearsedVerdict =
  | 'passed'
  | 'noCredentials'
  | 'wrongCredentials'
  | 'anotherClient'
  | 'anotherProfile'
  | 'reuse'
  | 'repeatedIdToken'
  /** There was no time to compare its secret. */
  | 'notJudged';

/** Counts what the hardened policy would refuse; no request waits for it. */
export interface Rehearsal {
  /** @param clientId empty: nobody @param operation a path */
  note(clientId: string, operation: string, verdict: RehearsedVerdict): void;
  /** Whether a client is who it says, when there is time to find out; undefined: there was none. */
  proves(credentials: { clientId: string; clientSecret: string }, then: (isProven: boolean | undefined) => void): void;
  /** The stored hash that the secret matched when it was judged here. */
  findProven(credentials: { clientId: string; clientSecret: string }): string | undefined;
}

/** An administrative read's answer, as bytes. */
export interface CachedAnswer {
  /** Of the catalogue, when it was made. */
  state: string;
  /** Guids of the users whose last sign-ins it tells, with commas between; and these. */
  users: string;
  logins: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** The body in content codings, by their names. */
  codings: ReadonlyMap<string, Buffer>;
}

/** Bytes of an answer while it is written; past the bound they are given up. */
export interface AnswerBuffer {
  add(chunk: Buffer): void;
  /** All of them; undefined where they were given up. */
  take(): Buffer | undefined;
  drop(): void;
}

/** Answers by what was asked, in the memory of this process. */
export interface AnswerCache {
  /** Of one answer, and of all that are being written. */
  answerBytesMax: number;
  find(key: string): CachedAnswer | undefined;
  /** Whether it was answered in this state before, as far as is known. */
  wasAnswered(key: string, state: string): boolean;
  noteAnswered(key: string, state: string): void;
  set(key: string, answer: CachedAnswer): void;
  addCoding(key: string, answer: CachedAnswer, coding: string, bytes: Buffer): void;
  /** @param name of the buffer: of two at the same time only one is filled */
  openBuffer(name: string): AnswerBuffer;
}

/** The clock that all processes share. */
export interface DatabaseClock {
  now(): Date;
  /** By how many milliseconds this process is ahead of it (negative: behind); 0 where nothing is sure. */
  aheadMs(): number;
}

/** Made once, in src/app.ts. */
export interface Dependencies {
  /** The settings. */
  config: Config;
  /** `iss` of the tokens, from the settings or from the address listened on. */
  issuerUrl: string;
  /** KEY_ENCRYPTION_KEY: the first encrypts, all decrypt. */
  encryptionKeys: Buffer[];
  /** Entities, for changes: see services/records/transaction.ts. */
  orm: MikroORM;
  /** Statements; at the token endpoints, on `tokenSql`'s connections. */
  sql: Sql;
  /** Statements on connections that the token endpoints have for themselves: who administers is never in their way. */
  tokenSql: Sql;
  /** Reads of what is administered: `sql`, or what `openReads` gave where a request changes nothing. */
  reads: Sql;
  /**
   * Reads for a request that changes nothing, on replicas where there are any (DATABASE_REPLICA_URLS).
   * @param reader aborts `signal` when it has gone: its statement is cancelled; `overdue` gives what is thrown when its
   * statements took too long; in a request's context all are known already
   */
  openReads: (reader?: {
    signal?: AbortSignal;
    name?: string | undefined;
    overdue?: (timeoutMs: number) => unknown;
  }) => Sql;
  /** Statements of a request that may change something, on its caller's share of the connections. */
  openChanges: (reader: { name: string | undefined }) => Sql;
  /** Waits until the caller may have a connection for a change, and gives what ends it. */
  holdForChange: (reader: { name: string | undefined }) => Promise<() => void>;
  /** Answers of administrative reads; undefined: none are cached (ANSWERS_REMEMBERED_MB). */
  answers: AnswerCache | undefined;
  /** Waits until the reader may begin a list, and gives what ends it; who waits has asked nothing of the database. */
  holdListSlot: (reader: { signal?: AbortSignal; name?: string | undefined }) => Promise<() => void>;
  /** Structured log; never give it a secret, a token or a hash. */
  log: Log;
  /** Stamps what the database compares with its own time. */
  clock: DatabaseClock;
  /** The keys that sign and verify our tokens. */
  keys: SigningKeys;
  /** Verifies identity providers' ID tokens. */
  idTokens: IdTokenVerifier;
  /** The identity providers by which people sign in to the console. */
  signIns: readonly ProviderSignIn[];
  /** Access tokens whose signature was checked before. */
  verified: VerifiedTokens;
  /** Hashes and checks client secrets. */
  secrets: SecretChecker;
  /** Notes uses of client secrets. */
  clientUses: ClientUses;
  /** Notes that lost answers were given again. */
  recoveries: Recoveries;
  /** Notes why token requests were refused. */
  refusalRecorder: RefusalRecorder;
  /** Counts what the hardened policy would refuse; undefined but with TOKEN_POLICY=rehearsal. */
  rehearsal: Rehearsal | undefined;
  /** Counts failures of client authentication. */
  failures: FailureLimit;
  /** The public keys of clients. */
  clientKeys: ClientKeys;
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
  /**
   * Fields that a read left out because the caller lacks the permission that they need beside their parent's, by name, such
   * as `Token.user`. Absent: such a read is refused as a whole.
   */
  refusals?: Map<string, Refusal>;
  /** Names the request in errors, log and audit events. */
  traceId: string;
  /** How the request came; change sets say so. */
  face: 'graphql' | 'rest' | 'cli';
  /** What is changed is rolled back: it harms nothing. */
  isDryRun?: boolean;
  /** The transaction that changes take part in; absent: each has one of its own. */
  changing?: EntityManager;
  /** Waits until the caller may begin a transaction, and gives what ends it; absent: it may at any time. */
  holdTransaction?: () => Promise<() => void>;
}

export interface Refusal {
  permission: Permission;
  /** Where in the answer the field was first met; undefined where there was no record to have it. */
  path?: readonly (string | number)[];
}

export type { EntityManager };

/** Client secrets: bcrypt in threads of low priority, a bounded queue, and a memory of successes. */
import { hash, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';
import { findUnstorable } from '../entities/storableText.js';

/** Runs slow secret comparisons a few at a time, so that an attack leaves processor time for everyone else. */

/** Too many comparisons wait already: nothing was judged, the caller should come back in `retryAfterSeconds`. */
export class SecretCheckOverloaded extends Error {
  override readonly name = 'SecretCheckOverloaded';
  // no fault of the code: where it was thrown would cost more to write than the refusal saves
  override readonly stack = '';
  constructor(readonly retryAfterSeconds = 1) {
    super('too many client secrets wait for their comparison');
  }
}

interface ComparisonQueue {
  /** Throws SecretCheckOverloaded when `run` would. */
  assertNotFull(): void;
  /**
   * Runs the work when its turn comes.
   * @param cooldownAfter after which results the slot stays taken for as long as the work took; none by default
   * Throws SecretCheckOverloaded at once, when the queue is full.
   */
  run<T>(work: () => Promise<T>, cooldownAfter?: (result: T) => boolean): Promise<T>;
}

/** @param atOnce comparisons that run at the same time @param waitingMax further ones that may wait */
export function openComparisonQueue(atOnce: number, waitingMax: number): ComparisonQueue {
  const waiting: Array<() => void> = [];
  let running = 0;

  function assertNotFull(): void {
    if (running >= atOnce && waiting.length >= waitingMax) throw new SecretCheckOverloaded();
  }

  async function acquireSlot(): Promise<void> {
    assertNotFull();
    if (running < atOnce) {
      running++;
      return;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  // A turn goes straight to the next in line, so nobody slips in between.
  function releaseSlot(): void {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  return {
    assertNotFull,
    async run(work, cooldownAfter = () => false) {
      await acquireSlot();
      const startedAt = performance.now();
      let cooldownMs = 0;
      try {
        const result = await work();
        if (cooldownAfter(result)) cooldownMs = performance.now() - startedAt;
        return result;
      } finally {
        if (cooldownMs > 0) setTimeout(releaseSlot, cooldownMs).unref();
        else releaseSlot();
      }
    },
  };
}

/**
 * bcrypt in threads of low priority (nice 10): a comparison takes some fifty milliseconds of a processor, and gets them when
 * nobody else wants it. Where the system knows no priorities of threads it runs all the same.
 */

interface BcryptThreads {
  compare(secret: string, hash: string): Promise<boolean>;
  hash(secret: string, cost: number): Promise<string>;
}

const lowPriority = 10;

/** @param count threads at most; the first use starts one, and one that nobody needs for a minute ends */
export function openBcryptThreads(count: number): BcryptThreads {
  const threads = new Piscina({
    filename: new URL('./bcryptWork.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: count,
    idleTimeout: 60_000,
    niceIncrement: lowPriority,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  return {
    compare: (secret, hash) => threads.run({ secret, hash }, { name: 'compare' }),
    hash: (secret, cost) => threads.run({ secret, cost }, { name: 'hash' }),
  };
}

/**
 * The verified-secret cache: against which stored hash a client's secret succeeded. Client and secret are held as a keyed
 * hash alone, under a random key of this process, so a memory dump tells no secret.
 */

interface RememberedSecrets {
  /** The stored hash that this secret of this client succeeded against last. */
  recall(clientId: string, secret: string): string | undefined;
  remember(clientId: string, secret: string, storedHash: string): void;
  forget(clientId: string, secret: string): void;
}

/** @param max successes kept; the one unused for longest goes first */
export function openRememberedSecrets(max: number): RememberedSecrets {
  const processKey = randomBytes(32).toString('base64');
  const storedHashes = new LRUCache<string, string>({ max });

  // As JSON: no client id can be chosen so that it runs over into the secret. The key in front is enough where nobody is
  // shown the name, and costs a quarter of an HMAC.
  const nameOf = (clientId: string, secret: string): string =>
    hash('sha256', JSON.stringify([processKey, clientId, secret]), 'base64');

  return {
    recall: (clientId, secret) => storedHashes.get(nameOf(clientId, secret)),
    remember(clientId, secret, storedHash) {
      storedHashes.set(nameOf(clientId, secret), storedHash);
    },
    forget(clientId, secret) {
      storedHashes.delete(nameOf(clientId, secret));
    },
  };
}

/**
 * Client secrets: made, hashed with bcrypt, and checked so that neither the answer nor its time tells whether the client
 * exists. A success is remembered, so a good client pays for bcrypt once.
 */

interface SecretCheckerOptions {
  /** BCRYPT_COST, 4 to 14. */
  cost: number;
  /** Successes remembered; 10,000. */
  cacheMax?: number;
  /** Comparisons at the same time; 2, and 1 where there are only two processors, so that one is left for everyone else. */
  atOnce?: number;
  /** Comparisons that may wait; 100. */
  waitingMax?: number;
}

interface SecretCheck {
  ok: boolean;
  /** The stored hash that the secret succeeded against. */
  hash?: string;
  /** After a success with a hash of another cost: the hash to store in its place. */
  rehash?: string;
}

export interface SecretChecker {
  /** Throws SecretUnusable when no client could ever present it; SecretCheckOverloaded. */
  hash(secret: string): Promise<string>;
  /**
   * @param storedHash undefined for an unknown or inactive client: costs the same and fails
   * @param admit runs before a comparison, not for a remembered secret or one that is being compared already
   * Throws SecretCheckOverloaded when nothing was judged, and what `admit` throws.
   */
  check(
    clientId: string,
    presented: string,
    storedHash: string | undefined,
    admit?: () => Promise<void>,
  ): Promise<SecretCheck>;
  /** The same with the hashes of a rotation, or undefined in place of one: a failure costs as many comparisons as there are places. */
  checkEither(
    clientId: string,
    presented: string,
    storedHashes: StoredHashes,
    admit?: () => Promise<void>,
  ): Promise<SecretCheck>;
  /**
   * The hash that the secret matches; no attempt of a client: nothing of it is remembered, and none that is counted shares it.
   * Throws SecretCheckOverloaded.
   */
  findMatch(presented: string, storedHashes: StoredHashes): Promise<string | undefined>;
  /** Throws SecretCheckOverloaded when there is no room for a comparison now. */
  assertNotFull(): void;
  /** The stored hash that this secret succeeded against last: to be compared with the one in the database. */
  findRemembered(clientId: string, presented: string): string | undefined;
  /** The hash that was stored in place of the one that the secret succeeded against. */
  remember(clientId: string, secret: string, storedHash: string): void;
  /** For a secret whose remembered hash is the client's no more: with it nobody gets past a limit again. */
  forget(clientId: string, presented: string): void;
  /** Whether `check` would succeed without a comparison. */
  isRemembered(clientId: string, presented: string, storedHash: string | undefined): boolean;
}

/** A secret or a hash that can't be stored; the message says why and doesn't repeat it. */
export class SecretUnusable extends Error {
  override readonly name = 'SecretUnusable';
}

const comparisonsAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
const secretBytesMax = 72;
const costMin = 4;
const costMax = 14;
// Alphabet ./A-Za-z0-9; the last character of salt and hash carries 2 and 4 bits, so only some are possible.
const bcryptHashForm = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

/** 32 random bytes as base64url: 43 characters. */
export function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A hash of this or another system as it is stored here: `$2y$` becomes `$2b$`. Throws SecretUnusable. */
export function normalizeHash(hash: string): string {
  const cost = bcryptHashForm.exec(hash)?.[1];
  if (cost === undefined) throw new SecretUnusable('is not a bcrypt hash ($2a$, $2b$ or $2y$, 60 characters)');
  if (Number(cost) < costMin || Number(cost) > costMax)
    throw new SecretUnusable(`is a bcrypt hash of cost ${Number(cost)}; ${costMin} to ${costMax} are accepted`);
  return hash.startsWith('$2y$') ? `$2b$${hash.slice(4)}` : hash;
}

type StoredHashes = readonly (string | undefined)[];

/** Opens the one checker of a process. */
export function openSecretChecker(options: SecretCheckerOptions): SecretChecker {
  const { cost, cacheMax = 10_000, atOnce = comparisonsAtOnce, waitingMax = 100 } = options;
  const queue = openComparisonQueue(atOnce, waitingMax);
  const threads = openBcryptThreads(atOnce);
  const remembered = openRememberedSecrets(cacheMax);
  const underWay = new Map<string, Promise<SecretCheck>>();
  // Costs what a hash of the configured cost costs, and is the hash of nothing.
  const dummyHash = bcrypt.genSaltSync(cost) + '.'.repeat(31);

  async function findMatch(presented: string, storedHashes: StoredHashes): Promise<string | undefined> {
    // those who try secrets get half of the threads' time at most
    const hash = await queue.run(
      () => findMatching(presented, storedHashes),
      (matching) => matching === undefined,
    );
    return findProblem(presented) === undefined ? hash : undefined;
  }

  async function compare(clientId: string, presented: string, storedHashes: StoredHashes): Promise<SecretCheck> {
    const hash = await findMatch(presented, storedHashes);
    if (hash === undefined) return { ok: false };
    remembered.remember(clientId, presented, hash);
    return { hash, ...(bcrypt.getRounds(normalizeHash(hash)) === cost ? { ok: true } : await rehash(presented)) };
  }

  async function findMatching(presented: string, storedHashes: StoredHashes): Promise<string | undefined> {
    for (const storedHash of storedHashes) {
      const known = findUsableHash(storedHash);
      if ((await threads.compare(presented, known ?? dummyHash)) && known !== undefined) return storedHash;
    }
    return undefined;
  }

  // A success stands even when there is no time to hash anew: that comes with the next comparison, after a restart at the latest.
  async function rehash(secret: string): Promise<SecretCheck> {
    try {
      return { ok: true, rehash: await queue.run(() => threads.hash(secret, cost)) };
    } catch {
      return { ok: true };
    }
  }

  function findRemembered(clientId: string, presented: string): string | undefined {
    return findProblem(presented) === undefined ? remembered.recall(clientId, presented) : undefined;
  }

  async function checkEither(
    clientId: string,
    presented: string,
    storedHashes: StoredHashes,
    admit = async () => {},
  ): Promise<SecretCheck> {
    const known = findRemembered(clientId, presented);
    if (known !== undefined && storedHashes.includes(known)) return { ok: true, hash: known };
    const name = JSON.stringify([clientId, presented, ...storedHashes.map((storedHash) => storedHash ?? null)]);
    const shared = underWay.get(name);
    if (shared) return shared;
    const own = admit()
      .then(() => compare(clientId, presented, storedHashes))
      .finally(() => underWay.delete(name));
    underWay.set(name, own);
    return own;
  }

  function isRemembered(clientId: string, presented: string, storedHash: string | undefined): boolean {
    return storedHash !== undefined && findRemembered(clientId, presented) === storedHash;
  }

  return {
    assertNotFull: queue.assertNotFull,
    findRemembered,
    remember: remembered.remember,
    forget: remembered.forget,
    isRemembered,
    async hash(secret) {
      const problem = findProblem(secret);
      if (problem) throw new SecretUnusable(problem);
      return queue.run(() => threads.hash(secret, cost));
    },
    findMatch,
    checkEither,
    check: (clientId, presented, storedHash, admit) => checkEither(clientId, presented, [storedHash], admit),
  };
}

// bcrypt reads 72 bytes and goes round after a NUL (`a` and `a\0a` have the same hash); UTF-8 spells every lone
// surrogate alike. Each would let a second secret in.
function findProblem(secret: string): string | undefined {
  if (secret === '') return 'is empty';
  const unstorable = findUnstorable(secret);
  if (unstorable) return unstorable === 'NUL' ? 'holds a NUL character' : 'is not well-formed Unicode';
  if (Buffer.byteLength(secret, 'utf8') > secretBytesMax) return `is longer than ${secretBytesMax} bytes in UTF-8`;
  return undefined;
}

function findUsableHash(storedHash: string | undefined): string | undefined {
  try {
    return storedHash === undefined ? undefined : normalizeHash(storedHash);
  } catch {
    return undefined;
  }
}

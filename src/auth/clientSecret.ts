/** Client secrets: bcrypt in threads of low priority, a bounded queue, and a cache of successes. */
import { hash, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import bcrypt from 'bcrypt';
import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';
import { findUnstorable } from '../entities/valueForms.js';
import { programFile } from '../places.js';
import { openSlots, TooManyWaiting } from '../slots.js';

/** The queue of comparisons is full: nothing was checked, and the caller should retry after `retryAfterSeconds`. */
export class SecretCheckOverloaded extends TooManyWaiting {
  override readonly name = 'SecretCheckOverloaded';
  readonly retryAfterSeconds = 1;
  constructor() {
    super('too many client secrets are waiting to be compared');
  }
}

const lowPriority = 10;

/**
 * Opens threads of low priority (nice 10) for bcrypt. A comparison takes about fifty milliseconds of processor time, which it gets
 * when nothing else needs it. On systems without thread priorities the threads have the normal one.
 * @param count maximum number of threads; they start on demand and end after an idle minute
 */
export function openBcryptThreads(count: number) {
  const threads = new Piscina({
    filename: programFile('src/auth/bcryptWork').href,
    minThreads: 0,
    maxThreads: count,
    idleTimeout: 60_000,
    niceIncrement: lowPriority,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  return {
    compare: (secret: string, hash: string): Promise<boolean> => threads.run({ secret, hash }, { name: 'compare' }),
    hash: (secret: string, cost: number): Promise<string> => threads.run({ secret, cost }, { name: 'hash' }),
  };
}

/**
 * Opens a cache of verified secrets: the stored hash that a client's secret matched. Client and secret are kept only as a hash
 * with a random key of this process, so that a memory dump reveals no secret.
 * @param max entries; the least recently used one is dropped first
 */
export function openRememberedSecrets(max: number) {
  const processKey = randomBytes(32).toString('base64');
  const storedHashes = new LRUCache<string, string>({ max });

  // JSON keeps client id and secret apart. A key in front is enough, since the name is never shown, and costs a quarter of an
  // HMAC.
  const nameOf = (clientId: string, secret: string): string =>
    hash('sha256', JSON.stringify([processKey, clientId, secret]), 'base64');

  return {
    /** Returns the stored hash that this secret of this client matched last. */
    recall: (clientId: string, secret: string) => storedHashes.get(nameOf(clientId, secret)),
    remember(clientId: string, secret: string, storedHash: string): void {
      storedHashes.set(nameOf(clientId, secret), storedHash);
    },
    forget(clientId: string, secret: string): void {
      storedHashes.delete(nameOf(clientId, secret));
    },
  };
}

interface SecretCheckerOptions {
  /** BCRYPT_COST, 4 to 14. */
  cost: number;
  /** Simultaneous comparisons; 2, or 1 on two processors, so that one is left for other work. */
  atOnce?: number;
  /** Comparisons that may wait; 100. */
  waitingMax?: number;
  /** Called with each look-up of a remembered secret. */
  lookedUp?: ((isFound: boolean) => void) | undefined;
}

interface SecretCheck {
  ok: boolean;
  /** The stored hash that the secret matched. */
  hash?: string;
  /** After a success with a hash of another cost: the hash to store in its place. */
  rehash?: string;
}

/** A secret or hash that can't be stored; the message says why and doesn't contain it. */
export class SecretUnusable extends Error {
  override readonly name = 'SecretUnusable';
}

/** Longest wait for a comparison: other work can keep the threads waiting, and proxies give up after a minute. */
const waitMsMax = 50_000;
const comparisonsAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
const rememberedMax = 10_000;
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

export type SecretChecker = ReturnType<typeof openSecretChecker>;

/**
 * Opens the one checker of a process, which hashes and checks client secrets. Neither its answer nor its time reveals whether a
 * client exists. A success is cached, so that a client costs one comparison. Functions that compare or hash throw
 * SecretCheckOverloaded when nothing was done, because the queue is full.
 */
export function openSecretChecker(options: SecretCheckerOptions) {
  const { cost, atOnce = comparisonsAtOnce, waitingMax = 100, lookedUp } = options;
  // an attack leaves processor time for other requests
  const queue = openSlots({
    max: atOnce,
    waitingMax,
    timeoutMs: waitMsMax,
    refusal: () => new SecretCheckOverloaded(),
  });
  const threads = openBcryptThreads(atOnce);
  const remembered = openRememberedSecrets(rememberedMax);
  const underWay = new Map<string, Promise<SecretCheck>>();
  // Has the configured cost, and matches no secret.
  const dummyHash = bcrypt.genSaltSync(cost) + '.'.repeat(31);

  /** Returns the hash that the secret matches. This is not a client's attempt: nothing is cached, and no counted attempt shares it. */
  async function findMatch(presented: string, storedHashes: StoredHashes): Promise<string | undefined> {
    // failed attempts get at most half of the threads' time
    const hash = await queue.run(
      () => findMatching(presented, storedHashes),
      (matching) => matching === undefined,
    );
    return findProblem(presented) === undefined ? hash : undefined;
  }

  async function findMatching(presented: string, storedHashes: StoredHashes): Promise<string | undefined> {
    for (const storedHash of storedHashes) {
      const usable = findUsableHash(storedHash);
      if ((await threads.compare(presented, usable ?? dummyHash)) && usable !== undefined) return storedHash;
    }
    return undefined;
  }

  async function compare(clientId: string, presented: string, storedHashes: StoredHashes): Promise<SecretCheck> {
    const hash = await findMatch(presented, storedHashes);
    if (hash === undefined) return { ok: false };
    remembered.remember(clientId, presented, hash);
    return { hash, ...(bcrypt.getRounds(normalizeHash(hash)) === cost ? { ok: true } : await rehash(presented)) };
  }

  // A success counts even without time for the new hash; it is made with the next comparison, after a restart at the latest.
  async function rehash(secret: string): Promise<SecretCheck> {
    try {
      return { ok: true, rehash: await queue.run(() => threads.hash(secret, cost)) };
    } catch {
      return { ok: true };
    }
  }

  const recall = (clientId: string, presented: string): string | undefined =>
    findProblem(presented) === undefined ? remembered.recall(clientId, presented) : undefined;

  /**
   * Checks a secret against both hashes of a rotation; each may be undefined. A failure costs one comparison for each.
   * @param admit called before a comparison, not for a cached secret or one that is being compared already. Its errors are thrown.
   */
  async function checkEither(
    clientId: string,
    presented: string,
    storedHashes: StoredHashes,
    admit = async () => {},
  ): Promise<SecretCheck> {
    const rememberedHash = recall(clientId, presented);
    if (rememberedHash !== undefined && storedHashes.includes(rememberedHash))
      return { ok: true, hash: rememberedHash };
    const name = JSON.stringify([clientId, presented, ...storedHashes.map((storedHash) => storedHash ?? null)]);
    const shared = underWay.get(name);
    if (shared) return shared;
    const own = admit()
      .then(() => compare(clientId, presented, storedHashes))
      .finally(() => underWay.delete(name));
    underWay.set(name, own);
    return own;
  }

  return {
    /** Throws SecretUnusable for a secret that no client could present. */
    async hash(secret: string): Promise<string> {
      const problem = findProblem(secret);
      if (problem) throw new SecretUnusable(problem);
      return queue.run(() => threads.hash(secret, cost));
    },
    findMatch,
    checkEither,
    /** @param storedHash undefined for an unknown or inactive client: fails after the same time */
    check: (clientId: string, presented: string, storedHash: string | undefined) =>
      checkEither(clientId, presented, [storedHash]),
    /** Throws SecretCheckOverloaded when there is no room for a comparison now. */
    assertNotFull: queue.assertNotFull,
    /** Returns the stored hash that this secret matched last, to be compared with the one in the database. */
    findRemembered(clientId: string, presented: string): string | undefined {
      const hash = recall(clientId, presented);
      lookedUp?.(hash !== undefined);
      return hash;
    },
    /** Caches the hash that replaced the matched one. */
    remember: remembered.remember,
    /** Drops a secret whose cached hash is no longer the client's, so that it can't bypass a limit. */
    forget: remembered.forget,
    /** Whether `check` would succeed without a comparison. */
    isRemembered: (clientId: string, presented: string, storedHash: string | undefined): boolean =>
      storedHash !== undefined && recall(clientId, presented) === storedHash,
  };
}

// bcrypt reads 72 bytes and starts over after a NUL (`a` and `a\0a` have the same hash); UTF-8 encodes every lone surrogate
// the same. Each would make a second secret valid.
function findProblem(secret: string): string | undefined {
  if (secret === '') return 'is empty';
  const unstorable = findUnstorable(secret);
  if (unstorable) return unstorable === 'NUL' ? 'contains a NUL character' : 'is not well-formed Unicode';
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

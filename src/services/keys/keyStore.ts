/** Stores the signing keys in the database, and caches them in a process together with the database's clock. */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  accessKeyKeptMs,
  type KeyRing,
  openKeyRing,
  renewalKeyKeptMs,
  type SigningKeyRow,
  SigningKeyUnusable,
} from '../../auth/keyRing.js';
import { generateSigningKey } from '../../auth/newSigningKey.js';
import type { Config } from '../../config/config.js';
import type { SigningKeys } from '../../context.js';
import { unavailable } from '../../errors.js';
import type { Log } from '../../observability/log.js';
import type { Sql } from '../../sql.js';

type ReadClock = ReturnType<typeof openDatabaseClock>;

/** Such as `12 s ahead of the database's`. */
export function describeDifference(aheadMs: number): string {
  return `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the database's`;
}

const loggedBeyondMs = 5_000;

/**
 * Opens the database's clock, which is read together with the keys: each second while requests arrive, and for each probe of
 * readiness. Times that the database compares with its own are taken from it, so that a process with a wrong clock does not end live
 * sessions. Before the first reading, it is the process's own clock.
 * @param log once that the process's clock is wrong, and once that it is right again
 */
export function openDatabaseClock(log?: Log) {
  let reading: { databaseMs: number; at: number; uncertaintyMs: number } | undefined;
  let isWrong = false;
  // by performance.now(), because the process's clock may be set between readings
  const nowMs = (): number =>
    reading === undefined ? Date.now() : reading.databaseMs + performance.now() - reading.at;
  const aheadMs = (): number => {
    const difference = Date.now() - nowMs();
    const sure = Math.max(0, Math.abs(difference) - (reading?.uncertaintyMs ?? 0));
    return Math.sign(difference) * sure;
  };
  return {
    now: () => new Date(nowMs()),
    aheadMs,
    /**
     * Takes a reading.
     * @param databaseMs milliseconds since the epoch
     * @param askedAt performance.now() before the statement
     */
    read(databaseMs: number, askedAt: number): void {
      const uncertaintyMs = (performance.now() - askedAt) / 2;
      const at = askedAt + uncertaintyMs;
      // an answer that took longer is worth less: it moves the clock only if it proves it wrong
      const isWorse =
        reading !== undefined &&
        uncertaintyMs >= reading.uncertaintyMs &&
        Math.abs(reading.databaseMs + at - reading.at - databaseMs) <= uncertaintyMs;
      if (!isWorse) reading = { databaseMs, at, uncertaintyMs };
      const ahead = aheadMs();
      const wasWrong = isWrong;
      isWrong = Math.abs(ahead) > loggedBeyondMs;
      if (isWrong && !wasWrong)
        log?.warn({ aheadMs: ahead }, `the clock of this process is ${describeDifference(ahead)}`);
      if (!isWrong && wasWrong) log?.info("the clock of this process agrees with the database's again");
    },
  };
}

/** Consumers fetch the public keys with a time limit of their own: the default of jose is 5 seconds. */
const publishedWaitMs = 250;

/** Tokens with unknown key ids, which strangers can send, cause at most four reads a second. */
const unknownKidReloadIntervalMs = 250;

/** Caches the key ring; it is opened again only if the keys changed. */
export function cacheKeyRing(
  first: SigningKeyRow[],
  read: () => Promise<SigningKeyRow[]>,
  open: (rows: SigningKeyRow[]) => KeyRing,
): SigningKeys {
  let rows = first;
  let ring = open(first);
  const reload = withoutOverlap(async () => {
    const stored = await read();
    if (!isDeepStrictEqual(stored, rows)) {
      ring = open(stored);
      rows = stored;
    }
    return ring;
  });
  const reloadForUnknown = withPauses(unknownKidReloadIntervalMs, reload);
  return {
    ring: () => ring,
    reload,
    ringInTime: withinTime(publishedWaitMs, reload, () => ring),
    reloadForUnknown: () =>
      reloadForUnknown().catch((error: unknown) => {
        throw unavailable('The key of the token', error);
      }),
  };
}

/**
 * Waits for a run, but not longer than `milliseconds`, and not for a failed one; then the present value counts. While a run takes
 * longer than that, nobody waits.
 */
function withinTime<T>(milliseconds: number, run: () => Promise<T>, present: () => T): () => Promise<T> {
  let isLate = false;
  return async () => {
    if (isLate) return present();
    const done = run().then(
      () => true,
      () => true,
    );
    if (await inTime(done, milliseconds)) return present();
    isLate = true;
    void done.then(() => {
      isLate = false;
    });
    return present();
  };
}

/** Whether the work is done within the time. It never rejects. */
export function inTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    // reads pending answers first, since the process may have been busy
    const timeout = setTimeout(() => setImmediate(resolve, false), milliseconds);
    void work.then(() => {
      clearTimeout(timeout);
      resolve(true);
    });
  });
}

/** Calls during a run share the next run. So a result is never older than its call. */
function withoutOverlap<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const start = () => {
    next = undefined;
    current = run().finally(() => {
      current = undefined;
    });
    return current;
  };
  return () => {
    if (next) return next;
    if (!current) return start();
    next = current.then(start, start);
    return next;
  };
}

/** Starts runs at least `milliseconds` apart. Calls that wait for the same run share it. */
function withPauses<T>(milliseconds: number, run: () => Promise<T>): () => Promise<T> {
  let waiting: Promise<T> | undefined;
  let beganAt = Number.NEGATIVE_INFINITY;
  const begin = () => {
    waiting = undefined;
    beganAt = performance.now();
    return run();
  };
  return () => {
    const remaining = beganAt + milliseconds - performance.now();
    if (!waiting && remaining <= 0) return begin();
    waiting ??= pause(remaining).then(begin);
    return waiting;
  };
}

type Algorithm = Config['signingAlg'] | 'HS256';
interface KeyStore {
  sql: Sql;
  encryptionKeys: Buffer[];
  signingAlg: Config['signingAlg'];
  /** New keys have the algorithm that signs now, whatever SIGNING_ALG says: only the start of a service changes it. */
  keepsAlgorithm?: boolean;
  /** Receives the database's time at each read. */
  clock?: ReadClock;
}

/** SQL: whether no token of the key can be alive any more. */
export const keyIsOver = `retired_at <= now() - case when alg = 'HS256'
  then interval '${renewalKeyKeptMs / 1_000} seconds' else interval '${accessKeyKeptMs / 1_000} seconds' end`;

/**
 * Opens the key ring. Creates the first keys (one process at a time), and new ones if SIGNING_ALG changed, unless the store
 * keeps the algorithm.
 * @param now milliseconds since the epoch, by the clock that sets `retiredAt`
 */
export async function openSigningKeys(store: KeyStore, now = nowOf(store.clock)): Promise<SigningKeys> {
  const rows = await store.sql.transaction((sql) => completeKeys({ ...store, sql }));
  return cacheKeyRing(
    rows,
    () => readKeys(store.sql, store.clock),
    (stored) => openKeyRing(stored, store.encryptionKeys, now),
  );
}

/** Opens the key ring for commands that work without it. If KEY_ENCRYPTION_KEY is lost, each use of the ring throws SigningKeyUnusable. */
export async function openKeysOrLost(store: KeyStore): Promise<SigningKeys> {
  try {
    return await openSigningKeys(store);
  } catch (error) {
    if (!(error instanceof SigningKeyUnusable)) throw error;
    const ring = () => {
      throw error;
    };
    const reload = async () => ring();
    return { ring, reload, ringInTime: reload, reloadForUnknown: reload };
  }
}

const nowOf = (clock: ReadClock | undefined) => (clock ? () => clock.now().getTime() : Date.now);

/** Makes the next key the signing key, and publishes a new next key. Returns the id of the signing key. */
export async function rotateSigningKey(store: KeyStore): Promise<string> {
  return store.sql.transaction(async (sql) => {
    await completeKeys({ ...store, sql, keepsAlgorithm: true });
    const kid = await promoteNextKey(sql);
    await completeKeys({ ...store, sql, keepsAlgorithm: true });
    return kid;
  });
}

/** Locks the keys, and publishes a next key if there is none. */
export async function publishNextKey(store: KeyStore): Promise<void> {
  await store.sql.transaction((sql) => completeKeys({ ...store, sql, keepsAlgorithm: true }));
}

const signingKeyOf = (keys: readonly SigningKeyRow[]) =>
  keys.find(({ state, alg }) => state === 'active' && alg !== 'HS256');

export const findSigningKey = async (sql: Sql): Promise<SigningKeyRow | undefined> => signingKeyOf(await readKeys(sql));

/** Creates a new key for renewal tokens. Tokens of the old one stay valid. */
export async function replaceRenewalKey(store: KeyStore): Promise<void> {
  await store.sql.rows(
    `update signing_keys set state = 'retired', retired_at = now() where state = 'active' and alg = 'HS256'`,
  );
  await insertKey(store, 'HS256', 'active');
}

/** Locks the keys against other processes until the end of the transaction. */
export async function lockKeys(sql: Sql): Promise<void> {
  await sql.rows(`select pg_advisory_xact_lock(hashtext('gatehouse signing keys'))`);
}

/** All accepted keys, newest first. */
export async function readKeys(sql: Sql, clock?: ReadClock): Promise<SigningKeyRow[]> {
  const askedAt = performance.now();
  const rows = await sql.rows<{ [column: string]: never }>(
    `select kid, alg, state, public_jwk, private_ciphertext, created_at, activated_at, retired_at,
       (extract(epoch from clock_timestamp()) * 1000)::float8 as database_ms
     from signing_keys where (${keyIsOver}) is not true order by created_at desc`,
  );
  if (rows[0]) clock?.read(rows[0].database_ms!, askedAt);
  const time = (text: string | null) => (text === null ? null : new Date(text));
  return rows.map((row) => ({
    kid: row.kid!,
    alg: row.alg!,
    state: row.state!,
    publicJwk: row.public_jwk!,
    privateCiphertext: row.private_ciphertext!,
    createdAt: new Date(row.created_at!),
    activatedAt: time(row.activated_at!),
    retiredAt: time(row.retired_at!),
  }));
}

/** Makes sure that there is one active and one next key for access tokens, and one key for renewal tokens. Needs a transaction. */
async function completeKeys(store: KeyStore): Promise<SigningKeyRow[]> {
  const { sql } = store;
  await lockKeys(sql);
  const keys = await readKeys(sql);
  const signing = signingKeyOf(keys);
  // existing keys must decrypt: a wrong KEY_ENCRYPTION_KEY is reported now, not hidden behind new keys
  if (signing) openKeyRing(keys, store.encryptionKeys);
  const signingAlg = store.keepsAlgorithm && signing ? (signing.alg as KeyStore['signingAlg']) : store.signingAlg;
  const has = (state: string, alg: Algorithm) => keys.some((key) => key.state === state && key.alg === alg);
  if (!has('active', 'HS256')) await insertKey(store, 'HS256', 'active');
  if (!has('active', signingAlg)) {
    if (!has('next', signingAlg)) await insertKey(store, signingAlg, 'next');
    await promoteNextKey(sql, signingAlg);
  }
  if (!(await readKeys(sql)).some(({ state, alg }) => state === 'next' && alg === signingAlg)) {
    await sql.rows(`delete from signing_keys where state = 'next'`);
    await insertKey(store, signingAlg, 'next');
  }
  return readKeys(sql, store.clock);
}

/** Makes the next key the signing key; the present one verifies until its tokens have expired. Returns the id of the signing key. */
export async function promoteNextKey(sql: Sql, alg?: Algorithm): Promise<string> {
  await sql.rows(
    `update signing_keys set state = 'retired', retired_at = now() where state = 'active' and alg <> 'HS256'`,
  );
  const [key] = await sql.rows<{ kid: string }>(
    `update signing_keys set state = 'active', activated_at = now()
     where kid = (select kid from signing_keys where state = 'next' and ($1::text is null or alg = $1) order by created_at limit 1)
     returning kid`,
    [alg ?? null],
  );
  if (!key) throw new Error('no next signing key');
  return key.kid;
}

async function insertKey({ sql, encryptionKeys }: KeyStore, alg: Algorithm, state: 'next' | 'active'): Promise<void> {
  const key = await generateSigningKey(alg, encryptionKeys[0]!);
  await sql.rows(
    `insert into signing_keys (kid, alg, state, public_jwk, private_ciphertext, activated_at)
     values ($1, $2, $3::text, $4, $5, case when $3::text = 'active' then now() end)`,
    [key.kid, alg, state, key.publicJwk, key.privateCiphertext],
  );
}

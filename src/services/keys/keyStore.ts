/** The stored signing keys: made at the first start, read again when they changed, rotated. */
import {
  accessKeyKeptMs,
  generateSigningKey,
  type KeyRing,
  openKeyRing,
  renewalKeyKeptMs,
  type SigningKeyRow,
} from '../../auth/keyRing.js';
import type { Config } from '../../config/config.js';
import type { SigningKeys } from '../../context.js';
import type { Sql } from '../../sql.js';
import type { ReadClock } from './databaseClock.js';
import { cacheKeyRing } from './keyRingCache.js';

type Algorithm = Config['signingAlg'] | 'HS256';
interface KeyStore {
  sql: Sql;
  encryptionKeys: Buffer[];
  signingAlg: Config['signingAlg'];
  /** Called with the database's time at each reading of the keys. */
  clock?: ReadClock;
}

/** SQL: whether no token of the key can be alive any more. */
export const keyIsOver = `retired_at <= now() - case when alg = 'HS256'
  then interval '${renewalKeyKeptMs / 1_000} seconds' else interval '${accessKeyKeptMs / 1_000} seconds' end`;

/** The signing key's id as a column, so that a statement that runs anyway tells when it was rotated. */
export const activeKidColumn = `(select kid from signing_keys where state = 'active' and alg <> 'HS256') as active_kid`;

/**
 * Opens the ring. Makes the first keys, one process at a time, and a new one when SIGNING_ALG changed.
 * @param now milliseconds since the epoch, by the clock that says when keys were retired
 */
export async function openSigningKeys(store: KeyStore, now = nowBy(store.clock)): Promise<SigningKeys> {
  const rows = await store.sql.transaction((sql) => completeKeys({ ...store, sql }));
  return cacheKeyRing(
    rows,
    () => readKeys(store.sql, store.clock),
    (found) => openKeyRing(found, store.encryptionKeys, now),
  );
}

const nowBy = (clock: ReadClock | undefined) => (clock ? () => clock.now().getTime() : Date.now);

/** The ring whose signing key is the one that the database names. Where it can't be read, the one before still verifies. */
export async function ringWith(keys: SigningKeys, activeKid: string): Promise<KeyRing> {
  return keys.ring().signing.kid === activeKid ? keys.ring() : keys.reload().catch(() => keys.ring());
}

/** The next key signs from now on, and a new next one is published. Gives the id of the signing key. */
export async function rotateSigningKey(store: KeyStore): Promise<string> {
  return store.sql.transaction(async (sql) => {
    await completeKeys({ ...store, sql });
    const kid = await promote(sql);
    await insertKey({ ...store, sql }, store.signingAlg, 'next');
    return kid;
  });
}

/** A next key where there is none. */
export async function publishNextKey(store: KeyStore): Promise<void> {
  await store.sql.transaction((sql) => completeKeys({ ...store, sql }));
}

/** The key that renewal tokens are signed with from now on; tokens of the one before stay good. */
export async function replaceRenewalKey(store: KeyStore): Promise<void> {
  await store.sql.rows(
    `update signing_keys set state = 'retired', retired_at = now() where state = 'active' and alg = 'HS256'`,
  );
  await insertKey(store, 'HS256', 'active');
}

/** Waits until no other process changes the keys; in a transaction, and until its end. */
export async function lockKeys(sql: Sql): Promise<void> {
  await sql.rows(`select pg_advisory_xact_lock(hashtext('gatehouse signing keys'))`);
}

/** All keys that are still accepted, newest first. */
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

/** In a transaction of its own: exactly one active and one next key to sign access tokens, one key for renewal tokens. */
async function completeKeys(store: KeyStore): Promise<SigningKeyRow[]> {
  const { sql, signingAlg } = store;
  await lockKeys(sql);
  const keys = await readKeys(sql);
  // what is there must open: a wrong KEY_ENCRYPTION_KEY is reported now, not hidden behind new keys
  if (keys.some(({ state, alg }) => state === 'active' && alg !== 'HS256')) openKeyRing(keys, store.encryptionKeys);
  const has = (state: string, alg: Algorithm) => keys.some((key) => key.state === state && key.alg === alg);
  if (!has('active', 'HS256')) await insertKey(store, 'HS256', 'active');
  if (!has('active', signingAlg)) {
    if (!has('next', signingAlg)) await insertKey(store, signingAlg, 'next');
    await promote(sql, signingAlg);
  }
  if (!(await readKeys(sql)).some(({ state, alg }) => state === 'next' && alg === signingAlg)) {
    await sql.rows(`delete from signing_keys where state = 'next'`);
    await insertKey(store, signingAlg, 'next');
  }
  return readKeys(sql, store.clock);
}

async function promote(sql: Sql, alg?: Algorithm): Promise<string> {
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

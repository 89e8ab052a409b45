/** Keeps the signing keys current: rotation, expiry, and a fresh read after the process stood still. */
import { randomBytes } from 'node:crypto';
import { isSealedWith, resealSigningKey } from '../../auth/keyRing.js';
import type { Config } from '../../config/config.js';
import type { Dependencies } from '../../context.js';
import type { Sql } from '../../sql.js';
import { announceChange, writeAudit } from '../records/change.js';
import { keyIsOver, lockKeys, openClockWatch, readKeys, replaceRenewalKey, rotateSigningKey } from './keyStore.js';

/**
 * Notices that this process stood still: it was stopped, got no CPU, or its machine was suspended. What was read before is
 * older than anybody counted on. Linux's monotonic clock goes on while a process is stopped, but not while the machine is
 * suspended (clock_gettime(2), CLOCK_MONOTONIC); the wall clock does when it is set right after that. So both are compared.
 */

const lookIntervalMs = 200;
/** Longer than the timer is late on a busy machine, shorter than the keys are kept. */
const standstillMsMin = 500;

interface Standstills {
  /** How many there were so far, one that has just ended included. */
  count(): number;
  stop(): void;
}

/** The clocks are in milliseconds; one that is set back shows nothing. */
export function watchStandstills(monotonic = () => performance.now(), wall = Date.now): Standstills {
  let monotonicSeen = monotonic();
  let wallSeen = wall();
  let standstills = 0;
  const count = () => {
    const [monotonicNow, wallNow] = [monotonic(), wall()];
    if (Math.max(monotonicNow - monotonicSeen, wallNow - wallSeen) > standstillMsMin) standstills += 1;
    monotonicSeen = monotonicNow;
    wallSeen = wallNow;
    return standstills;
  };
  const timer = setInterval(count, lookIntervalMs).unref();
  return { count, stop: () => clearInterval(timer) };
}

/**
 * The life of the signing keys, kept by every process of the service on its own: the next key takes over when its time
 * has come, what is over is removed, and what an old KEY_ENCRYPTION_KEY closed is closed anew. Any number of processes
 * may do so at the same moment: each waits for the lock, and judges what it finds then.
 */

/** What one look at the keys changed. */
interface KeyChanges {
  /** The key that signs from now on. */
  rotated?: string;
  removed: number;
  resealed: number;
}

export interface KeyReading {
  /**
   * Undefined: the keys in memory, and the database's time, may be used. After a standstill: resolves when they were read
   * again, or can't be read because the database is away; then those read before stay in use.
   */
  untilRead(): Promise<void> | undefined;
  /** Nothing is under way, and nothing will be. */
  stop(): Promise<void>;
}

/** How often a process checks what is due. */
const checkIntervalMs = 10 * 60_000;
/** How often it reads the keys: how long it may accept one that another process removed. */
const reloadIntervalMs = 1_000;
/** After a standstill each connection of the pool may be broken, and fails once: as many tries, begun within a second. */
const readsAfterStandstillMax = 4;
const readsAfterStandstillMs = 1_000;
/** A key is published for at least this long before it takes over by itself: longer than anybody keeps a JWKS. */
const publishedFor = "interval '1 day'";

type KeyOwner = Pick<Dependencies, 'sql' | 'encryptionKeys' | 'config' | 'keys' | 'log'>;
/** Of a running service, which reads its clock with the keys. */
type TimedKeyOwner = KeyOwner & Pick<Dependencies, 'clock'>;

/** Checks at once and then every ten minutes, and reads the keys every second; a failure is logged, and the next check tries again. */
export async function startKeyMaintenance(owner: TimedKeyOwner): Promise<KeyReading> {
  let underWay: Promise<void> = Promise.resolve();
  const check = (): Promise<void> => {
    underWay = maintainKeys(owner).then(
      (changes) => report(owner, changes),
      (error: unknown) => owner.log.error({ error }, 'signing key maintenance failed'),
    );
    return underWay;
  };
  await check();
  // not all processes at the same moment
  const timer = setInterval(check, checkIntervalMs * (0.9 + Math.random() / 5));
  timer.unref();
  const reading = readKeysOften(owner);
  return {
    untilRead: reading.untilRead,
    stop: async () => {
      clearInterval(timer);
      await Promise.all([underWay, reading.stop()]);
    },
  };
}

/** What can't be read leaves the ring as it is; that it can't, and that it can again, is logged once. */
function readKeysOften({ keys, clock, log }: TimedKeyOwner): KeyReading {
  const watchClock = openClockWatch(clock, log);
  const standstills = watchStandstills();
  /** Those before the last read began. */
  let standstillsBefore = standstills.count();
  let isFailing = false;
  const read = async () => {
    const count = standstills.count();
    const triesMax = count === standstillsBefore ? 1 : readsAfterStandstillMax;
    const error = await tryTo(() => keys.reload(), triesMax);
    const failed = error !== undefined;
    if (failed && !isFailing) log.warn({ error }, 'the signing keys could not be read: those read before stay in use');
    if (!failed && isFailing) log.info('the signing keys can be read again');
    isFailing = failed;
    standstillsBefore = count;
    watchClock();
  };
  let underWay: Promise<void> | undefined;
  const readOnce = (): Promise<void> => {
    underWay ??= read().finally(() => {
      underWay = undefined;
      timer.refresh();
    });
    return underWay;
  };
  const timer = setTimeout(readOnce, reloadIntervalMs);
  timer.unref();
  /** One that began before the standstill may have read what was before it. */
  const readAfter = async (count: number) => {
    while (standstillsBefore < count) await readOnce();
  };
  return {
    untilRead() {
      const count = standstills.count();
      return standstillsBefore === count ? undefined : readAfter(count);
    },
    stop: async () => {
      standstills.stop();
      await underWay;
      clearTimeout(timer);
    },
  };
}

/** Gives the last failure; undefined after a success. */
async function tryTo(work: () => Promise<unknown>, triesMax: number): Promise<unknown> {
  const beganAt = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (tries === triesMax || performance.now() - beganAt > readsAfterStandstillMs) return error;
    }
  }
}

/** Does what is due, and reads the keys again. */
export async function maintainKeys({ sql, encryptionKeys, config, keys }: Omit<KeyOwner, 'log'>): Promise<KeyChanges> {
  const changes = await sql.transaction(async (transaction) => {
    await lockKeys(transaction);
    const removed = await removeKeysThatAreOver(transaction);
    const resealed = await resealKeys(transaction, encryptionKeys);
    const rotated = await rotateWhenDue(transaction, encryptionKeys, config);
    return { removed, resealed, ...(rotated !== undefined && { rotated }) };
  });
  await keys.reload();
  return changes;
}

async function removeKeysThatAreOver(sql: Sql): Promise<number> {
  return (await sql.rows(`delete from signing_keys where ${keyIsOver} returning kid`)).length;
}

/** Closes with the first encryption key whatever another one closed. */
async function resealKeys(sql: Sql, encryptionKeys: Buffer[]): Promise<number> {
  const [current] = encryptionKeys;
  const outdated = (await readKeys(sql)).filter((row) => !isSealedWith(row.privateCiphertext!, current!));
  for (const row of outdated)
    await sql.rows('update signing_keys set private_ciphertext = $2 where kid = $1', [
      row.kid,
      resealSigningKey(row, encryptionKeys, current!),
    ]);
  return outdated.length;
}

async function rotateWhenDue(
  sql: Sql,
  encryptionKeys: Buffer[],
  { keyRotationDays, systemUserGuid }: Config,
): Promise<string | undefined> {
  if (keyRotationDays === 0) return undefined;
  const [due] = await sql.rows<{ alg: Config['signingAlg'] }>(
    `select alg from signing_keys active
     where state = 'active' and alg <> 'HS256' and activated_at <= now() - make_interval(days => $1)
       and exists (select from signing_keys next where next.state = 'next' and next.alg = active.alg
         and next.created_at <= now() - ${publishedFor})`,
    [keyRotationDays],
  );
  if (!due) return undefined;
  // by the algorithm that signs now: a process with an older SIGNING_ALG must not bring its own back
  const store = { sql, encryptionKeys, signingAlg: due.alg };
  const kid = await rotateSigningKey(store);
  await replaceRenewalKey(store);
  const author = { actor: systemUserGuid, traceId: randomBytes(16).toString('hex'), face: 'cli' };
  await announceChange(sql.rows, author);
  await writeAudit(sql.rows, [{ action: 'rotate', subjectType: 'SigningKey', subjectId: kid }]);
  return kid;
}

function report({ log }: KeyOwner, { rotated, removed, resealed }: KeyChanges): void {
  if (rotated !== undefined) log.info({ kid: rotated }, 'a new key signs access tokens');
  if (removed > 0) log.info({ removed }, 'retired signing keys removed');
  if (resealed > 0) log.info({ resealed }, 'signing keys closed with the first KEY_ENCRYPTION_KEY');
}

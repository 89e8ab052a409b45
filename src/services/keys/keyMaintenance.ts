/** Keeps the signing keys of a process current: reads, rotates, removes and re-encrypts them. */
import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isSealedWith, resealSigningKey } from '../../auth/keyRing.js';
import type { Config } from '../../config/config.js';
import type { Dependencies } from '../../context.js';
import type { Sql } from '../../sql.js';
import { announceChange, writeAudit } from '../records/change.js';
import { inTime, keyIsOver, publishNextKey, readKeys, replaceRenewalKey, rotateSigningKey } from './keyStore.js';

/** Time between two reads of the keys while requests arrive: with `standstillMsMin`, the longest time a removed key is accepted. */
const reloadIntervalMs = 1_000;
/** Longer than `reloadIntervalMs` by the delay of a timer on a busy machine. */
const standstillMsMin = reloadIntervalMs + 500;

/**
 * Detects that this process was stopped, got no CPU, or was suspended with its machine: `count` was not called in time. Both clocks
 * (in milliseconds) are compared: the monotonic clock stops while the machine is suspended (clock_gettime(2)), the wall clock is
 * corrected after. `count` returns the number of standstills so far, including one that has just ended.
 */
export function watchStandstills(monotonic = () => performance.now(), wall = Date.now) {
  let monotonicSeen = monotonic();
  let wallSeen = wall();
  let standstills = 0;
  return {
    count(): number {
      const [monotonicNow, wallNow] = [monotonic(), wall()];
      if (Math.max(monotonicNow - monotonicSeen, wallNow - wallSeen) > standstillMsMin) standstills += 1;
      monotonicSeen = monotonicNow;
      wallSeen = wallNow;
      return standstills;
    },
  };
}

/** The changes of one run of the maintenance. */
interface KeyChanges {
  /** The id of the new signing key. */
  rotated?: string;
  removed: number;
  resealed: number;
}

interface KeyReading {
  /**
   * Wraps `answer`: after a standstill, requests wait until the keys and the database's time were read again, for at most a second;
   * after a second without requests, for at most a quarter of a second. If the database does not answer, the keys in memory stay
   * in use.
   */
  afterReading(answer: RequestListener): RequestListener;
  /** Resolves when nothing is running. */
  stop(): Promise<void>;
}

/** Time between two runs of the maintenance. */
const checkIntervalMs = 10 * 60_000;
/** Longest wait of a request for the keys if none came before it for a second. */
const wakeMsMax = 250;
/** After a standstill, or a long time without requests, every connection of the pool may be broken and fail once. */
const readsAfterStandstillMax = 4;
const readsAfterStandstillMs = 1_000;
/** The time that a key is published before it signs; longer than consumers cache a JWKS. */
const publishedFor = "interval '1 day'";

type KeyOwner = Pick<Dependencies, 'sql' | 'encryptionKeys' | 'config' | 'keys' | 'log'>;

/**
 * Runs the maintenance now and about every ten minutes, and reads the keys every second while requests arrive. Any number of processes may do so:
 * each takes the lock and decides by what it then finds. A failure is logged, and the next run tries again.
 */
export async function startKeyMaintenance(owner: KeyOwner): Promise<KeyReading> {
  let underWay: Promise<void> = Promise.resolve();
  const check = (): Promise<void> => {
    underWay = maintainKeys(owner).then(
      (changes) => report(owner, changes),
      (error: unknown) => owner.log.error({ error }, 'signing key maintenance failed'),
    );
    return underWay;
  };
  await check();
  // spread over time, so that processes do not run together
  const timer = setInterval(check, checkIntervalMs * (0.9 + Math.random() / 5)).unref();
  const reading = readKeysOften(owner);
  return {
    ...reading,
    stop: async () => {
      clearInterval(timer);
      await Promise.all([underWay, reading.stop()]);
    },
  };
}

/**
 * While no request arrives, nothing is read: the next request waits for a reading. If the keys cannot be read, those in memory stay
 * in use. The failure and its end are logged once.
 */
function readKeysOften({ keys, log }: KeyOwner): KeyReading {
  const standstills = watchStandstills();
  /** The count when the last successful or failed read began. */
  let standstillsBefore = standstills.count();
  let isFailing = false;
  const read = async (triesMax: number) => {
    const count = standstills.count();
    const error = await tryTo(() => keys.reload(), count === standstillsBefore ? triesMax : readsAfterStandstillMax);
    const failed = error !== undefined;
    if (failed && !isFailing) log.warn({ error }, 'the signing keys could not be read: those read before stay in use');
    if (!failed && isFailing) log.info('the signing keys can be read again');
    isFailing = failed;
    standstillsBefore = Math.max(standstillsBefore, count);
  };
  let underWay: Promise<void> | undefined;
  const readOnce = (triesMax = 1): Promise<void> => {
    underWay ??= read(triesMax).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  /** Repeats a read that began before the standstill. */
  const readAgain = async (count: number) => {
    while (standstillsBefore < count) await readOnce();
  };
  const readAfter = async (count: number) => {
    const isRead = await inTime(readAgain(count), readsAfterStandstillMs);
    // no further request waits for this standstill
    if (!isRead) standstillsBefore = Math.max(standstillsBefore, count);
  };
  let isUsed = false;
  /** Undefined while no requests arrive. */
  let timer: NodeJS.Timeout | undefined;
  const startReading = () => {
    timer = setInterval(turn, reloadIntervalMs).unref();
  };
  const turn = () => {
    standstills.count();
    if (isUsed || isFailing || underWay) {
      isUsed = false;
      void readOnce();
    } else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  startReading();
  let waking: Promise<unknown> | undefined;
  const wake = () => {
    startReading();
    // the time without requests is no standstill
    standstillsBefore = standstills.count();
    const late = pause(wakeMsMax, undefined, { ref: false });
    waking = Promise.race([readOnce(readsAfterStandstillMax), late]).finally(() => {
      waking = undefined;
    });
  };
  return {
    afterReading: (answer) => (request, response) => {
      isUsed = true;
      if (!timer) wake();
      const count = standstills.count();
      if (waking) void waking.then(() => answer(request, response));
      else if (standstillsBefore === count) answer(request, response);
      else void readAfter(count).then(() => answer(request, response));
    },
    stop: async () => {
      clearInterval(timer);
      await underWay;
    },
  };
}

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

/** Removes expired keys, re-encrypts, completes, rotates if due, and reads the keys again. */
export async function maintainKeys({ sql, encryptionKeys, config, keys }: Omit<KeyOwner, 'log'>): Promise<KeyChanges> {
  const changes = await sql.transaction(async (transaction) => {
    // one may be missing after a key was revoked without KEY_ENCRYPTION_KEY
    await publishNextKey({ sql: transaction, encryptionKeys, signingAlg: config.signingAlg });
    const removed = await removeExpiredKeys(transaction);
    const resealed = await resealKeys(transaction, encryptionKeys);
    const rotated = await rotateWhenDue(transaction, encryptionKeys, config);
    return { removed, resealed, ...(rotated !== undefined && { rotated }) };
  });
  await keys.reload();
  return changes;
}

async function removeExpiredKeys(sql: Sql): Promise<number> {
  return (await sql.rows(`delete from signing_keys where ${keyIsOver} returning kid`)).length;
}

/** Encrypts with the first encryption key what another one encrypted. */
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
  { keyRotationDays, systemUserGuid, signingAlg }: Config,
): Promise<string | undefined> {
  if (keyRotationDays === 0) return undefined;
  const [due] = await sql.rows(
    `select kid from signing_keys active
     where state = 'active' and alg <> 'HS256' and activated_at <= now() - make_interval(days => $1)
       and exists (select from signing_keys next where next.state = 'next' and next.alg = active.alg
         and next.created_at <= now() - ${publishedFor})`,
    [keyRotationDays],
  );
  if (!due) return undefined;
  const store = { sql, encryptionKeys, signingAlg };
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
  if (resealed > 0) log.info({ resealed }, 'signing keys encrypted with the first KEY_ENCRYPTION_KEY');
}

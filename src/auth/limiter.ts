/** Limits rates, counting in memory or in the database. */
import { createHash } from 'node:crypto';
import { tooManyRequests } from '../errors.js';
import type { Sql } from '../sql.js';
import type { FailureLimit, RequestLimit } from './limits.js';

const windowMs = 60_000;

interface Count {
  points: number;
  msBeforeEnd: number;
}

/** A key has at most 255 characters. */
interface Counts {
  /** Counts one and returns the new count. */
  add(key: string): Promise<Count>;
  /** Undefined: nothing is counted. */
  find(key: string): Promise<Count | undefined>;
  subtract(key: string): Promise<void>;
}

const nowMs = '(extract(epoch from now()) * 1000)::bigint';
// a later end was written by a clock that was ahead; twice the window, because a statement that began later may have opened the count
const isRunning = `limits.expire between ${nowMs} and ${nowMs} + ${2 * windowMs}`;
const countColumns = `limits.points, greatest(0, limits.expire - ${nowMs})::int as "msBeforeEnd"`;

const addOne = `insert into rate_limits as limits (key, points, expire) values ($1, 1, ${nowMs} + ${windowMs})
  on conflict (key) do update set
    points = case when ${isRunning} then limits.points + 1 else 1 end,
    expire = case when ${isRunning} then limits.expire else excluded.expire end
  returning ${countColumns}`;
const findOne = `select ${countColumns} from rate_limits limits where key = $1 and ${isRunning}`;
const takeOneBack = `update rate_limits limits set points = points - 1 where key = $1 and ${isRunning} and points > 0`;

const removedAtOnce = 1_000;
const removeEnded = `delete from rate_limits where key = any(array(
    select key from rate_limits limits where (${isRunning}) is not true limit ${removedAtOnce} for update skip locked))
  returning 1`;
const removeEveryMs = 5 * 60_000;

/**
 * Counts in the table `rate_limits`, which all processes share. A row ends with its window. Only the database's clock counts, so
 * that a process with a wrong clock changes no limit.
 * @param everyMs how often ended counts are removed, in milliseconds; a failure leaves them for the next time
 */
export function openDatabaseCounts(sql: Sql, everyMs = removeEveryMs): Counts {
  let removedAt = performance.now();
  const removeExpiredSometimes = (): void => {
    if (performance.now() - removedAt < everyMs) return;
    removedAt = performance.now();
    removeAll(sql).catch(() => undefined);
  };
  return {
    async add(key) {
      removeExpiredSometimes();
      const [count] = await sql.rows<Count>(addOne, [key]);
      return count!;
    },
    async find(key) {
      const [count] = await sql.rows<Count>(findOne, [key]);
      return count;
    },
    async subtract(key) {
      await sql.rows(takeOneBack, [key]);
    },
  };
}

async function removeAll(sql: Sql): Promise<void> {
  for (let removed = removedAtOnce; removed === removedAtOnce; ) removed = (await sql.rows(removeEnded)).length;
}

/** The store of the counts. If the database is away, counting fails, and so does the request. */
type LimiterStore = 'memory' | Sql;

interface LimiterOptions {
  /** Counts per key and minute. */
  limit: number;
  store: LimiterStore;
  /** Keeps the counts of different limiters apart. */
  prefix: string;
  /** Names what is counted, for the error message. */
  counted: 'failures' | 'requests';
}

export function openLimiter({ limit, store, prefix, counted }: LimiterOptions) {
  const counts = store === 'memory' ? openMemoryCounts() : openDatabaseCounts(store);
  const name = (key: string): string => `${prefix}:${key}`;
  // a changed clock must not make the wait longer than the window
  const refusal = ({ msBeforeEnd }: Count): Error =>
    tooManyRequests(counted, Math.max(1, Math.ceil(Math.min(msBeforeEnd, windowMs) / 1_000)));
  return {
    /** Throws GatehouseError with status 429 and Retry-After over the limit. */
    async count(key: string): Promise<void> {
      const count = await counts.add(name(key));
      if (count.points > limit) throw refusal(count);
    },
    /** Counts, or returns what `count` would throw, and then nothing is counted. */
    async take(key: string): Promise<Error | undefined> {
      const count = await counts.add(name(key));
      if (count.points <= limit) return undefined;
      await counts.subtract(name(key));
      return refusal(count);
    },
    /** Throws what `count` would, without counting. */
    async assertBelowLimit(key: string): Promise<void> {
      const count = await counts.find(name(key));
      if (count && count.points >= limit) throw refusal(count);
    },
    /** Takes one count back. */
    refund: (key: string): Promise<void> => counts.subtract(name(key)),
  };
}

/** All windows are equally long, so the map has the counts in the order in which they end. @param now milliseconds */
export function openMemoryCounts(now: () => number = () => performance.now()): Counts {
  const counts = new Map<string, { points: number; endsAt: number }>();
  const findRunning = (key: string) => {
    const time = now();
    for (const [ended, { endsAt }] of counts) {
      if (endsAt > time) break;
      counts.delete(ended);
    }
    return counts.get(key);
  };
  const toCount = ({ points, endsAt }: { points: number; endsAt: number }): Count => ({
    points,
    msBeforeEnd: endsAt - now(),
  });
  return {
    async add(key) {
      const count = findRunning(key) ?? { points: 0, endsAt: now() + windowMs };
      count.points += 1;
      counts.set(key, count);
      return toCount(count);
    },
    async find(key) {
      const count = findRunning(key);
      return count && toCount(count);
    },
    async subtract(key) {
      const count = findRunning(key);
      if (count && count.points > 0) count.points -= 1;
    },
  };
}

interface FailureLimitOptions {
  /** Failures a minute, per client and per address; 0: no limit. */
  limit: number;
  store: LimiterStore;
}

/** Attempts of one key that may wait; as many as wait for a comparison. */
const waitingMax = 100;

/** The attempts of a client or an address in this process. */
interface Attempts {
  /** Each ends with its attempt. */
  underWay: Set<Promise<void>>;
  /** How many are to begin. They begin one after the other, so that each sees all others under way. */
  waiting: number;
  turn: Promise<void>;
}

export function openFailureLimit({ limit, store }: FailureLimitOptions): FailureLimit {
  const nothing = async () => undefined;
  if (limit === 0) return { count: nothing, assertBelowLimit: nothing, begin: async () => nothing };
  const limiter = openLimiter({ limit, store, prefix: 'failure', counted: 'failures' });
  const attemptsOf = new Map<string, Attempts>();
  let endedCount = 0;

  /** What `ask` returns, asked again when an attempt ended meanwhile. */
  async function refusalBy(ask: () => Promise<Error | undefined>): Promise<Error | undefined> {
    for (;;) {
      const before = endedCount;
      const refusal = await ask();
      if (!refusal || endedCount === before) return refusal;
    }
  }

  function removeIfIdle(key: string, { waiting, underWay }: Attempts): void {
    if (waiting === 0 && underWay.size === 0) attemptsOf.delete(key);
  }

  /** Counts the attempt, after those under way if they reach the limit. */
  function join(key: string, attempt: Promise<void>): Promise<void> {
    const attempts = attemptsOf.get(key) ?? { underWay: new Set(), waiting: 0, turn: Promise.resolve() };
    attemptsOf.set(key, attempts);
    const { underWay, turn } = attempts;
    attempts.waiting += 1;
    const joining = turn
      .then(async () => {
        const take = () => refusalBy(() => limiter.take(key));
        for (let refusal = await take(); refusal; refusal = await take()) {
          if (underWay.size === 0) throw refusal;
          await Promise.race(underWay);
        }
        underWay.add(attempt);
      })
      .finally(() => {
        attempts.waiting -= 1;
        removeIfIdle(key, attempts);
      });
    attempts.turn = joining.catch(nothing);
    return joining;
  }

  function leave(key: string, attempt: Promise<void>): void {
    const attempts = attemptsOf.get(key)!;
    attempts.underWay.delete(attempt);
    removeIfIdle(key, attempts);
  }

  return {
    async count(clientId, address) {
      for (const key of keysOf(clientId, address)) await limiter.count(key);
    },
    async assertBelowLimit(clientId, address) {
      for (const key of keysOf(clientId, address)) {
        const refusal = await refusalBy(() => limiter.assertBelowLimit(key).then(nothing, (error: Error) => error));
        // one that begins now waits for others
        if (refusal && (attemptsOf.get(key)?.waiting ?? waitingMax) >= waitingMax) throw refusal;
      }
    },
    async begin(clientId, address) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const joined: string[] = [];
      const end = async (hasFailed: boolean) => {
        try {
          if (!hasFailed) for (const key of joined) await limiter.refund(key);
        } finally {
          for (const key of joined) leave(key, promise);
          endedCount += 1;
          resolve();
        }
      };
      try {
        for (const key of keysOf(clientId, address)) {
          await join(key, promise);
          joined.push(key);
        }
      } catch (refusal) {
        // what was counted stays so, as that of a failure; the store may have failed
        await end(true);
        throw refusal;
      }
      return end;
    },
  };
}

/** The address first, so that one over its limit can't create counts with invented client ids, which may have any length. */
const keysOf = (clientId: string, address: string | null): string[] => [
  ...(address === null ? [] : [`address ${address}`]),
  `client ${createHash('sha256').update(clientId).digest('base64url')}`,
];

/** @param limit requests per address, connector or receiver, and minute; 0: no limit, and nothing is counted. @param of the kind of requests */
export function openRequestLimit(
  limit: number,
  store: LimiterStore,
  of: 'token' | 'admin' | 'scim' | 'ssf',
): RequestLimit | undefined {
  if (limit === 0) return undefined;
  const limiter = openLimiter({ limit, store, prefix: `request ${of}`, counted: 'requests' });
  return (caller) => limiter.count(caller ?? 'unknown');
}

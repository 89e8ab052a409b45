/**
 * What is over leaves the database: records of expired renewal tokens, and audit events where a setting says so. One
 * process at a time, in small batches with pauses, so that requests don't notice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config.js';
import type { Sql } from '../context.js';
import type { Log } from '../observability/log.js';

export interface House {
  /** Connections of its own: at least two, one of which holds the lock. */
  sql: Sql;
  config: Pick<Config, 'housekeepingMinutes' | 'tokenRetentionDays' | 'auditRetentionDays'>;
  log: Log;
}

/** How many records were removed. */
export interface Swept {
  tokens: number;
  auditEvents: number;
}

export interface Housekeeping {
  /** Ends it after the batch under way. */
  stop(): Promise<void>;
}

/** Looks again and again; does what is due when no other process did. */
export function startHousekeeping(house: House): Housekeeping {
  const { housekeepingMinutes: minutes } = house.config;
  if (minutes === 0) return { stop: async () => undefined };
  const stopping = new AbortController();
  let underWay: Promise<unknown> = Promise.resolve();
  const look = () => {
    underWay = keepHouse(house, stopping.signal).then(
      (swept) => swept && house.log.info(swept, 'the house is clean'),
      (error: unknown) => house.log.error({ error }, 'the house could not be cleaned'),
    );
  };
  // several times in an interval, at different times: the first process that finds it due does it
  const timer = setInterval(look, minutes * 60_000 * (0.1 + Math.random() / 10)).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await underWay;
    },
  };
}

/** Undefined: not due yet, or another process is at it. */
export function keepHouse(house: House, signal: AbortSignal): Promise<Swept | undefined> {
  return house.sql.transaction(async (lock) => {
    const [asked] = await lock.rows<{ is_mine: boolean }>(
      `select pg_try_advisory_xact_lock(hashtext('gatehouse housekeeping')) as is_mine`,
    );
    if (!asked?.is_mine || !(await isDue(lock, house.config.housekeepingMinutes))) return undefined;
    // the lock ends with its connection, which must be seen
    const isOver = async () => {
      await lock.rows('select 1');
      return signal.aborted;
    };
    const swept = { tokens: await sweepTokens(house, isOver), auditEvents: await sweepAuditEvents(house, isOver) };
    if (!signal.aborted) await note(house.sql, swept);
    return swept;
  });
}

type IsOver = () => Promise<boolean>;

async function isDue(sql: Sql, minutes: number): Promise<boolean> {
  const young = await sql.rows(
    `select 1 from housekeeping_runs where task = 'clean-up' and finished_at > now() - make_interval(mins => $1)`,
    [minutes],
  );
  return young.length === 0;
}

async function note(sql: Sql, { tokens, auditEvents }: Swept): Promise<void> {
  await sql.rows(
    `insert into housekeeping_runs as run (task, finished_at, removed) values ('clean-up', now(), $1)
     on conflict (task) do update set finished_at = excluded.finished_at, removed = run.removed + excluded.removed`,
    [tokens + auditEvents],
  );
}

const pagesAtOnce = 64;
const pauseMsMin = 10;
/** The pause after a batch, by the time that it took: the database works for the housekeeping a fifth of the time. */
const pauseShare = 4;

/** SQL: whether a token record is for the clean-up. @param days SQL of the retention */
export const isPastRetention = (days: string): string => `expires_at < now() - make_interval(days => ${days})`;

// An index on the expiry would be written by each renewal; the table is walked by its pages instead (docs/decisions/0009).
// Revoked records stay until their expiry too: an import of the same file again must not bring them back to life.
const sweepPages = `with gone as (
    delete from tokens where ctid >= $1::tid and ctid < $2::tid
      and ${isPastRetention('$3')} returning 1
  ) select count(*)::int as count from gone`;

async function sweepTokens({ sql, config }: House, isOver: IsOver): Promise<number> {
  const [size] = await sql.rows<{ pages: number }>(
    `select (pg_relation_size('tokens') / current_setting('block_size')::int)::int as pages`,
  );
  let removed = 0;
  for (let page = 0; page < size!.pages && !(await isOver()); page += pagesAtOnce)
    removed += await inPeace(sql, sweepPages, [`(${page},0)`, `(${page + pagesAtOnce},0)`, config.tokenRetentionDays]);
  return removed;
}

const eventsAtOnce = 5_000;
// they are numbered as they come
const sweepEvents = `with gone as (
    delete from audit_events where occurred_at < now() - make_interval(days => $1) and audit_event_id in
      (select audit_event_id from audit_events order by audit_event_id limit ${eventsAtOnce}) returning 1
  ) select count(*)::int as count from gone`;

async function sweepAuditEvents({ sql, config }: House, isOver: IsOver): Promise<number> {
  if (config.auditRetentionDays === 0) return 0;
  let removed = 0;
  for (let count = eventsAtOnce; count === eventsAtOnce && !(await isOver()); removed += count)
    count = await inPeace(sql, sweepEvents, [config.auditRetentionDays]);
  return removed;
}

async function inPeace(sql: Sql, statement: string, values: unknown[]): Promise<number> {
  const startedAt = performance.now();
  const [row] = await sql.rows<{ count: number }>(statement, values);
  await pause(Math.max(pauseMsMin, (performance.now() - startedAt) * pauseShare));
  return row!.count;
}

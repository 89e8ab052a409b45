/**
 * Removes expired records: renewal tokens, console sessions and, where a setting says so, audit events, change sets and
 * versions. One process at a time, in small batches with pauses.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config/config.js';
import type { Log } from '../../observability/log.js';
import type { Sql } from '../../sql.js';

interface PurgeDeps {
  /** At least two connections; one holds the lock. */
  sql: Sql;
  config: Pick<
    Config,
    | 'housekeepingMinutes'
    | 'tokenRetentionDays'
    | 'auditRetentionDays'
    | 'refusalRetentionDays'
    | 'usageRetentionDays'
    | 'rehearsalDays'
    | 'consoleIdleMinutes'
  >;
  log: Log;
}

/** Numbers of removed records. */
interface PurgeResult {
  tokens: number;
  auditEvents: number;
  versions: number;
}

/** Checks regularly, and cleans up if it is due. `stop` ends it after the present batch. */
export function startHousekeeping(deps: PurgeDeps): { stop(): Promise<void> } {
  const { housekeepingMinutes: minutes } = deps.config;
  if (minutes === 0) return { stop: async () => undefined };
  const stopping = new AbortController();
  let underWay: Promise<unknown> = Promise.resolve();
  const check = () => {
    underWay = purgeExpired(deps, stopping.signal).then(
      (swept) => swept && deps.log.info(swept, 'clean-up finished'),
      (error: unknown) => deps.log.error({ error }, 'clean-up failed'),
    );
  };
  // several checks in an interval, at random times: the first process that finds it due cleans up
  const timer = setInterval(check, minutes * 60_000 * (0.1 + Math.random() / 10)).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await underWay;
    },
  };
}

/** Undefined if it is not due, or another process is cleaning up. */
export function purgeExpired(deps: PurgeDeps, signal: AbortSignal): Promise<PurgeResult | undefined> {
  return deps.sql.transaction(async (lock) => {
    const [lockRow] = await lock.rows<{ is_mine: boolean }>(
      `select pg_try_advisory_xact_lock(hashtext('gatehouse housekeeping')) as is_mine`,
    );
    if (!lockRow?.is_mine || !(await isDue(lock, deps.config.housekeepingMinutes))) return undefined;
    // notices when the connection, and with it the lock, is lost
    const isOver = async () => {
      await lock.rows('select 1');
      return signal.aborted;
    };
    const { sql, config } = deps;
    const { auditRetentionDays } = config;
    const sweepByAge = async (statement: string) =>
      auditRetentionDays === 0 ? 0 : sweep(sql, isOver, statement, [auditRetentionDays]);
    const swept = {
      tokens: await sweepTokens(deps, isOver),
      auditEvents: await sweepByAge(sweepEvents),
      versions: (await sweepByAge(sweepVersions)) + (await sweepByAge(sweepChangeSets)),
    };
    for (const [table, key] of endingRows) await sweep(sql, isOver, sweepEnded(table, key));
    await sweep(sql, isOver, sweepOldRefusals, [config.refusalRetentionDays]);
    await sweep(sql, isOver, sweepUsages, [config.usageRetentionDays]);
    await sweep(sql, isOver, sweepVerdicts, [config.rehearsalDays]);
    await sweep(sql, isOver, sweepSessions, [config.consoleIdleMinutes]);
    for (const statement of [sweepProposals, sweepReviewItems, sweepReviews]) await sweepByAge(statement);
    if (!signal.aborted) await note(deps.sql, swept);
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

async function note(sql: Sql, { tokens, auditEvents, versions }: PurgeResult): Promise<void> {
  await sql.rows(
    `insert into housekeeping_runs as run (task, finished_at, removed) values ('clean-up', now(), $1)
     on conflict (task) do update set finished_at = excluded.finished_at, removed = run.removed + excluded.removed`,
    [tokens + auditEvents + versions],
  );
}

const pagesAtOnce = 64;
const pauseMsMin = 10;
/** Pause after a batch, as a multiple of its duration: the clean-up uses a fifth of the time. */
const pauseShare = 4;

/** SQL: whether a token record is due for removal. @param days SQL for the retention in days */
export const isPastRetention = (days: string): string => `expires_at < now() - make_interval(days => ${days})`;

// An index on the expiry would be written by each renewal; the table is walked by its pages instead (docs/decisions/0009).
// Revoked records stay until they expire, so that importing the same file again does not bring them back.
const sweepPages = `with gone as (
    delete from tokens where ctid >= $1::tid and ctid < $2::tid
      and ${isPastRetention('$3')} returning token_guid
  ), sessions as (
    delete from provider_sessions where token_guid in (select token_guid from gone)
  ) select count(*)::int as count from gone`;

async function sweepTokens({ sql, config }: PurgeDeps, isOver: IsOver): Promise<number> {
  const [size] = await sql.rows<{ pages: number }>(
    `select (pg_relation_size('tokens') / current_setting('block_size')::int)::int as pages`,
  );
  let removed = 0;
  for (let page = 0; page < size!.pages && !(await isOver()); page += pagesAtOnce)
    removed += await runThrottled(sql, sweepPages, [
      `(${page},0)`,
      `(${page + pagesAtOnce},0)`,
      config.tokenRetentionDays,
    ]);
  return removed;
}

const rowsAtOnce = 5_000;
const olderThan = (column: string): string => `${column} < now() - make_interval(days => $1)`;
/** SQL: runs the deletion and returns the number of deleted rows. */
const counted = (deletion: string): string =>
  `with gone as (${deletion} returning 1) select count(*)::int as count from gone`;
/** SQL: deletes at most `rowsAtOnce` rows. @param chosen SQL that selects them, from `from` on */
const deleteFrom = (table: string, key: string, chosen: string): string =>
  counted(`delete from ${table} where ${key} in (select ${key} ${chosen} limit ${rowsAtOnce})`);
/** SQL: deletes old ones of the first `rowsAtOnce` rows. The ids rise with time. */
const deleteFirst = (table: string, key: string): string =>
  counted(`delete from ${table} where ${olderThan('occurred_at')} and ${key} in
    (select ${key} from ${table} order by ${key} limit ${rowsAtOnce})`);

const sweepEvents = deleteFirst('audit_events', 'audit_event_id');
const sweepOldRefusals = deleteFirst('refused_requests', 'refused_request_id');

// the newest version of an existing record always stays
const sweepVersions = deleteFrom(
  'record_versions',
  'record_version_id',
  `from change_sets join record_versions version using (change_set_id)
   where ${olderThan('occurred_at')} and (version.after is null or exists (
     select from record_versions later where later.record_table = version.record_table
       and later.record_key = version.record_key and later.record_version_id > version.record_version_id))`,
);
const sweepChangeSets = deleteFrom(
  'change_sets',
  'change_set_id',
  `from change_sets where ${olderThan('occurred_at')}
     and not exists (select from record_versions version where version.change_set_id = change_sets.change_set_id)`,
);
const sweepProposals = deleteFrom(
  'proposals',
  'proposal_id',
  `from proposals where state not in ('OPEN', 'SCHEDULED')
     and ${olderThan('coalesce(decided_at, expires_at)')} and coalesce(apply_at, expires_at) < now()`,
);
const sweepReviewItems = deleteFrom(
  'review_items',
  'review_item_id',
  `from review_items join reviews using (review_id) where state <> 'OPEN' and ${olderThan('finished_at')}`,
);
const sweepReviews = counted(`delete from reviews where state <> 'OPEN' and ${olderThan('finished_at')}
    and not exists (select from review_items item where item.review_id = reviews.review_id)`);

// Hardened exchanges, client assertions and proofs leave one row each. Five minutes more, for processes whose clock is behind.
const endingRows = [
  ['id_token_uses', 'use_hash'],
  ['single_uses', 'use_hash'],
  ['provider_sign_outs', 'name_hash'],
  ['tried_changes', 'effect_id'],
  ['refused_proposals', 'refused_proposal_id'],
] as const;
const sweepEnded = (table: string, key: string): string =>
  deleteFrom(table, key, `from ${table} where ends_at < now() - interval '5 minutes' order by ends_at`);

// at most 10,000 rows, so one statement is enough
const sweepUsages = counted(`delete from usages where ${olderThan('last_seen_at')}`);
const sweepVerdicts = deleteFrom(
  'policy_verdicts',
  'policy_verdict_id',
  `from policy_verdicts where ${olderThan('last_seen_at')}`,
);
const sweepSessions = deleteFrom(
  'console_sessions',
  'session_hash',
  'from console_sessions where ends_at < now() or seen_at < now() - make_interval(mins => $1)',
);

/** Repeats a deletion while it deletes `rowsAtOnce` rows; returns the number of all deleted rows. */
async function sweep(sql: Sql, isOver: IsOver, statement: string, values: unknown[] = []): Promise<number> {
  let removed = 0;
  for (let count = rowsAtOnce; count === rowsAtOnce && !(await isOver()); removed += count)
    count = await runThrottled(sql, statement, values);
  return removed;
}

async function runThrottled(sql: Sql, statement: string, values: unknown[]): Promise<number> {
  const startedAt = performance.now();
  const [row] = await sql.rows<{ count: number }>(statement, values);
  await pause(Math.max(pauseMsMin, (performance.now() - startedAt) * pauseShare));
  return row!.count;
}

/**
 * Removes expired records: renewal tokens and, where a setting says so, audit events, change sets and versions; and what the
 * modules name. One process at a time, in small batches with pauses.
 */
import type { Config } from '../../config/config.js';
import type { Log } from '../../observability/log.js';
import type { Sql } from '../../sql.js';
import {
  deleteFirst,
  deleteNext,
  type IsOver,
  olderThan,
  runThrottled,
  type Sweep,
  sweep,
  sweepAll,
  sweepEnded,
} from './sweep.js';

interface PurgeDeps {
  /** At least two connections; one holds the lock. */
  sql: Sql;
  config: Config;
  log: Log;
  /** Those of the modules. */
  sweeps: readonly Sweep[];
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

/** Undefined if it is not due, another process is cleaning up, or a part failed: that is logged, and all of it stays due. */
export function purgeExpired(deps: PurgeDeps, signal: AbortSignal): Promise<PurgeResult | undefined> {
  return deps.sql.transaction(async (lock) => {
    // a batch and the pause after it take as long as they take
    await lock.rows('set local idle_in_transaction_session_timeout = 0');
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
    let hasFailed = false;
    /** A failure leaves the other parts as they are; that of the lock ends the clean-up. */
    const part = async (statement: string, run: () => Promise<number>): Promise<number> => {
      try {
        return await run();
      } catch (error) {
        await isOver();
        hasFailed = true;
        deps.log.error({ error, table: statement.split('delete from ')[1]!.split(' ', 1)[0] }, 'clean-up failed');
        return 0;
      }
    };
    const sweepPart = (statement: string, values?: unknown[]) =>
      part(statement, () => sweep(sql, isOver, statement, values));
    const byAge = config.auditRetentionDays === 0 ? undefined : [config.auditRetentionDays];
    const swept = {
      tokens: await part(sweepPages, () => sweepTokens(deps, isOver)),
      auditEvents: byAge ? await sweepPart(sweepEvents, byAge) : 0,
      versions: byAge ? await part(sweepVersions, () => sweepAll(sql, isOver, sweepVersions, byAge)) : 0,
    };
    if (byAge) swept.versions += await part(sweepChangeSets, () => sweepAll(sql, isOver, sweepChangeSets, byAge));
    for (const [table, key] of endingRows) await sweepPart(sweepEnded(table, key));
    for (const { statement, values } of deps.sweeps) {
      const chosen = values(config);
      if (chosen) await sweepPart(statement, chosen);
    }
    if (!signal.aborted) await deps.sql.rows(hasFailed ? noteRemoved : noteRun, [sum(swept)]);
    return hasFailed ? undefined : swept;
  });
}

async function isDue(sql: Sql, minutes: number): Promise<boolean> {
  const young = await sql.rows(
    `select 1 from housekeeping_runs where task = 'clean-up' and finished_at > now() - make_interval(mins => $1)`,
    [minutes],
  );
  return young.length === 0;
}

const sum = ({ tokens, auditEvents, versions }: PurgeResult): number => tokens + auditEvents + versions;
const noteRun = `insert into housekeeping_runs as run (task, finished_at, removed) values ('clean-up', now(), $1)
  on conflict (task) do update set finished_at = excluded.finished_at, removed = run.removed + excluded.removed`;
const noteRemoved = "update housekeeping_runs set removed = removed + $1 where task = 'clean-up'";

const pagesAtOnce = 64;

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
    removed += (
      await runThrottled(sql, sweepPages, [`(${page},0)`, `(${page + pagesAtOnce},0)`, config.tokenRetentionDays])
    ).count;
  return removed;
}

const sweepEvents = deleteFirst('audit_events', 'audit_event_id');

// Most of what is old may stay, so both tables are walked. The newest version of an existing record always stays.
const sweepVersions = deleteNext(
  'record_versions',
  'record_version_id',
  `join record_versions version using (record_version_id) join change_sets using (change_set_id)
   where ${olderThan('occurred_at')} and (version.after is null or exists (
     select from record_versions later where later.record_table = version.record_table
       and later.record_key = version.record_key and later.record_version_id > version.record_version_id))`,
);
const sweepChangeSets = deleteNext(
  'change_sets',
  'change_set_id',
  `join change_sets using (change_set_id) where ${olderThan('occurred_at')}
     and not exists (select from record_versions version where version.change_set_id = change_sets.change_set_id)`,
);
// hardened exchanges, client assertions and proofs leave one row each
const endingRows = [
  ['id_token_uses', 'use_hash'],
  ['single_uses', 'use_hash'],
  ['provider_sign_outs', 'name_hash'],
] as const;

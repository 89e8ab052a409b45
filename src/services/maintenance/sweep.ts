/** Statements that delete old rows in small batches, with pauses. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config/config.js';
import type { Sql } from '../../sql.js';

/** What a module removes. */
export interface Sweep {
  /** Deletes at most `rowsAtOnce` rows, and returns how many as `count`. */
  statement: string;
  /** The values of its parameters; undefined: nothing is removed. */
  values(config: Config): unknown[] | undefined;
}

export type IsOver = () => Promise<boolean>;

const pauseMsMin = 10;
/** Pause after a batch, as a multiple of its duration: the clean-up uses a fifth of the time. */
const pauseShare = 4;

export const rowsAtOnce = 5_000;
export const olderThan = (column: string): string => `${column} < now() - make_interval(days => $1)`;
/** SQL: runs the deletion and returns the number of deleted rows. */
export const counted = (deletion: string): string =>
  `with gone as (${deletion} returning 1) select count(*)::int as count from gone`;
/** SQL: deletes at most `rowsAtOnce` rows. @param chosen SQL that selects them, from `from` on */
export const deleteFrom = (table: string, key: string, chosen: string): string =>
  counted(`delete from ${table} where ${key} in (select ${key} ${chosen} limit ${rowsAtOnce})`);
/** SQL: deletes old ones of the first `rowsAtOnce` rows. The ids rise with time. */
export const deleteFirst = (table: string, key: string): string =>
  counted(`delete from ${table} where ${olderThan('occurred_at')} and ${key} in
    (select ${key} from ${table} order by ${key} limit ${rowsAtOnce})`);

/** SQL: deletes chosen ones of the next `rowsAtOnce` rows after $2. @param chosen SQL that selects them from their keys `next` */
export const deleteNext = (table: string, key: string, chosen: string): string =>
  `with next as materialized (select ${key} from ${table} where ${key} > $2 order by ${key} limit ${rowsAtOnce}),
     gone as (delete from ${table} where ${key} in (select ${key} from next ${chosen}) returning 1)
   select count(*)::int as count, (select max(${key}) from next) as last from gone`;

/** Removes what is older than AUDIT_RETENTION_DAYS. */
export const sweepByAge = (statement: string): Sweep => ({
  statement,
  values: ({ auditRetentionDays }) => (auditRetentionDays === 0 ? undefined : [auditRetentionDays]),
});

/** SQL: deletes rows that ended. Five minutes more, for processes whose clock is behind. */
export const sweepEnded = (table: string, key: string): string =>
  deleteFrom(table, key, `from ${table} where ends_at < now() - interval '5 minutes' order by ends_at`);

/** Repeats a deletion while it deletes `rowsAtOnce` rows; returns the number of all deleted rows. */
export async function sweep(sql: Sql, isOver: IsOver, statement: string, values: unknown[] = []): Promise<number> {
  let removed = 0;
  for (let count = rowsAtOnce; count === rowsAtOnce && !(await isOver()); removed += count)
    ({ count } = await runThrottled(sql, statement, values));
  return removed;
}

/** Repeats a `deleteNext` over the whole table; returns the number of all deleted rows. */
export async function sweepAll(sql: Sql, isOver: IsOver, statement: string, values: unknown[]): Promise<number> {
  let removed = 0;
  for (let after: unknown = 0; after !== null && !(await isOver()); ) {
    const { count, last } = await runThrottled<{ last: unknown }>(sql, statement, [...values, after]);
    removed += count;
    after = last;
  }
  return removed;
}

export async function runThrottled<More extends object>(sql: Sql, statement: string, values: unknown[]) {
  const startedAt = performance.now();
  const [row] = await sql.rows<{ count: number } & More>(statement, values);
  await pause(Math.max(pauseMsMin, (performance.now() - startedAt) * pauseShare));
  return row!;
}

/** Figures of the database for whoever watches the service: cheap ones read together every ten seconds at most, others more rarely. */
import type { Sql } from '../../sql.js';
import { isPastRetention } from './purge.js';

interface DatabaseFigures {
  /** Seconds since the signing key began to sign. */
  key_age: number | null;
  /** Token records, as PostgreSQL's statistics have them. */
  token_rows: number | null;
  /** Token records that were rewritten or removed, and whose room isn't free yet. */
  dead_token_rows: number | null;
  /** Seconds since the last clean-up. */
  clean_up_age: number | null;
  /** Records that clean-ups have removed so far. */
  cleaned_up: number | null;
}

const keptMs = 10_000;
const statement = `select
  (select extract(epoch from now() - activated_at)::float8 from signing_keys where state = 'active' and alg <> 'HS256') as key_age,
  stat.n_live_tup::float8 as token_rows, stat.n_dead_tup::float8 as dead_token_rows,
  extract(epoch from now() - run.finished_at)::float8 as clean_up_age, run.removed::float8 as cleaned_up
  from (values (1)) one left join pg_stat_user_tables stat on stat.relid = 'tokens'::regclass
  left join housekeeping_runs run on run.task = 'clean-up'`;

export function openDatabaseFigures(sql: Sql): (name: keyof DatabaseFigures) => Promise<number | undefined> {
  const read = cached(keptMs, () => sql.rows<DatabaseFigures>(statement).then(([row]) => row!));
  return async (name) => (await read())[name] ?? undefined;
}

const waitingKeptMs = 60_000;
const pagesMax = 1_000;
// the same pages each time, so that they are in memory; of a table that has no more of them, all
const waitingStatement = `select (greatest(1, pages / ${pagesMax}.0) * (select count(*)
    from tokens tablesample system (least(100, 100 * ${pagesMax}.0 / greatest(1, pages))) repeatable (0)
    where ${isPastRetention('$1')}))::float8 as waiting
  from (select pg_relation_size('tokens') / current_setting('block_size')::int as pages) size`;

/** Token records that the next clean-up removes, estimated from a thousand pages of the table at most. */
export function openWaitingRecords(sql: Sql, retentionDays: number): () => Promise<number> {
  return cached(waitingKeptMs, async () => {
    const [row] = await sql.rows<{ waiting: number }>(waitingStatement, [retentionDays]);
    return row!.waiting;
  });
}

function cached<T>(keptMs: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (!kept || performance.now() - kept.at > keptMs) kept = { at: performance.now(), value: read() };
    return kept.value;
  };
}

/** Figures of the database for whoever watches the service: read together, and not more often than every ten seconds. */
import type { Sql } from '../context.js';

export interface DatabaseFigures {
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
  let kept: { at: number; row: Promise<DatabaseFigures> } | undefined;
  return async (name) => {
    if (!kept || performance.now() - kept.at > keptMs)
      kept = { at: performance.now(), row: sql.rows<DatabaseFigures>(statement).then(([row]) => row!) };
    return (await kept.row)[name] ?? undefined;
  };
}

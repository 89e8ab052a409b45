/** Reads the state of the database: readiness for probes, and figures for metrics. */
import { SigningKeyUnusable } from '../../auth/keyRing.js';
import type { DatabaseClock, SigningKeys } from '../../context.js';
import { stateInWords } from '../../observability/log.js';
import type { Sql } from '../../sql.js';
import { activeKidColumn } from '../keys/activeKey.js';
import { describeDifference } from '../keys/keyStore.js';
import { isPastRetention } from './purge.js';

interface DatabaseFigures {
  /** Seconds since the signing key began to sign. */
  key_age: number | null;
  /** Token records, from PostgreSQL's statistics. */
  token_rows: number | null;
  /** Old versions of token records that are not vacuumed yet. */
  dead_token_rows: number | null;
  /** Seconds since the last clean-up. */
  clean_up_age: number | null;
  /** Records removed by clean-ups so far. */
  cleaned_up: number | null;
  /** Change sets that commands made without approval. */
  unapproved: number | null;
}

const keptMs = 10_000;
const figuresStatement = `select
  (select extract(epoch from now() - activated_at)::float8 from signing_keys where state = 'active' and alg <> 'HS256') as key_age,
  stat.n_live_tup::float8 as token_rows, stat.n_dead_tup::float8 as dead_token_rows,
  extract(epoch from now() - run.finished_at)::float8 as clean_up_age, run.removed::float8 as cleaned_up,
  (select count(*)::float8 from change_sets where is_unapproved) as unapproved
  from (values (1)) one left join pg_stat_user_tables stat on stat.relid = 'tokens'::regclass
  left join housekeeping_runs run on run.task = 'clean-up'`;

export function openDatabaseFigures(sql: Sql): (name: keyof DatabaseFigures) => Promise<number | undefined> {
  const read = cached(keptMs, () => sql.rows<DatabaseFigures>(figuresStatement).then(([row]) => row!));
  return async (name) => (await read())[name] ?? undefined;
}

const waitingKeptMs = 60_000;
const pagesMax = 1_000;
// samples the same pages each time, so that they stay cached; a small table is counted completely
const waitingStatement = `select (greatest(1, pages / ${pagesMax}.0) * (select count(*)
    from tokens tablesample system (least(100, 100 * ${pagesMax}.0 / greatest(1, pages))) repeatable (0)
    where ${isPastRetention('$1')}))::float8 as waiting
  from (select pg_relation_size('tokens') / current_setting('block_size')::int as pages) size`;

/** Number of token records due for removal, estimated from at most a thousand pages. */
export function openWaitingRecords(sql: Sql, retentionDays: number): () => Promise<number> {
  return cached(waitingKeptMs, async () => {
    const [row] = await sql.rows<{ waiting: number }>(waitingStatement, [retentionDays]);
    return row!.waiting;
  });
}

function cached<T>(keptMs: number, read: () => Promise<T>): () => Promise<T> {
  let latest: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (!latest || performance.now() - latest.at > keptMs) latest = { at: performance.now(), value: read() };
    return latest.value;
  };
}

/** Each is `ok` or says what is wrong. */
type Checks = Readonly<Record<'database' | 'keys' | 'migrations' | 'clock', string>>;

interface Readiness {
  checks: Checks;
  /** `ok`, or how many are away; absent without replicas. Does not affect readiness, because the primary answers. */
  replicas?: string;
  /** Present after a write failed because the disk is full. Does not affect readiness, because reads go on. */
  disk?: string;
}

interface ReadinessSource {
  /** Connections of the token endpoints: without one in time, the process is not ready. */
  sql: Sql;
  keys: SigningKeys;
  clock: DatabaseClock;
  /** Names of all migrations of this version. */
  migrations: readonly string[];
  /** Counts replicas, and those that do not answer; undefined without replicas. */
  probeReplicas?: (() => Promise<{ all: number; away: number }>) | undefined;
  isDiskFull: () => boolean;
}

const answerTimeoutMs = 2_000;
/** Maximum difference of the clocks. With a larger one, access tokens have wrong times and ID tokens are misjudged. */
const aheadMsMax = 60_000;
const unknown = 'not known';
/** What every exchange and renewal needs; tables that only some requests need are named by `doctor`. */
const neededTables = `(values ('clients', 'select'), ('users', 'select'), ('profiles', 'select'), ('user_profiles', 'select'),
  ('profile_access_scopes', 'select'), ('access_scopes', 'select'), ('access_scope_types', 'select'), ('tokens', 'select'),
  ('tokens', 'insert'), ('tokens', 'update'))`;
const probeStatement = `select ${activeKidColumn}, array(select name from migrations) as migrations,
  current_setting('transaction_read_only') = 'on' as is_read_only,
  (select string_agg(name || ' (' || privilege || ')', ', ') from ${neededTables} needed (name, privilege)
   where not has_table_privilege(to_regclass(name), privilege)) as withheld`;

interface ProbeRow {
  active_kid: string | null;
  migrations: string[];
  is_read_only: boolean;
  /** Tables that the role may not use; null if there are none. */
  withheld: string | null;
}

/** Simultaneous calls share one check, so that probes cannot load the database. */
export function openReadiness(source: ReadinessSource): () => Promise<Readiness> {
  let underWay: Promise<Readiness> | undefined;
  return () => {
    underWay ??= checkAll(source).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

async function checkAll(source: ReadinessSource): Promise<Readiness> {
  const [checks, replicas] = await Promise.all([check(source), source.probeReplicas?.()]);
  return {
    checks,
    ...(replicas && { replicas: replicas.away === 0 ? 'ok' : `${replicas.away} of ${replicas.all} away` }),
    ...(source.isDiskFull() && { disk: `${stateInWords('53100')}: writes fail` }),
  };
}

async function check({ sql, keys, clock, migrations }: ReadinessSource): Promise<Checks> {
  try {
    const [probe] = await withTimeout(sql.rows<ProbeRow>(probeStatement));
    const pending = migrations.filter((name) => !probe!.migrations.includes(name));
    return {
      database: describeDatabase(probe!),
      keys: await withTimeout(checkKeys(keys, probe!.active_kid)).catch(() => 'could not be read'),
      migrations: pending.length === 0 ? 'ok' : `pending: ${pending.join(', ')}`,
      clock: Math.abs(clock.aheadMs()) <= aheadMsMax ? 'ok' : describeDifference(clock.aheadMs()),
    };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    // undefined_table: no migration of this version has run
    if (code === '42P01') return { database: 'ok', keys: unknown, migrations: 'pending: all', clock: unknown };
    return {
      database: typeof code === 'string' ? (stateInWords(code) ?? `unavailable (${code})`) : message,
      keys: unknown,
      migrations: unknown,
      clock: unknown,
    };
  }
}

const describeDatabase = ({ is_read_only: isReadOnly, withheld }: ProbeRow): string => {
  if (isReadOnly) return 'takes no writes';
  return withheld === null ? 'ok' : `the role of DATABASE_URL may not use ${withheld}`;
};

/** Checks the stored keys, because those in memory may be older. */
async function checkKeys(keys: SigningKeys, activeKid: string | null): Promise<string> {
  if (activeKid === null) return 'none is active';
  try {
    await keys.reload();
    return 'ok';
  } catch (error) {
    if (error instanceof SigningKeyUnusable) return error.message;
    throw error;
  }
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${answerTimeoutMs} ms`)), answerTimeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

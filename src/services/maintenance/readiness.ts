/** Whether /token can answer: a connection of its kind, a database that takes writes, the keys, this version's migrations, and the clock. */
import { SigningKeyUnusable } from '../../auth/keyEncryption.js';
import type { DatabaseClock, SigningKeys } from '../../context.js';
import type { Sql } from '../../sql.js';
import { describeDifference } from '../keys/databaseClock.js';
import { activeKidColumn } from '../keys/keyStore.js';

/** What was checked: `ok`, or what is wrong. */
type Checks = Readonly<Record<'database' | 'keys' | 'migrations' | 'clock', string>>;

interface Readiness {
  checks: Checks;
  /** Present where there are any: `ok`, or how many are away. Nobody is less ready for it: the primary answers. */
  replicas?: string;
}

interface ReadinessSource {
  /** That of the token endpoints: who can't have a connection of theirs in time is not ready. */
  sql: Sql;
  keys: SigningKeys;
  clock: DatabaseClock;
  /** Names of all migrations of this version. */
  migrations: readonly string[];
  /** How many replicas there are, and how many of them don't answer; undefined: there are none. */
  probeReplicas?: (() => Promise<{ all: number; away: number }>) | undefined;
}

const answerTimeoutMs = 2_000;
/** Beyond it access tokens begin or end at a wrong time, and tokens of identity providers are misjudged. */
const aheadMsMax = 60_000;
const unknown = 'not known';
const statement = `select ${activeKidColumn}, array(select name from migrations) as migrations,
  current_setting('transaction_read_only') = 'on' as is_read_only`;

interface ProbeRow {
  active_kid: string | null;
  migrations: string[];
  is_read_only: boolean;
}

/** Calls at the same moment share one check, so that nobody can ask the database often. */
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
  if (!replicas) return { checks };
  return { checks, replicas: replicas.away === 0 ? 'ok' : `${replicas.away} of ${replicas.all} away` };
}

async function check({ sql, keys, clock, migrations }: ReadinessSource): Promise<Checks> {
  try {
    const [found] = await withTimeout(sql.rows<ProbeRow>(statement));
    const pending = migrations.filter((name) => !found!.migrations.includes(name));
    return {
      database: found!.is_read_only ? 'takes no writes' : 'ok',
      keys: await withTimeout(checkKeys(keys, found!.active_kid)).catch(() => 'could not be read'),
      migrations: pending.length === 0 ? 'ok' : `pending: ${pending.join(', ')}`,
      clock: Math.abs(clock.aheadMs()) <= aheadMsMax ? 'ok' : describeDifference(clock.aheadMs()),
    };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    // a migration may be under way; whatever is missing, it's no table of this version
    if (code === '42P01') return { database: 'ok', keys: unknown, migrations: 'pending: all', clock: unknown };
    return {
      database: typeof code === 'string' ? `unavailable (${code})` : message,
      keys: unknown,
      migrations: unknown,
      clock: unknown,
    };
  }
}

/** As they are stored now: those in memory may be the last that could be opened. */
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

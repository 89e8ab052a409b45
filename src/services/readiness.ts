/** Whether requests can be answered: the database, the keys, and the migrations that this version needs. */
import type { SigningKeys, Sql } from '../context.js';
import { activeKidColumn, ringWith } from './signingKeys.js';

/** What was checked: `ok`, or what is wrong. */
type Checks = Readonly<Record<'database' | 'keys' | 'migrations', string>>;

export interface Readiness {
  checks: Checks;
  /** Told where there are any: `ok`, or how many are away. Nobody is less ready for it: the primary answers. */
  replicas?: string;
}

export interface ReadinessSource {
  /** Connections of their own, so that a busy pool is not taken for a database that is away. */
  sql: Sql;
  keys: SigningKeys;
  /** Names of all migrations of this version. */
  migrations: readonly string[];
  /** How many replicas there are, and how many of them don't answer; undefined: there are none. */
  lookAtReplicas?: (() => Promise<{ all: number; away: number }>) | undefined;
}

const answerMsMax = 2_000;
const unknown = 'not known';
const statement = `select ${activeKidColumn}, array(select name from migrations) as migrations`;

/** Calls at the same moment share one look, so that nobody can ask the database often. */
export function openReadiness(source: ReadinessSource): () => Promise<Readiness> {
  let underWay: Promise<Readiness> | undefined;
  return () => {
    underWay ??= look(source).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

async function look(source: ReadinessSource): Promise<Readiness> {
  const [checks, replicas] = await Promise.all([check(source), source.lookAtReplicas?.()]);
  if (!replicas) return { checks };
  return { checks, replicas: replicas.away === 0 ? 'ok' : `${replicas.away} of ${replicas.all} away` };
}

async function check({ sql, keys, migrations }: ReadinessSource): Promise<Checks> {
  try {
    const read = sql.rows<{ active_kid: string | null; migrations: string[] }>(statement);
    const [found] = await inTime(read);
    const pending = migrations.filter((name) => !found!.migrations.includes(name));
    return {
      database: 'ok',
      keys: await inTime(judgeKeys(keys, found!.active_kid)).catch(() => 'could not be read'),
      migrations: pending.length === 0 ? 'ok' : `pending: ${pending.join(', ')}`,
    };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    // a migration may be under way; whatever is missing, it's no table of this version
    if (code === '42P01') return { database: 'ok', keys: unknown, migrations: 'pending: all' };
    return {
      database: typeof code === 'string' ? `unavailable (${code})` : message,
      keys: unknown,
      migrations: unknown,
    };
  }
}

async function judgeKeys(keys: SigningKeys, activeKid: string | null): Promise<string> {
  if (activeKid === null) return 'none is active';
  const ring = await ringWith(keys, activeKid);
  return ring.signing.kid === activeKid ? 'ok' : `${activeKid} can't be opened: is KEY_ENCRYPTION_KEY right?`;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${answerMsMax} ms`)), answerMsMax);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * Reads from standbys of the database, never older than the last administrative change: a request reads the
 * catalogue version from the primary, and a standby answers it from a snapshot of exactly that version. In every
 * other case the primary answers. See docs/decisions/0010-reads-on-replicas.md.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type Pool, type PoolClient, type QueryResult } from 'pg';
import { versionStatement } from '../../entities/catalogueVersion.js';
import { TooManyWaiting } from '../../slots.js';
import type { Sql } from '../../sql.js';
import type { ConnectionShare } from '../statements/shares.js';
import { NotFresh, openSql, type SqlOptions } from '../statements/sql.js';

/** The result of a read: answered by a replica, or by the primary because the replica was behind, failed, or was away. */
type ReplicaResult = 'replica' | 'behind' | 'failed' | 'away';

export interface ReplicaWatch {
  /** Called for each read that could have gone to a replica. */
  read(result: ReplicaResult): void;
  /** Called when a replica is marked as away, and when it is back. */
  changed(host: string, isAway: boolean): void;
}

interface ReplicasOptions extends SqlOptions {
  /** One pool for each replica. */
  pools: { host: string; pool: Pool }[];
  watch: ReplicaWatch;
}

type VersionRow = { version: string };
/** Tables that change without a new catalogue version: always read from the primary. */
export const unversionedTables = [
  'audit_events',
  'change_sets',
  'clients',
  'connectors',
  'console_sessions',
  'event_causes',
  'event_deliveries',
  'event_readings',
  'event_streams',
  'housekeeping_runs',
  'id_token_uses',
  'policy_verdicts',
  'proposals',
  'provider_sessions',
  'provider_sign_outs',
  'published_events',
  'rate_limits',
  'record_versions',
  'refused_proposals',
  'refused_requests',
  'review_decisions',
  'sign_in_hours',
  'signing_keys',
  'single_uses',
  'tokens',
  'usages',
  'tried_changes',
  'review_items',
  'reviews',
] as const;
// biome-ignore lint/plugin: made of the names above
const unversioned = new RegExp(`\\b(${unversionedTables.join('|')})\\b`);
const cooldownMs = 5_000;
/** Health probes time out quickly. */
const probeTimeoutMs = 500;

interface ReplicaAvailability {
  all: number;
  /** The replicas that don't answer. */
  away: number;
}

export function openReplicas({ pools, watch, ...options }: ReplicasOptions) {
  const replicas = pools.map(({ host, pool }) => openReplica(pool, (isAway) => watch.changed(host, isAway)));
  let turn = 0;
  return {
    /** Returns the reads of a request. They all use the same replica, so that a request never reads an older state after a newer one. */
    openReads(primary: Sql, share: ConnectionShare | undefined): Sql {
      turn += 1;
      const inTurn = replicas.map((_, index) => replicas[(turn + index) % replicas.length]!);
      for (const replica of inTurn) replica.tryAgain();
      const replica = inTurn.find(({ isAway }) => !isAway());
      return openRequestReads(primary, replica, watch, { ...options, share, signal: share?.signal });
    },
    /** Probes each replica, with a short timeout. */
    async probe(): Promise<ReplicaAvailability> {
      const answers = await Promise.all(replicas.map((replica) => replica.answers()));
      return { all: answers.length, away: answers.filter((isThere) => !isThere).length };
    },
  };
}

type Replica = ReturnType<typeof openReplica>;

function openReplica(pool: Pool, changed: (isAway: boolean) => void) {
  let cooldownUntil: number | undefined;
  let probe: Promise<boolean> | undefined;
  const isAway = () => cooldownUntil !== undefined;
  const markUnavailable = () => {
    if (!isAway()) changed(true);
    cooldownUntil = performance.now() + cooldownMs;
  };
  /** Probes a replica in the background, so that no request waits for it. */
  const tryAgain = () => {
    if (cooldownUntil === undefined || performance.now() < cooldownUntil) return;
    cooldownUntil = performance.now() + cooldownMs;
    const back = () => {
      cooldownUntil = undefined;
      changed(false);
    };
    pool.query(versionStatement).then(back, () => undefined);
  };
  const probeOnce = async () => {
    try {
      await pool.query(versionStatement);
      return true;
    } catch {
      markUnavailable();
      return false;
    } finally {
      probe = undefined;
    }
  };
  /** Whether the replica answers a probe in time. While a probe hangs, no second one starts. */
  const answers = async () => {
    tryAgain();
    if (isAway()) return false;
    probe ??= probeOnce();
    return Promise.race([probe, pause(probeTimeoutMs, false, { ref: false })]);
  };
  return { pool, isAway, markUnavailable, tryAgain, answers };
}

/**
 * Begins a transaction on one state of the replica. Throws NotFresh if that is not the primary's state: it may be
 * earlier, later, or on a timeline that a failover ended. Each transaction must check, since the state changes.
 */
async function beginAt(client: PoolClient, version: string): Promise<void> {
  const text = `begin isolation level repeatable read read only; ${versionStatement}`;
  const [, versionResult] = (await client.query(text)) as unknown as [unknown, QueryResult<VersionRow>];
  if (versionResult.rows[0]?.version !== version) throw new NotFresh();
}

function openRequestReads(primary: Sql, replica: Replica | undefined, watch: ReplicaWatch, options: SqlOptions): Sql {
  let version: Promise<string> | undefined;
  let onReplica: Sql | undefined;
  const readVersion = async () => (await primary.rows<VersionRow>(versionStatement))[0]!.version;

  /** Returns undefined when the primary must answer. */
  async function replicaFor(text: string): Promise<Sql | undefined> {
    if (unversioned.test(text)) return undefined;
    if (!replica || replica.isAway()) {
      watch.read('away');
      return undefined;
    }
    // without the primary the current version is unknown
    version ??= readVersion();
    const current = await version;
    onReplica ??= openSql(replica.pool, { ...options, beginRead: (client) => beginAt(client, current) });
    return onReplica;
  }

  /** Throws errors that the primary would throw too. */
  function noteFailure(error: unknown): void {
    options.signal?.throwIfAborted();
    if (error instanceof NotFresh) {
      watch.read('behind');
      return;
    }
    const isBusy = error instanceof TooManyWaiting;
    if (isAnswer(error) || (isBusy && error.isOfOne)) throw error;
    watch.read('failed');
    if (!isBusy && (!(error instanceof DatabaseError) || isLeaving(error))) replica!.markUnavailable();
  }

  return {
    ...primary,
    async rows<Row extends object>(...read: Parameters<Sql['rows']>) {
      const sql = await replicaFor(read[0]);
      if (!sql) return primary.rows<Row>(...read);
      try {
        const rows = await sql.rows<Row>(...read);
        watch.read('replica');
        return rows;
      } catch (error) {
        noteFailure(error);
        return primary.rows<Row>(...read);
      }
    },
    /** After the first rows were returned, a failure is thrown to the reader. */
    async *stream<Row extends object>(...read: Parameters<Sql['stream']>) {
      const sql = await replicaFor(read[0]);
      if (!sql) return yield* primary.stream<Row>(...read);
      let isRead = false;
      try {
        for await (const rows of sql.stream<Row>(...read)) {
          isRead = true;
          yield rows;
        }
        watch.read('replica');
      } catch (error) {
        if (isRead) throw error;
        noteFailure(error);
        yield* primary.stream<Row>(...read);
      }
    },
  };
}

/** Whether the statement itself is wrong or took too long, so that it would fail on the primary too. */
const isAnswer = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '57014' || (error.code ?? '').startsWith('22'));

/** Whether the server is starting, stopping, or changing its role. */
const isLeaving = ({ code }: DatabaseError): boolean => code !== undefined && /^(57P|08|53|28|3D|XX)/.test(code);

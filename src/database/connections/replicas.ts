/**
 * Reads from standbys of the database, never older than the last administrative change: a request reads the
 * catalogue version from the primary, and a standby answers it from a snapshot of exactly that version. In every
 * other case the primary answers. See docs/decisions/0010-reads-on-replicas.md.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type Pool, type PoolClient, type QueryResult } from 'pg';
import { versionStatement } from '../../entities/catalogueVersion.js';
import { TooManyWaiting } from '../../slots.js';
import type { NamedValues, SharedStatement, Sql } from '../../sql.js';
import type { Share } from '../statements/shares.js';
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
  'housekeeping_runs',
  'id_token_uses',
  'policy_verdicts',
  'proposals',
  'provider_sessions',
  'provider_sign_outs',
  'rate_limits',
  'record_versions',
  'refused_requests',
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

interface Replicas {
  /**
   * Returns the reads of a request. They all use the same replica, so that a request never reads an older state after a newer one.
   */
  openReads(primary: Sql, share: Share | undefined): Sql;
  /** Probes each replica, with a short timeout. */
  probe(): Promise<ReplicaAvailability>;
}

export interface ReplicaAvailability {
  all: number;
  /** The replicas that don't answer. */
  away: number;
}

export function openReplicas({ pools, watch, ...options }: ReplicasOptions): Replicas {
  const replicas = pools.map(({ host, pool }) => new Replica(pool, (isAway) => watch.changed(host, isAway)));
  let turn = 0;
  return {
    openReads(primary, share) {
      turn += 1;
      const inTurn = replicas.map((_, index) => replicas[(turn + index) % replicas.length]!);
      for (const replica of inTurn) replica.tryAgain();
      return new RequestReads(
        primary,
        inTurn.find(({ isAway }) => !isAway),
        watch,
        { ...options, share, signal: share?.signal },
      );
    },
    async probe() {
      const answers = await Promise.all(replicas.map((replica) => replica.answers()));
      return { all: answers.length, away: answers.filter((isThere) => !isThere).length };
    },
  };
}

class Replica {
  #cooldownUntil: number | undefined;
  #probe: Promise<boolean> | undefined;

  constructor(
    readonly pool: Pool,
    readonly changed: (isAway: boolean) => void,
  ) {}

  get isAway(): boolean {
    return this.#cooldownUntil !== undefined;
  }

  markUnavailable(): void {
    if (!this.isAway) this.changed(true);
    this.#cooldownUntil = performance.now() + cooldownMs;
  }

  /** Probes a replica in the background, so that no request waits for it. */
  tryAgain(): void {
    if (this.#cooldownUntil === undefined || performance.now() < this.#cooldownUntil) return;
    this.#cooldownUntil = performance.now() + cooldownMs;
    const back = () => {
      this.#cooldownUntil = undefined;
      this.changed(false);
    };
    this.pool.query(versionStatement).then(back, () => undefined);
  }

  /** Whether the replica answers a probe in time. While a probe hangs, no second one starts. */
  async answers(): Promise<boolean> {
    this.tryAgain();
    if (this.isAway) return false;
    this.#probe ??= this.pool
      .query(versionStatement)
      .then(
        () => true,
        () => {
          this.markUnavailable();
          return false;
        },
      )
      .finally(() => {
        this.#probe = undefined;
      });
    return Promise.race([this.#probe, pause(probeTimeoutMs, false, { ref: false })]);
  }
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

class RequestReads implements Sql {
  #version: Promise<string> | undefined;
  #onReplica: Sql | undefined;

  constructor(
    readonly primary: Sql,
    readonly replica: Replica | undefined,
    readonly watch: ReplicaWatch,
    readonly options: SqlOptions,
  ) {}

  async rows<Row extends object>(text: string, values?: readonly unknown[], form?: 'binary'): Promise<Row[]> {
    const replica = await this.#replicaFor(text);
    if (!replica) return this.primary.rows<Row>(text, values, form);
    try {
      const rows = await replica.rows<Row>(text, values, form);
      this.watch.read('replica');
      return rows;
    } catch (error) {
      this.#noteFailure(error);
      return this.primary.rows<Row>(text, values, form);
    }
  }

  batchedRow<Row extends object>(statement: SharedStatement, values: NamedValues): Promise<Row> {
    return this.primary.batchedRow<Row>(statement, values);
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.primary.transaction(work);
  }

  /** After the first rows were returned, a failure is thrown to the reader. */
  async *stream<Row extends object>(
    text: string,
    values: readonly unknown[],
    batch: number,
    form?: 'binary',
  ): AsyncGenerator<Row[], void> {
    const replica = await this.#replicaFor(text);
    if (!replica) return yield* this.primary.stream<Row>(text, values, batch, form);
    let isRead = false;
    try {
      for await (const rows of replica.stream<Row>(text, values, batch, form)) {
        isRead = true;
        yield rows;
      }
      this.watch.read('replica');
    } catch (error) {
      if (isRead) throw error;
      this.#noteFailure(error);
      yield* this.primary.stream<Row>(text, values, batch, form);
    }
  }

  /** Returns undefined when the primary must answer. */
  async #replicaFor(text: string): Promise<Sql | undefined> {
    if (unversioned.test(text)) return undefined;
    const { replica } = this;
    if (!replica || replica.isAway) {
      this.watch.read('away');
      return undefined;
    }
    // without the primary the current version is unknown
    this.#version ??= this.#readVersion();
    const version = await this.#version;
    this.#onReplica ??= openSql(replica.pool, {
      ...this.options,
      beginRead: (client) => beginAt(client, version),
    });
    return this.#onReplica;
  }

  async #readVersion(): Promise<string> {
    const [row] = await this.primary.rows<VersionRow>(versionStatement);
    return row!.version;
  }

  /** Throws errors that the primary would throw too. */
  #noteFailure(error: unknown): void {
    this.options.signal?.throwIfAborted();
    if (error instanceof NotFresh) {
      this.watch.read('behind');
      return;
    }
    const isBusy = error instanceof TooManyWaiting;
    if (isAnswer(error) || (isBusy && error.isOfOne)) throw error;
    this.watch.read('failed');
    if (!isBusy && (!(error instanceof DatabaseError) || isLeaving(error))) this.replica!.markUnavailable();
  }
}

/** Whether the statement itself is wrong or took too long, so that it would fail on the primary too. */
const isAnswer = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '57014' || (error.code ?? '').startsWith('22'));

/** Whether the server is starting, stopping, or changing its role. */
const isLeaving = ({ code }: DatabaseError): boolean => code !== undefined && /^(57P|08|53|28|3D|XX)/.test(code);

/**
 * Reads on standbys of the database, never older than the last change of anything administered: a request asks the primary
 * for the catalogue version, and a standby answers it from a snapshot that shows exactly that version. Whatever else
 * happens, the primary answers. See docs/decisions/0010-reads-on-replicas.md.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type Pool, type PoolClient, type QueryResult } from 'pg';
import { versionStatement } from '../../entities/CatalogueVersion.js';
import { TooManyWaiting } from '../../slots.js';
import type { NamedValues, SharedStatement, Sql } from '../../sql.js';
import type { Share } from '../statements/shares.js';
import { NotFresh, openSql, type SqlOptions } from '../statements/sql.js';

/** How a read went: answered by a replica; by the primary, for the replica was behind, failed, or was known to be away. */
type ReplicaResult = 'replica' | 'behind' | 'failed' | 'away';

export interface ReplicaWatch {
  /** Called for each read that could have gone to a replica. */
  read(result: ReplicaResult): void;
  /** Called when a replica is given up, and when it is back. */
  changed(host: string, isAway: boolean): void;
}

interface ReplicasOptions extends SqlOptions {
  /** A pool per replica. */
  pools: { host: string; pool: Pool }[];
  watch: ReplicaWatch;
}

type VersionRow = { version: string };
/** What changes without a new catalogue version: always read from the primary. */
export const unversionedTables = [
  'audit_events',
  'change_sets',
  'clients',
  'console_sessions',
  'housekeeping_runs',
  'id_token_uses',
  'policy_verdicts',
  'provider_sessions',
  'provider_sign_outs',
  'rate_limits',
  'record_versions',
  'refused_requests',
  'signing_keys',
  'single_uses',
  'tokens',
  'usages',
] as const;
// biome-ignore lint/plugin: of the names above
const unversioned = new RegExp(`\\b(${unversionedTables.join('|')})\\b`);
const cooldownMs = 5_000;
/** Health probes time out quickly. */
const probeTimeoutMs = 500;

interface Replicas {
  /**
   * Gives the reads of a request. All that it asks of a replica, it asks of the same one, so that it never reads backwards.
   */
  openReads(primary: Sql, share: Share | undefined): Sql;
  /** Asks each whether it is there, and waits for a moment only. */
  probe(): Promise<ReplicaAvailability>;
}

export interface ReplicaAvailability {
  all: number;
  /** Those that don't answer. */
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

  /** Nobody waits for a replica that was away. */
  tryAgain(): void {
    if (this.#cooldownUntil === undefined || performance.now() < this.#cooldownUntil) return;
    this.#cooldownUntil = performance.now() + cooldownMs;
    const back = () => {
      this.#cooldownUntil = undefined;
      this.changed(false);
    };
    this.pool.query(versionStatement).then(back, () => undefined);
  }

  /** A probe that hangs is not followed by another one. */
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
 * Begins a transaction that sees one state of the replica. Throws NotFresh where that is not the primary's: it may be an
 * earlier one, a later one, or of a history that a fail-over ended. What a connection showed before says nothing of now.
 */
async function beginAt(client: PoolClient, version: string): Promise<void> {
  const text = `begin isolation level repeatable read read only; ${versionStatement}`;
  const [, shown] = (await client.query(text)) as unknown as [unknown, QueryResult<VersionRow>];
  if (shown.rows[0]?.version !== version) throw new NotFresh();
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

  /** Once the first rows are out, a failure is the reader's. */
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

  /** Undefined: the primary answers. */
  async #replicaFor(text: string): Promise<Sql | undefined> {
    if (unversioned.test(text)) return undefined;
    const { replica } = this;
    if (!replica || replica.isAway) {
      this.watch.read('away');
      return undefined;
    }
    // without the primary nobody knows what is new
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

  /** Throws what the primary would say too. */
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

/** The statement itself is at fault, or took too long: it would be on the primary too. */
const isAnswer = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '57014' || (error.code ?? '').startsWith('22'));

/** The server is starting, stopping, or lost its place among the others. */
const isLeaving = ({ code }: DatabaseError): boolean => code !== undefined && /^(57P|08|53|28|3D|XX)/.test(code);

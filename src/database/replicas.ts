/**
 * Reads on standbys of the database, never older than the last change of anything administered: a request asks the primary
 * for the catalogue version, and a connection to a standby answers it once it has that version. Whatever else happens, the
 * primary answers. See docs/decisions/0010-reads-on-replicas.md.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import type { SharedStatement, Sql } from '../context.js';
import { NotFresh, openSql, type SqlOptions } from './sql.js';

/** How a read went: answered by a replica; by the primary, for the replica was behind, failed, or was known to be away. */
export type ReplicaResult = 'replica' | 'behind' | 'failed' | 'away';

export interface ReplicaWatch {
  /** Told of each read that could have gone to a replica. */
  read(result: ReplicaResult): void;
  /** Told when a replica is given up, and when it is back. */
  changed(host: string, isAway: boolean): void;
}

export interface ReplicasOptions extends SqlOptions {
  /** A pool per replica. */
  pools: { host: string; pool: Pool }[];
  primary: Sql;
  watch: ReplicaWatch;
}

const versionStatement = 'select version from catalogue_version';
/** What changes without a new catalogue version: always read from the primary. */
export const tablesOutside = [
  'audit_events',
  'clients',
  'housekeeping_runs',
  'rate_limits',
  'signing_keys',
  'tokens',
] as const;
const outside = new RegExp(`\\b(${tablesOutside.join('|')})\\b`);
const restMs = 5_000;
/** Whoever asks about the health of the service has little patience. */
const lookMsMax = 500;

export interface Replicas {
  /** Gives the reads of a request. All that it asks of a replica, it asks of the same one, so that it never reads backwards. */
  openReads(): Sql;
  /** Asks each whether it is there, and waits for a moment only. */
  look(): Promise<ReplicasSeen>;
}

export interface ReplicasSeen {
  all: number;
  /** Those that don't answer. */
  away: number;
}

export function openReplicas({ pools, primary, watch, ...options }: ReplicasOptions): Replicas {
  const replicas = pools.map(({ host, pool }) => new Replica(pool, (isAway) => watch.changed(host, isAway)));
  let turn = 0;
  return {
    openReads() {
      turn += 1;
      const inTurn = replicas.map((_, index) => replicas[(turn + index) % replicas.length]!);
      for (const replica of inTurn) replica.tryAgain();
      return new RequestReads(
        primary,
        inTurn.find(({ isAway }) => !isAway),
        watch,
        options,
      );
    },
    async look() {
      const answers = await Promise.all(replicas.map((replica) => replica.answers()));
      return { all: answers.length, away: answers.filter((isThere) => !isThere).length };
    },
  };
}

class Replica {
  #restsUntil: number | undefined;
  #look: Promise<boolean> | undefined;
  // the newest version that each connection has shown: what it has replayed, it keeps
  readonly #shown = new WeakMap<PoolClient, bigint>();

  constructor(
    readonly pool: Pool,
    readonly changed: (isAway: boolean) => void,
  ) {}

  get isAway(): boolean {
    return this.#restsUntil !== undefined;
  }

  rest(): void {
    if (!this.isAway) this.changed(true);
    this.#restsUntil = performance.now() + restMs;
  }

  /** Nobody waits for a replica that was away. */
  tryAgain(): void {
    if (this.#restsUntil === undefined || performance.now() < this.#restsUntil) return;
    this.#restsUntil = performance.now() + restMs;
    const back = () => {
      this.#restsUntil = undefined;
      this.changed(false);
    };
    this.pool.query(versionStatement).then(back, () => undefined);
  }

  /** A look that hangs is not followed by another one. */
  async answers(): Promise<boolean> {
    this.tryAgain();
    if (this.isAway) return false;
    this.#look ??= this.pool
      .query(versionStatement)
      .then(
        () => true,
        () => {
          this.rest();
          return false;
        },
      )
      .finally(() => {
        this.#look = undefined;
      });
    return Promise.race([this.#look, pause(lookMsMax, false, { ref: false })]);
  }

  /** Throws NotFresh. */
  async require(client: PoolClient, version: bigint): Promise<void> {
    if ((this.#shown.get(client) ?? 0n) >= version) return;
    const { rows } = await client.query<{ version: string }>(versionStatement);
    const found = BigInt(rows[0]?.version ?? 0);
    // a later one than the primary's may be of a history that a fail-over ended
    if (found !== version) throw new NotFresh();
    this.#shown.set(client, found);
  }
}

class RequestReads implements Sql {
  #version: Promise<bigint> | undefined;
  #onReplica: Sql | undefined;

  constructor(
    readonly primary: Sql,
    readonly replica: Replica | undefined,
    readonly watch: ReplicaWatch,
    readonly options: SqlOptions,
  ) {}

  async rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    const replica = await this.#replicaFor(text);
    if (!replica) return this.primary.rows<Row>(text, values);
    try {
      const rows = await replica.rows<Row>(text, values);
      this.watch.read('replica');
      return rows;
    } catch (error) {
      this.#judge(error);
      return this.primary.rows<Row>(text, values);
    }
  }

  rowTogether<Row extends object>(statement: SharedStatement, values: readonly unknown[]): Promise<Row> {
    return this.primary.rowTogether<Row>(statement, values);
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.primary.transaction(work);
  }

  /** Once the first rows are out, a failure is the reader's. */
  async *stream<Row extends object>(
    text: string,
    values: readonly unknown[],
    batch: number,
  ): AsyncGenerator<Row[], void> {
    const replica = await this.#replicaFor(text);
    if (!replica) return yield* this.primary.stream<Row>(text, values, batch);
    let isRead = false;
    try {
      for await (const rows of replica.stream<Row>(text, values, batch)) {
        isRead = true;
        yield rows;
      }
      this.watch.read('replica');
    } catch (error) {
      if (isRead) throw error;
      this.#judge(error);
      yield* this.primary.stream<Row>(text, values, batch);
    }
  }

  /** Undefined: the primary answers. */
  async #replicaFor(text: string): Promise<Sql | undefined> {
    if (outside.test(text)) return undefined;
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
      require: (client) => replica.require(client, version),
    });
    return this.#onReplica;
  }

  async #readVersion(): Promise<bigint> {
    const [row] = await this.primary.rows<{ version: string }>(versionStatement);
    return BigInt(row!.version);
  }

  /** Throws what the primary would say too. */
  #judge(error: unknown): void {
    if (error instanceof NotFresh) {
      this.watch.read('behind');
      return;
    }
    if (isAnswer(error)) throw error;
    this.watch.read('failed');
    if (!(error instanceof DatabaseError) || isLeaving(error)) this.replica!.rest();
  }
}

/** The statement itself is at fault, or took too long: it would be on the primary too. */
const isAnswer = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '57014' || (error.code ?? '').startsWith('22'));

/** The server is starting, stopping, or lost its place among the others. */
const isLeaving = ({ code }: DatabaseError): boolean => code !== undefined && /^(57P|08|53|28|3D|XX)/.test(code);

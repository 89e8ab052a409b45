/** What recorders share, which collect in memory and write later: a timer and a counter. */
import type { Log } from '../observability/log.js';

interface PeriodicWork<Item> {
  intervalMs: number;
  /** Removes and returns the items collected since the last run. */
  take(): readonly Item[];
  /** Called with at least one item. */
  work(items: readonly Item[]): Promise<void>;
  /** Receives each item of a failed run. Without it, these items are dropped. */
  giveBack?(item: Item): void;
  log: Log;
  /** Log message for the first failure after a success. Further failures are not logged. */
  failure: string;
}

/**
 * Runs the work an interval after `due` was called, one run at a time, and again until nothing is left; `close` runs it a last time.
 * Without items there is no timer.
 */
export function startPeriodicWork<Item>(options: PeriodicWork<Item>): { due(): void; close(): Promise<void> } {
  const { intervalMs, take, work, giveBack, log, failure } = options;
  let isFailing = false;
  async function run(items: readonly Item[]): Promise<void> {
    try {
      await work(items);
      isFailing = false;
    } catch (error) {
      if (giveBack) for (const item of items) giveBack(item);
      if (!isFailing) log.warn({ error }, failure);
      isFailing = true;
    }
  }
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const due = () => {
    if (!isClosed) timer ??= setTimeout(turn, intervalMs).unref();
  };
  async function turn(): Promise<void> {
    const items = take();
    if (items.length > 0) {
      running = run(items);
      await running;
    }
    timer = undefined;
    if (items.length > 0) due();
  }
  return {
    due,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
      const items = take();
      if (items.length > 0) await run(items);
    },
  };
}

/** How often something was seen, and when. */
export interface TimesSeen {
  firstSeenAt: Date;
  lastSeenAt: Date;
  count: number;
}

interface KindOptions<Kind> {
  /** Kinds in memory; a new kind beyond it is counted under `otherOf(kind)`. */
  kindsMax: number;
  nameOf(kind: Kind): string;
  otherOf(kind: Kind): Kind;
  /** Adds the counters besides `count`. */
  addFurther?(kind: Kind, more: Kind): void;
  /** An owner never has more kinds than there are free places. */
  ownerOf?(kind: Kind): string;
}

/** Counts requests by kind in memory, with the times of the first and the last. */
export class CountedKinds<Kind extends TimesSeen> {
  #kinds = new Map<string, Kind>();
  #kindsOfOwners = new Map<string, number>();

  constructor(private readonly options: KindOptions<Kind>) {}

  add(more: Kind): void {
    if (!this.#add(more, this.#hasPlaceFor(more))) this.#add(this.options.otherOf(more), true);
  }

  #hasPlaceFor(kind: Kind): boolean {
    const { ownerOf, kindsMax } = this.options;
    return (this.#kindsOfOwners.get(ownerOf?.(kind) ?? '') ?? 0) < kindsMax - this.#kinds.size;
  }

  /** Removes and returns all kinds. The caller adds them again if it cannot write them. */
  takeAll(): Kind[] {
    const all = [...this.#kinds.values()];
    this.#kinds = new Map();
    this.#kindsOfOwners = new Map();
    return all;
  }

  #add(more: Kind, mayBeNew: boolean): boolean {
    const { nameOf, ownerOf, addFurther } = this.options;
    const name = nameOf(more);
    const kind = this.#kinds.get(name);
    if (!kind) {
      if (!mayBeNew) return false;
      this.#kinds.set(name, { ...more });
      const owner = ownerOf?.(more);
      if (owner !== undefined) this.#kindsOfOwners.set(owner, (this.#kindsOfOwners.get(owner) ?? 0) + 1);
      return true;
    }
    kind.count += more.count;
    if (more.firstSeenAt < kind.firstSeenAt) kind.firstSeenAt = more.firstSeenAt;
    if (more.lastSeenAt > kind.lastSeenAt) kind.lastSeenAt = more.lastSeenAt;
    addFurther?.(kind, more);
    return true;
  }
}

/** The rows as one array for each column, as `unnest` takes them. */
export const asColumns = (rows: readonly (readonly unknown[])[]): unknown[][] =>
  rows[0]!.map((_, column) => rows.map((row) => row[column]));

/** What is gathered in memory and written periodically: the timer and the counter that all recorders share. */
import type { Log } from '../observability/log.js';

/** Work on what was gathered in memory: every so often, one run at a time, and a last one at the end. */

interface PeriodicWork<Item> {
  intervalMs: number;
  /** Takes out what was gathered since the last run. */
  take(): readonly Item[];
  /** Called with one item at least. */
  work(items: readonly Item[]): Promise<void>;
  /** Gets back each item of a run that failed; absent: it is given up. */
  giveBack?(item: Item): void;
  log: Log;
  /** What the log says of the first failure after a success; of the next ones it says nothing. */
  failure: string;
}

export function startPeriodicWork<Item>(options: PeriodicWork<Item>): { close(): Promise<void> } {
  const { intervalMs, take, work, giveBack, log, failure } = options;
  let isFailing = false;
  async function run(): Promise<void> {
    const items = take();
    if (items.length === 0) return;
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
  const timer = setInterval(() => {
    running ??= run().finally(() => {
      running = undefined;
    });
  }, intervalMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
      await run();
    },
  };
}

/** Requests counted in memory by what they have in common, until they are written: how many, when the first and the last. */

interface Counted {
  firstSeenAt: Date;
  lastSeenAt: Date;
  count: number;
}

export class CountedKinds<Kind extends Counted> {
  #kinds = new Map<string, Kind>();

  readonly #kindsMax: number;
  readonly #nameOf: (kind: Kind) => string;
  readonly #otherOf: (kind: Kind) => Kind;
  readonly #addFurther: (known: Kind, more: Kind) => void;
  readonly #ownerOf: ((kind: Kind) => string) | undefined;
  #kindsOfOwners = new Map<string, number>();

  /**
   * @param kindsMax at a time; one that finds no place is counted as `otherOf` says, which always finds one
   * @param addFurther adds what else is counted
   * @param ownerOf whose it is: of one owner there are no more kinds than places are left for others
   */
  constructor(
    kindsMax: number,
    nameOf: (kind: Kind) => string,
    otherOf: (kind: Kind) => Kind,
    addFurther: (known: Kind, more: Kind) => void = () => undefined,
    ownerOf?: (kind: Kind) => string,
  ) {
    this.#kindsMax = kindsMax;
    this.#nameOf = nameOf;
    this.#otherOf = otherOf;
    this.#addFurther = addFurther;
    this.#ownerOf = ownerOf;
  }

  add(more: Kind): void {
    if (!this.#add(more, this.#hasPlaceFor(more))) this.#add(this.#otherOf(more), true);
  }

  #hasPlaceFor(kind: Kind): boolean {
    return (this.#kindsOfOwners.get(this.#ownerOf?.(kind) ?? '') ?? 0) < this.#kindsMax - this.#kinds.size;
  }

  /** All of them, to be written; those that could not be are added again. */
  takeAll(): Kind[] {
    const all = [...this.#kinds.values()];
    this.#kinds = new Map();
    this.#kindsOfOwners = new Map();
    return all;
  }

  #add(more: Kind, mayBeNew: boolean): boolean {
    const name = this.#nameOf(more);
    const known = this.#kinds.get(name);
    if (!known) {
      if (!mayBeNew) return false;
      this.#kinds.set(name, { ...more });
      const owner = this.#ownerOf?.(more);
      if (owner !== undefined) this.#kindsOfOwners.set(owner, (this.#kindsOfOwners.get(owner) ?? 0) + 1);
      return true;
    }
    known.count += more.count;
    if (more.firstSeenAt < known.firstSeenAt) known.firstSeenAt = more.firstSeenAt;
    if (more.lastSeenAt > known.lastSeenAt) known.lastSeenAt = more.lastSeenAt;
    this.#addFurther(known, more);
    return true;
  }
}

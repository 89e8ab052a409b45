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

  /**
   * @param kindsMax at a time; one that finds no place is counted as `otherOf` says, which always finds one
   * @param addFurther adds what else is counted
   */
  constructor(
    kindsMax: number,
    nameOf: (kind: Kind) => string,
    otherOf: (kind: Kind) => Kind,
    addFurther: (known: Kind, more: Kind) => void = () => undefined,
  ) {
    this.#kindsMax = kindsMax;
    this.#nameOf = nameOf;
    this.#otherOf = otherOf;
    this.#addFurther = addFurther;
  }

  add(more: Kind): void {
    if (!this.#add(more, this.#kinds.size < this.#kindsMax)) this.#add(this.#otherOf(more), true);
  }

  /** All of them, to be written; those that could not be are added again. */
  takeAll(): Kind[] {
    const all = [...this.#kinds.values()];
    this.#kinds = new Map();
    return all;
  }

  #add(more: Kind, mayBeNew: boolean): boolean {
    const name = this.#nameOf(more);
    const known = this.#kinds.get(name);
    if (!known) {
      if (mayBeNew) this.#kinds.set(name, { ...more });
      return mayBeNew;
    }
    known.count += more.count;
    if (more.firstSeenAt < known.firstSeenAt) known.firstSeenAt = more.firstSeenAt;
    if (more.lastSeenAt > known.lastSeenAt) known.lastSeenAt = more.lastSeenAt;
    this.#addFurther(known, more);
    return true;
  }
}

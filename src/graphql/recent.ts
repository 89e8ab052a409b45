/** What was used last, up to a weight: what has not been used for longest goes first. */
export class Recent<Key, Value> {
  readonly #kept = new Map<Key, { value: Value; weight: number }>();
  #weight = 0;

  /** @param weightMax of all that is kept, together */
  constructor(readonly weightMax: number) {}

  get(key: Key): Value | undefined {
    const found = this.#kept.get(key);
    if (!found) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.value;
  }

  /** What alone is too heavy isn't kept. */
  set(key: Key, value: Value, weight: number): void {
    this.delete(key);
    if (weight > this.weightMax) return;
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    while (this.#weight > this.weightMax) this.delete(this.#kept.keys().next().value!);
  }

  delete(key: Key): boolean {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    return this.#kept.delete(key);
  }
}

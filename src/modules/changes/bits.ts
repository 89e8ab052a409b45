/** A set of small whole numbers, such as places in a list, that is united and compared 32 numbers at a time. */
export class Bits {
  #words: Uint32Array;

  constructor(words = new Uint32Array(0)) {
    this.#words = words;
  }

  static of(numbers: Iterable<number>): Bits {
    const bits = new Bits();
    for (const number of numbers) bits.add(number);
    return bits;
  }

  add(number: number): void {
    const word = number >>> 5;
    this.#grow(word + 1);
    this.#words[word]! |= 1 << (number & 31);
  }

  has(number: number): boolean {
    return ((this.#words[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;
  }

  unite(other: Bits): void {
    const words = other.#words;
    this.#grow(words.length);
    for (let index = 0; index < words.length; index++) this.#words[index]! |= words[index]!;
  }

  /** Those of this set that are not in the other one. */
  without(other: Bits): Bits {
    return new Bits(this.#words.map((word, index) => word & ~(other.#words[index] ?? 0)));
  }

  /** Those of both sets. */
  common(other: Bits): Bits {
    const length = Math.min(this.#words.length, other.#words.length);
    return new Bits(this.#words.subarray(0, length).map((word, index) => word & other.#words[index]!));
  }

  meets(other: Bits): boolean {
    const length = Math.min(this.#words.length, other.#words.length);
    for (let index = 0; index < length; index++) if ((this.#words[index]! & other.#words[index]!) !== 0) return true;
    return false;
  }

  get isEmpty(): boolean {
    return this.#words.every((word) => word === 0);
  }

  get size(): number {
    return this.#words.reduce((sum, word) => sum + ones(word), 0);
  }

  *[Symbol.iterator](): Iterator<number> {
    for (let index = 0; index < this.#words.length; index++)
      for (let word = this.#words[index]!; word !== 0; word &= word - 1)
        yield (index << 5) + 31 - Math.clz32(word & -word);
  }

  get bytes(): number {
    return this.#words.byteLength;
  }

  #grow(length: number): void {
    if (length <= this.#words.length) return;
    const words = new Uint32Array(Math.max(length, this.#words.length * 2));
    words.set(this.#words);
    this.#words = words;
  }
}

/** How many bits of a word are set. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

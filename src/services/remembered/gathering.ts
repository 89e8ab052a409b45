/** Bytes of answers that are being written, until they are whole: all of them together have a bound. */
import type { GatheredBytes } from '../../context.js';

/** Whoever has added nothing for so long belongs to a slow reader, and makes room for others. */
const idleMs = 1_000;

export class GatheringRoom {
  readonly #gathered = new Map<string, Gathered>();

  constructor(
    private readonly bytesMax: number,
    private readonly now = () => performance.now(),
  ) {}

  /** One at a time of the same name is gathered; a second one gathers nothing. */
  open(name: string): GatheredBytes {
    this.#dropIf((other) => other.name === name && this.#isIdle(other));
    const gathered = new Gathered(name, this.now(), {
      fits: (bytes) => this.#makeRoom(gathered, bytes),
      left: () => {
        if (this.#gathered.get(name) === gathered) this.#gathered.delete(name);
      },
    });
    if (this.#gathered.has(name)) gathered.drop();
    else this.#gathered.set(name, gathered);
    return gathered;
  }

  #makeRoom(own: Gathered, bytes: number): boolean {
    own.addedAt = this.now();
    if (this.#isFull(bytes)) this.#dropIf((other) => this.#isIdle(other));
    return !this.#isFull(bytes);
  }

  #isFull(bytes: number): boolean {
    return this.#gathered.values().reduce((sum, { length }) => sum + length, bytes) > this.bytesMax;
  }

  #isIdle({ addedAt }: Gathered): boolean {
    return this.now() - addedAt > idleMs;
  }

  #dropIf(isDropped: (gathered: Gathered) => boolean): void {
    for (const gathered of this.#gathered.values()) if (isDropped(gathered)) gathered.drop();
  }
}

interface Room {
  /** Whether so many bytes more fit. */
  fits(bytes: number): boolean;
  left(): void;
}

class Gathered implements GatheredBytes {
  length = 0;
  #chunks: Buffer[] | undefined = [];

  constructor(
    readonly name: string,
    public addedAt: number,
    private readonly room: Room,
  ) {}

  add(chunk: Buffer): void {
    if (!this.#chunks) return;
    if (!this.room.fits(chunk.length)) {
      this.drop();
      return;
    }
    this.length += chunk.length;
    this.#chunks.push(chunk);
  }

  take(): Buffer | undefined {
    const bytes = this.#chunks && Buffer.concat(this.#chunks);
    this.drop();
    return bytes;
  }

  drop(): void {
    this.#chunks = undefined;
    this.length = 0;
    this.room.left();
  }
}

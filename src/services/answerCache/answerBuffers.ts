/** Buffers for the bytes of answers that are being written, until they are whole: all of them together have a bound. */
import type { AnswerBuffer } from '../../context.js';

/** Whoever has added nothing for so long belongs to a slow reader, and makes room for others. */
const idleMs = 1_000;

export class AnswerBuffers {
  readonly #buffers = new Map<string, Buffered>();

  readonly #bytesMax: number;
  readonly #now: () => number;

  constructor(bytesMax: number, now = () => performance.now()) {
    this.#bytesMax = bytesMax;
    this.#now = now;
  }

  /** One at a time of the same name is filled; a second one takes nothing. */
  open(name: string): AnswerBuffer {
    this.#dropIf((other) => other.name === name && this.#isIdle(other));
    const buffer = new Buffered(name, this.#now(), {
      fits: (bytes) => this.#makeRoom(buffer, bytes),
      left: () => {
        if (this.#buffers.get(name) === buffer) this.#buffers.delete(name);
      },
    });
    if (this.#buffers.has(name)) buffer.drop();
    else this.#buffers.set(name, buffer);
    return buffer;
  }

  #makeRoom(own: Buffered, bytes: number): boolean {
    own.addedAt = this.#now();
    if (this.#isFull(bytes)) this.#dropIf((other) => this.#isIdle(other));
    return !this.#isFull(bytes);
  }

  #isFull(bytes: number): boolean {
    return this.#buffers.values().reduce((sum, { length }) => sum + length, bytes) > this.#bytesMax;
  }

  #isIdle({ addedAt }: Buffered): boolean {
    return this.#now() - addedAt > idleMs;
  }

  #dropIf(isDropped: (buffer: Buffered) => boolean): void {
    for (const buffer of this.#buffers.values()) if (isDropped(buffer)) buffer.drop();
  }
}

interface Room {
  /** Whether so many bytes more fit. */
  fits(bytes: number): boolean;
  left(): void;
}

class Buffered implements AnswerBuffer {
  length = 0;
  #chunks: Buffer[] | undefined = [];
  readonly #room: Room;

  constructor(
    readonly name: string,
    public addedAt: number,
    room: Room,
  ) {
    this.#room = room;
  }

  add(chunk: Buffer): void {
    if (!this.#chunks) return;
    if (!this.#room.fits(chunk.length)) {
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
    this.#room.left();
  }
}

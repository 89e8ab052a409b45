/**
 * Memory in which answers are put together, used again by the next ones. V8 collects the whole heap each time that 64 MB
 * were allocated outside of it, however soon they are free: a third of the processor that large answers took.
 */
const blockBytes = 512 * 1024;
/** Kept for the next: as many as large answers are usually under way. */
const spareMax = 16;
const spare: Buffer[] = [];
/** Small answers take no block: Node has a pool of its own for what is smaller. */
const leastBytes = 4 * 1024;

/** Of one answer. */
export class Workspace {
  #blocks: Buffer[] = [];
  /** Of the last block. */
  #usedBytes = 0;
  #isClosed = false;

  /** Bytes that may hold anything, for as long as the workspace is open. */
  take(bytes: number): Buffer {
    if (this.#isClosed || bytes < leastBytes || bytes > blockBytes) return Buffer.allocUnsafe(bytes);
    if (this.#blocks.length === 0 || this.#usedBytes + bytes > blockBytes) {
      this.#blocks.push(spare.pop() ?? Buffer.allocUnsafeSlow(blockBytes));
      this.#usedBytes = 0;
    }
    const start = this.#usedBytes;
    this.#usedBytes += bytes;
    return this.#blocks.at(-1)!.subarray(start, this.#usedBytes);
  }

  /** What was taken belongs to others then. */
  close(): void {
    this.#isClosed = true;
    spare.push(...this.#blocks.splice(0, spareMax - spare.length));
    this.#blocks = [];
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }
}

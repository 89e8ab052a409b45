/** Runs slow secret comparisons a few at a time, so that an attack leaves processor time for everyone else. */

/** Too many comparisons wait already: nothing was judged, the caller should come back in `retryAfterSeconds`. */
export class SecretCheckOverloaded extends Error {
  override readonly name = 'SecretCheckOverloaded';
  // no fault of the code: where it was thrown would cost more to write than the refusal saves
  override readonly stack = '';
  constructor(readonly retryAfterSeconds = 1) {
    super('too many client secrets wait for their comparison');
  }
}

interface ComparisonQueue {
  /** Throws SecretCheckOverloaded when `run` would. */
  assertNotFull(): void;
  /**
   * Runs the work when its turn comes.
   * @param cooldownAfter after which results the slot stays taken for as long as the work took; none by default
   * Throws SecretCheckOverloaded at once, when the queue is full.
   */
  run<T>(work: () => Promise<T>, cooldownAfter?: (result: T) => boolean): Promise<T>;
}

/** @param atOnce comparisons that run at the same time @param waitingMax further ones that may wait */
export function openComparisonQueue(atOnce: number, waitingMax: number): ComparisonQueue {
  const waiting: Array<() => void> = [];
  let running = 0;

  function assertNotFull(): void {
    if (running >= atOnce && waiting.length >= waitingMax) throw new SecretCheckOverloaded();
  }

  async function acquireSlot(): Promise<void> {
    assertNotFull();
    if (running < atOnce) {
      running++;
      return;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  // A turn goes straight to the next in line, so nobody slips in between.
  function releaseSlot(): void {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  return {
    assertNotFull,
    async run(work, cooldownAfter = () => false) {
      await acquireSlot();
      const startedAt = performance.now();
      let cooldownMs = 0;
      try {
        const result = await work();
        if (cooldownAfter(result)) cooldownMs = performance.now() - startedAt;
        return result;
      } finally {
        if (cooldownMs > 0) setTimeout(releaseSlot, cooldownMs).unref();
        else releaseSlot();
      }
    },
  };
}

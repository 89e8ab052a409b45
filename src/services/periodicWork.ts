/** Work on what was gathered in memory: every so often, one run at a time, and a last one at the end. */
import type { Log } from '../observability/log.js';

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

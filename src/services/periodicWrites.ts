/** Writes what was gathered in memory: every so often, one write at a time, and a last one at the end. */

/** @param write gives what it could not write up, or keeps it for the next time; rejects never */
export function startPeriodicWrites(intervalMs: number, write: () => Promise<void>): { close(): Promise<void> } {
  let writing: Promise<void> | undefined;
  const timer = setInterval(() => {
    writing ??= write().finally(() => {
      writing = undefined;
    });
  }, intervalMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}

/** What a test opens is closed at its end, and what a hook opens at the end of its file: also when one in the middle throws. */
import { hangMs } from './until.js';

type Close = () => Promise<unknown>;

const closers: Close[] = [];

/** Makes a `close` that runs once, however often it is called. Everything that is opened calls this. */
export function closeAtEnd(close: Close): () => Promise<void> {
  let closing: Promise<unknown> | undefined;
  const once = async () => {
    closing ??= inTime(close);
    await closing;
  };
  closers.push(once);
  return once;
}

export const openedSoFar = (): number => closers.length;

/** Closes what was opened since there were `count`, the newest first; fails when one of them could not be closed. */
export async function closeOpenedSince(count: number): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.splice(count).reverse()) await close().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function inTime(close: Close): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const isStuck = new Error(`not closed within ${hangMs} ms: ${close}`);
  const timer = setTimeout(() => reject(isStuck), hangMs);
  await Promise.race([close(), promise]).finally(() => clearTimeout(timer));
}

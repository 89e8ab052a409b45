/**
 * Answers that are ready in the same turn of the event loop are written one right after the other at its end: a write wakes
 * whoever reads, which may cost more than all else about an answer, unless it is awake of the one before (decision 0036).
 */

// nobody waits for more than so many others to be made
const heldMax = 8;

const held: (() => void)[] = [];

/** Calls `write` at the end of this turn of the event loop at the latest, after those that were given before. */
export function writeTogether(write: () => void): void {
  if (held.length === 0) setImmediate(writeHeld);
  held.push(write);
  if (held.length >= heldMax) writeHeld();
}

function writeHeld(): void {
  for (const write of held.splice(0)) write();
}

/** Writes answers that are ready in one turn of the event loop together (docs/decisions/0036). */

// answers that are held back at most
const heldMax = 16;

const pending: (() => void)[] = [];

/**
 * Calls `write` at the end of this turn of the event loop or earlier, after the writes before it. So answers that are ready in the
 * same turn are written together: a write wakes its reader, which may cost more than the rest of the answer, unless the previous
 * write already woke it (decision 0036).
 */
export function writeTogether(write: () => void): void {
  if (pending.length === 0) setImmediate(writeHeld);
  pending.push(write);
  if (pending.length >= heldMax) writeHeld();
}

function writeHeld(): void {
  for (const write of pending.splice(0)) write();
}

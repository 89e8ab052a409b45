/**
 * Answers that are ready in the turn of the event loop in which their requests came are written one right after the other: a
 * write wakes whoever reads, which costs more than all else about such an answer, unless it is awake of the one before
 * (decision 0036).
 */

/** A turn of the event loop. */
export interface Turn {
  isOver: boolean;
  held: (() => void)[];
}

// nobody waits for more than so many others to be made
const heldMax = 8;

let current: Turn | undefined;

export function currentTurn(): Turn {
  if (!current) {
    current = { isOver: false, held: [] };
    setImmediate(endTurn);
  }
  return current;
}

/** Calls `write` at the end of the turn at the latest, after those that were given before; at once where it is over. */
export function writeIn(turn: Turn, write: () => void): void {
  turn.held.push(write);
  if (turn.isOver || turn.held.length >= heldMax) writeHeld(turn);
}

function endTurn(): void {
  const turn = current!;
  current = undefined;
  turn.isOver = true;
  writeHeld(turn);
}

function writeHeld({ held }: Turn): void {
  for (const write of held.splice(0)) write();
}

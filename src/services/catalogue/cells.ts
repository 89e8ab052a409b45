/** Cells of a grid in a change set: each has the value that was read, which must still be the current one, and the new value. */
import { badInput, type Problems } from '../../errors.js';
import { changedMeanwhile } from '../records/change.js';
import { throwAll } from '../records/input.js';

/** A field, its problem, and its name in the message if that is not the field's name. */
export type CellProblem = [name: string, problem: string | undefined, subject?: string];

/** Throws BAD_USER_INPUT keyed by `[index]` and the cell's own fields. */
export function requireSoundCells<Cell>(cells: readonly Cell[], problemsOf: (cell: Cell) => CellProblem[]): void {
  const problems: Problems = {};
  cells.forEach((cell, index) => {
    for (const [name, problem, subject = `${name} field`] of problemsOf(cell))
      if (problem !== undefined) problems[`[${index}].${name}`] = [`The ${subject} ${problem}.`];
  });
  if (Object.keys(problems).length > 0) throw badInput(problems);
}

/**
 * Throws one CONFLICT with all cells whose current value differs from the one that was read.
 * @param indexes the places of the cells in the request; absent: their own
 */
export function requireAsRead(
  cells: readonly { from?: string | null }[],
  present: readonly (string | null)[],
  indexes: readonly number[] = [...cells.keys()],
): void {
  const moved = indexes.filter((_, at) => (cells[at]!.from ?? null) !== present[at]);
  const places = moved.map((index) => `[${index}].from`);
  throwAll('CONFLICT', changedMeanwhile, places);
}

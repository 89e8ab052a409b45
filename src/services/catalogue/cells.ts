/** Cells of a grid, as a change set holds them: each says what was read there, which is its lock, and what is wanted there. */
import { badInput, type ErrorCode, GatehouseError, type Problems } from '../../errors.js';

/** A field, what is wrong with it, and what the text calls it where that is not only the field. */
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

/** Throws one CONFLICT that names all the cells in which something else is now than what was read. */
export function requireAsRead(
  cells: readonly { from?: string | null }[],
  presentAt: (index: number) => string | null,
  placeOf = (index: number) => index,
): void {
  const message = 'Somebody else changed it meanwhile.';
  throwAll(
    'CONFLICT',
    message,
    cells.flatMap(({ from = null }, index) => (presentAt(index) === from ? [] : [`[${placeOf(index)}].from`])),
  );
}

/** Throws one error that names all the places, if there are any. */
export function throwAll(code: ErrorCode, message: string, places: readonly string[]): void {
  if (places.length === 0) return;
  throw new GatehouseError(code, message, { problems: Object.fromEntries(places.map((place) => [place, [message]])) });
}

/** Plans changes as they were sent or stored: consecutive cells of one grid are carried out together. */
import type { Context } from '../../context.js';
import { type Change, kindNamed, readChange } from './kinds/all.js';
import type { Grid, Single } from './kinds/kind.js';
import type { ChangePart, PlannedChange } from './plannedChange.js';

/** @param changes objects with one member each, as in `ChangeInput` */
export function planChanges(changes: readonly object[]): PlannedChange[] {
  const planned: PlannedChange[] = [];
  let run: Cells | undefined;
  changes.map(readChange).forEach(({ name, value }, index) => {
    const { does } = kindNamed(name);
    const isCell = 'set' in does;
    if (run && (run.name !== name || run.excludes(value))) run = undefined;
    if (!isCell) planned.push(single(does, { path: `changes[${index}].${name}`, name, value }));
    else if (run) run.add(value, index);
    else {
      run = new Cells(name, does, value, index);
      planned.push(run);
    }
  });
  return planned;
}

const single = ({ apply, size, undoes }: Single, part: ChangePart): PlannedChange => ({
  changes: 1,
  items: size(part.value),
  undoes: undoes?.(part.value),
  parts: [part],
  apply: (context) => apply(context, part.value),
  place: (path) => (path === undefined ? part.path : `${part.path}.${path}`),
});

/** Consecutive cells of one grid, each cell once. */
class Cells implements PlannedChange {
  readonly #cells: Change['value'][] = [];
  readonly #places: number[] = [];
  readonly #keys = new Set<string>();

  constructor(
    readonly name: string,
    readonly grid: Grid,
    cell: Change['value'],
    index: number,
  ) {
    this.add(cell, index);
  }

  get changes(): number {
    return this.#cells.length;
  }
  get items(): number {
    return this.#cells.length;
  }

  /** Whether the cell cannot be part of this change and begins another one. */
  excludes(cell: Change['value']): boolean {
    const { grid } = this;
    return this.#keys.has(grid.keyOf(cell)) || grid.groupOf(cell) !== grid.groupOf(this.#cells[0]);
  }

  add(cell: Change['value'], index: number): void {
    this.#cells.push(cell);
    this.#places.push(index);
    this.#keys.add(this.grid.keyOf(cell));
  }

  get parts() {
    return this.#cells.map((value, index) => ({
      path: `changes[${this.#places[index]}].${this.name}`,
      name: this.name,
      value,
    }));
  }

  apply(context: Context): Promise<unknown> {
    return this.grid.set(context, this.#cells);
  }

  /** The place of a problem in the request: one of the whole change is at its first cell, `userGuids[3]` at the fourth cell's `userGuid`. */
  place(path = ''): string {
    const [start, end] = [path.indexOf('['), path.indexOf(']')];
    const [field, index, rest] =
      start < 0 ? [path, 0, ''] : [path.slice(0, start), Number(path.slice(start + 1, end)), path.slice(end + 1)];
    return `changes[${this.#places[index]}].${this.name}${field && `.${field.replace(/s$/, '')}`}${rest}`;
  }
}

/** Keys of the matrix: arrows, Home, End, PgUp, PgDn; Space flips, with Shift goes on; ↵ on a name opens it; Ctrl Z undoes. */
import type { KeyboardEvent } from 'react';
import { takeBack } from '../../drafts';

interface Acts {
  row: number;
  column: number;
  lastRow: number;
  lastColumn: number;
  /** Rows of a page. */
  page: number;
  move: (row: number, column: number) => void;
  flip: () => void;
  /** The page of the row's record. */
  open: () => void;
}

export const gridKeys =
  ({ row, column, lastRow, lastColumn, page, move, flip, open }: Acts) =>
  (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const isControl = event.ctrlKey || event.metaKey;
    const plain: Record<string, () => void> = {
      ArrowDown: () => move(row + 1, column),
      ArrowUp: () => move(row - 1, column),
      ArrowRight: () => move(row, column + 1),
      ArrowLeft: () => move(row, column - 1),
      Home: () => move(row, 0),
      End: () => move(row, lastColumn),
      PageDown: () => move(row + page, column),
      PageUp: () => move(row - page, column),
      ' ': () => {
        flip();
        if (event.shiftKey) move(row + 1, column);
      },
      Enter: column === -1 ? open : flip,
    };
    const withControl: Record<string, () => void> = {
      z: takeBack,
      Home: () => move(0, 0),
      End: () => move(lastRow, lastColumn),
    };
    const act = (isControl ? withControl : plain)[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

/** Keys of a list: ↑ ↓ j k PgUp PgDn Home End (with or without Ctrl), x or Space selects, with Shift ↑ ↓ more, ↵ opens, → and ← open and close the detail, Esc selects nothing. */
import type { KeyboardEvent } from 'react';

interface Acts {
  at: number;
  total: number;
  /** Rows of a page. */
  page: number;
  move: (to: number) => void;
  open: () => void;
  select: () => void;
  /** Selects the row and the one that it goes to. */
  extend: (to: number) => void;
  clear: () => void;
  /** Opens or closes the row's detail. */
  show: (isShown: boolean) => void;
}

export const rowKeys =
  ({ at, total, page, move, open, select, extend, clear, show }: Acts) =>
  (event: KeyboardEvent): void => {
    // keys that are pressed in a control of the list are its own
    if (event.target !== event.currentTarget || event.metaKey || event.altKey) return;
    // a grid's first and last row, https://www.w3.org/WAI/ARIA/apg/patterns/grid/
    if (event.ctrlKey && event.key !== 'Home' && event.key !== 'End') return;
    const step = event.shiftKey ? extend : move;
    const acts: Record<string, () => void> = {
      ArrowDown: () => step(at + 1),
      j: () => move(at + 1),
      ArrowUp: () => step(at - 1),
      k: () => move(at - 1),
      PageDown: () => move(at + page),
      PageUp: () => move(at - page),
      Home: () => move(0),
      End: () => move(total - 1),
      Enter: open,
      x: select,
      ' ': select,
      Escape: clear,
      ArrowRight: () => show(true),
      ArrowLeft: () => show(false),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

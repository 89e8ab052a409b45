/** Which columns of a list there is room for; what has none is in each row's detail. */
import { type RefObject, useLayoutEffect, useState } from 'react';
import type { Column } from './Row';

/** The inner width of an element; undefined before it is in the document. */
export function useWidth(box: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const element = box.current!;
    const read = () => setWidth(element.clientWidth);
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

/** The room of the boxes that select, and of the buttons that open a row's detail. */
export const [checkWidth, detailWidth, detailWidthSmall] = [44, 70, 44];

const leastOf = ({ width }: Column<never>): number => Number(/\d+/.exec(width));

interface Room {
  /** Undefined: not known yet. */
  width: number | undefined;
  isSmall: boolean;
  /** Columns besides: the boxes. */
  taken: number;
}

/**
 * Those that stay on small screens, then those with actions, then the others in their order, except that a column
 * yields to those after it if it says so. They keep their order.
 */
export function columnsInRoom<Item>(columns: readonly Column<Item>[], { width, isSmall, taken }: Room) {
  const isKept = ({ keepSmall }: Column<Item>) => keepSmall === true;
  const fitting = () => {
    if (width === undefined) return columns;
    const room = width - taken;
    const sum = (some: readonly Column<Item>[]) => some.reduce((total, column) => total + leastOf(column), 0);
    if (sum(columns) <= room) return columns;
    const rank = (column: Column<Item>) => (isKept(column) ? 0 : column.acts ? 1 : column.yields ? 3 : 2);
    const chosen = new Set<Column<Item>>();
    for (const column of columns.toSorted((one, other) => rank(one) - rank(other))) {
      if (!isKept(column) && sum([...chosen, column]) > room - detailWidth) break;
      chosen.add(column);
    }
    return columns.filter((column) => chosen.has(column));
  };
  const shown = isSmall ? columns.filter(isKept) : fitting();
  return { shown, hidden: columns.filter((column) => !shown.includes(column)) };
}

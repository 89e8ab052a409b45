/** A long list as a grid: only the rows in sight are in the document, and the keyboard goes through all of them. */
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { sortOf } from '../address';
import type { Pages } from '../pages';
import { checkWidth, columnsInRoom, detailWidth, detailWidthSmall, useWidth } from './columnsInRoom';
import { Icon } from './icons';
import { useIsSmall } from './isSmall';
import { entryNow, keepPlace, placeOf } from './places';
import { type Column, Row, type SelectingAll, type Selection } from './Row';
import { rowKeys } from './rowKeys';

interface RowsProps<Item> {
  label: string;
  pages: Pages<Item>;
  columns: readonly Column<Item>[];
  keyOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  /** Goes to the item's page. */
  open?: (item: Item) => void;
  isFaded?: (item: Item) => boolean;
  sort?: string;
  onSort?: (sort: string) => void;
  selection?: Selection;
  /** What single letters do with the current row; the next one becomes current. They come before those of every list. */
  acts?: Readonly<Record<string, (item: Item) => void>>;
}

const rowHeight = 48;
const borders = 2;
/** A line of a row's detail. */
const detailHeight = 38;
/** Less than this no list has, however short the window is: then the page scrolls. */
const leastHeight = 280;

/**
 * For the styles: a list has the height of its head and its rows, and where there is less room, at least some of them.
 * @param rows in pixels @param head as CSS: that of lists is higher where it is touched
 */
export const heightsOf = (rows: number, head = 'var(--rows-head, 36px)'): CSSProperties => {
  const whole = `calc(${rows + borders}px + ${head})`;
  return { '--whole': whole, '--least': `min(${leastHeight}px, ${whole})` } as CSSProperties;
};

/** The current row, and the key of what was there when it became so; without one nothing was read there yet. */
interface Place {
  at: number;
  key?: string | undefined;
}

/** Where the row of this place is now; where it was, if it is in the list no more. */
function nowOf({ at, key }: Place, total: number, keyAt: (index: number) => string | undefined): number {
  if (key === undefined || keyAt(at) === key) return at;
  for (let index = 0; index < total; index++) if (keyAt(index) === key) return index;
  return at;
}

export function Rows<Item>(props: RowsProps<Item>) {
  const { label, pages, columns, keyOf, open, selection, acts } = props;
  const { at: rowAt, total, want } = pages;
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const { question } = pages;
  const [left] = useState(() => placeOf(entryNow(), question));
  const [place, setPlace] = useState<Place>({ at: left?.at ?? 0 });
  const keyAt = (index: number): string | undefined => {
    const row = rowAt(index);
    return row && keyOf(row);
  };
  const setAt = (at: number) => setPlace({ at, key: keyAt(at) });
  const at = nowOf(place, total, keyAt);
  // one that is gone is none until the reader moves: what is meant for it must not reach another
  const isGone = place.key !== undefined && keyAt(at) !== place.key;
  const isFirstRead = place.key === undefined && !pages.isLoading && !pages.isStale && rowAt(at) !== undefined;
  const count = pages.isLoading ? 12 : total;
  const isSmall = useIsSmall();
  const taken = selection ? checkWidth : 0;
  const { shown: inRoom, hidden } = columnsInRoom(columns, { width: useWidth(box), isSmall, taken });
  const [opened, setOpened] = useState<number>();
  const heightAt = (index: number) => rowHeight + (index === opened ? hidden.length * detailHeight : 0);
  const grid = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: heightAt,
    overscan: 10,
    scrollPaddingStart: 36,
    initialOffset: left?.scrollTop ?? 0,
  });
  const shown = grid.getVirtualItems();
  const from = shown[0]?.index ?? 0;
  const to = shown.at(-1)?.index ?? 0;
  useEffect(() => want(from, to), [want, from, to]);
  const asked = useRef(question);
  useEffect(() => {
    if (asked.current === question) return;
    asked.current = question;
    setPlace({ at: 0 });
    setOpened(undefined);
    box.current?.scrollTo({ top: 0 });
  }, [question]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a row's height depends on
  useEffect(() => grid.measure(), [opened, hidden.length, grid]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the row that was there is followed where reading again has put it
  useLayoutEffect(() => {
    if (isFirstRead || at !== place.at) setAt(at);
    if (at !== place.at && box.current?.scrollTop) box.current.scrollTop += (at - place.at) * rowHeight;
  }, [isFirstRead, at, place]);

  // after the page has taken the focus, as every page does
  useEffect(() => {
    if (!left) return;
    const timer = setTimeout(() => box.current?.focus());
    return () => clearTimeout(timer);
  }, [left]);
  const entry = useRef(entryNow());
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is another entry
  useEffect(() => {
    entry.current = entryNow();
  }, [question]);
  const leave = (at: number) => keepPlace(entry.current, { question, at, scrollTop: box.current?.scrollTop ?? 0 });
  const leaveByClick = ({ target }: MouseEvent) => {
    const row = target instanceof Element ? target.closest('.row') : null;
    if (row) leave(Number(row.getAttribute('aria-rowindex')) - 2);
  };

  const move = (to: number): void => {
    // in the place of one that is gone is the next one
    const index = Math.max(0, Math.min(total - 1, isGone && to > at ? to - 1 : to));
    setAt(index);
    grid.scrollToIndex(index);
    // where the window is short, the page scrolls too
    requestAnimationFrame(() => document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' }));
  };
  const current = isGone ? undefined : rowAt(at);
  const keys = rowKeys({
    at,
    total,
    move,
    page: Math.max(1, Math.floor((box.current?.clientHeight ?? 480) / rowHeight) - 2),
    open: () => {
      leave(at);
      if (current) open?.(current);
    },
    select: () => current && selection?.toggle(keyOf(current)),
    extend: (to) => {
      for (const row of current ? [current, rowAt(to)] : [])
        if (row && selection && !selection.keys.has(keyOf(row))) selection.toggle(keyOf(row));
      move(to);
    },
    clear: () => selection?.clear(),
    show: (isShown) => hidden.length > 0 && setOpened(isShown ? at : undefined),
  });
  const press = (event: KeyboardEvent) => {
    const act = acts?.[event.key];
    const isOfList = event.target === event.currentTarget && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!act || !current || !isOfList) return keys(event);
    event.preventDefault();
    act(current);
    move(at + 1);
  };
  const widths = inRoom.map(({ width }, index) =>
    isSmall ? (index === 0 ? 'minmax(0, 1fr)' : 'fit-content(45%)') : width,
  );
  const [boxes, details] = [selection ? [`${checkWidth}px`] : [], hidden.length > 0];
  const more = details ? [`${isSmall ? detailWidthSmall : detailWidth}px`] : [];
  const style: CSSProperties = { gridTemplateColumns: [...boxes, ...widths, ...more].join(' ') };
  return (
    <div
      className={`rows${pages.isStale ? ' stale' : ''}`}
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-colcount={inRoom.length + boxes.length + more.length}
      aria-multiselectable={selection ? true : undefined}
      aria-busy={pages.isLoading || pages.isStale}
      aria-activedescendant={current ? `${id}-${at}` : undefined}
      tabIndex={0}
      onKeyDown={press}
      onClickCapture={leaveByClick}
      style={heightsOf(grid.getTotalSize())}
      ref={box}
    >
      <Head {...props} columns={inRoom} hidden={hidden} isSmall={isSmall} style={style} />
      <div className="rows-space" role="presentation" style={{ height: grid.getTotalSize() }}>
        {shown.map(({ key, index, start }) => (
          <Row
            {...props}
            columns={inRoom}
            hidden={hidden}
            isOpen={index === opened}
            onOpen={() => setOpened(index === opened ? undefined : index)}
            key={key}
            id={`${id}-${index}`}
            index={index}
            isAt={index === at && !isGone}
            item={pages.isLoading ? undefined : rowAt(index)}
            style={{ ...style, height: heightAt(index), transform: `translateY(${start}px)` }}
            onAt={setAt}
          />
        ))}
      </div>
    </div>
  );
}

interface HeadProps<Item> extends RowsProps<Item> {
  hidden: readonly Column<Item>[];
  isSmall: boolean;
  style: CSSProperties;
}

function Head<Item>({ columns, hidden, isSmall, selection, sort = '', onSort, style }: HeadProps<Item>) {
  const { field, direction } = sortOf(sort);
  return (
    <div className="rows-head" role="row" aria-rowindex={1} style={style}>
      {selection && (
        <span role="columnheader" className="cell-check">
          {selection.all && selection.all.total > 0 ? (
            <AllCheck selection={selection} all={selection.all} />
          ) : (
            <span className="only-heard">Selected</span>
          )}
        </span>
      )}
      {columns.map(({ key, label, sorts }) => {
        const isSorted = field === key;
        return (
          <span
            key={key}
            role="columnheader"
            aria-sort={isSorted ? (direction === 'ASC' ? 'ascending' : 'descending') : undefined}
          >
            {sorts ? (
              <button type="button" onClick={() => onSort?.(isSorted && direction === 'ASC' ? `-${key}` : key)}>
                {label}
                {isSorted && <Icon name={direction === 'ASC' ? 'up' : 'down'} size={14} />}
              </button>
            ) : (
              label
            )}
          </span>
        );
      })}
      {hidden.length > 0 && (
        <span
          role="columnheader"
          className="cell-more"
          title={`In the detail of each row: ${hidden.map(({ label }) => label).join(', ')}`}
        >
          {isSmall ? `+${hidden.length}` : `${hidden.length} hidden`}
          <span className="only-heard">
            {isSmall && ' hidden'}, in the detail of each row: {hidden.map(({ label }) => label).join(', ')}
          </span>
        </span>
      )}
    </div>
  );
}

/** The box in the head: all rows of the list, not only those on the screen. */
function AllCheck({ selection, all }: { selection: Selection; all: SelectingAll }) {
  return (
    <label>
      <input
        type="checkbox"
        aria-label={`Select all ${all.total.toLocaleString('en')}`}
        checked={all.isDone}
        disabled={all.isPending}
        ref={(box) => {
          if (box) box.indeterminate = !all.isDone && selection.keys.size > 0;
        }}
        onChange={() => (all.isDone ? selection.clear() : all.start())}
      />
    </label>
  );
}

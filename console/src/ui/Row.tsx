/** A row of a long list; a grey line while it is not read yet. */
import type { CSSProperties, MouseEvent, ReactNode } from 'react';
import { Icon } from './icons';

export interface Column<Item> {
  key: string;
  label: string;
  /** A width of CSS grid. */
  width: string;
  sorts?: boolean;
  /** Whether it stays on small screens, where there is room for two. */
  keepSmall?: boolean;
  /** Whether something is done in it: it comes before those that are only read. */
  acts?: boolean;
  /** Whether it gives its room to the columns after it. */
  yields?: boolean;
  cell: (item: Item) => ReactNode;
}

export interface Selection {
  keys: ReadonlySet<string>;
  toggle: (key: string) => void;
  clear: () => void;
  /** Selects every row of the list, those that were not read too. */
  all?: SelectingAll;
}

export interface SelectingAll {
  /** How many rows there are. */
  total: number;
  isPending: boolean;
  /** Whether every row of the list as it is shown is selected. */
  isDone: boolean;
  start: () => void;
}

interface RowProps<Item> {
  id: string;
  index: number;
  isAt: boolean;
  item: Item | undefined;
  columns: readonly Column<Item>[];
  /** Columns without room: the row's detail has them. */
  hidden: readonly Column<Item>[];
  isOpen: boolean;
  onOpen: () => void;
  keyOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  open?: (item: Item) => void;
  isFaded?: (item: Item) => boolean;
  selection?: Selection;
  style: CSSProperties;
  onAt: (index: number) => void;
}

export function Row<Item>(props: RowProps<Item>) {
  const {
    id,
    index,
    isAt,
    item,
    columns,
    hidden,
    isOpen,
    onOpen,
    keyOf,
    nameOf,
    open,
    isFaded,
    selection,
    style,
    onAt,
  } = props;
  if (!item)
    return (
      <div className="row" role="row" aria-rowindex={index + 2} style={style}>
        <span role="gridcell" aria-colspan={columns.length + (selection ? 1 : 0)}>
          <i className="ghost-line" />
        </span>
      </div>
    );
  const key = keyOf(item);
  const click = ({ target }: MouseEvent) => {
    onAt(index);
    const isControl = target instanceof Element && target.closest('a, button, input, label, .row-detail') !== null;
    if (!isControl) open?.(item);
  };
  const className = `row${isOpen ? ' open' : ''}${open ? ' opens' : ''}${isAt ? ' at' : ''}${isFaded?.(item) ? ' faded' : ''}`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys
    <div
      id={id}
      className={className}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selection ? selection.keys.has(key) : undefined}
      style={style}
      onClick={click}
    >
      {selection && (
        <span role="gridcell" className="cell-check">
          {/* all of the cell selects: beside the box it would open the item's page */}
          <label>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Select ${nameOf(item)}`}
              checked={selection.keys.has(key)}
              onChange={() => selection.toggle(key)}
            />
          </label>
        </span>
      )}
      {columns.map(({ key: column, cell }) => (
        <span key={column} role="gridcell">
          {cell(item)}
        </span>
      ))}
      {hidden.length > 0 && (
        <span role="gridcell" className="cell-more">
          <button
            type="button"
            className="ghost small"
            tabIndex={-1}
            aria-expanded={isOpen}
            aria-label={`Details: ${nameOf(item)}`}
            onClick={() => {
              onAt(index);
              onOpen();
            }}
          >
            <Icon name={isOpen ? 'down' : 'right'} size={15} />
          </button>
        </span>
      )}
      {isOpen && hidden.length > 0 && (
        <span role="gridcell" className="row-detail" aria-colspan={columns.length + (selection ? 2 : 1)}>
          {hidden.map(({ key: column, label, cell }) => (
            <span key={column}>
              <small>{label}</small>
              <span>{cell(item) ?? '—'}</span>
            </span>
          ))}
        </span>
      )}
    </div>
  );
}

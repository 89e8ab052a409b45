/** An application's row of the matrix. */
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Draft } from '../../drafts';
import { Icon } from '../../ui/icons';
import { Tile } from '../../ui/Tile';
import { cellOf, keyOfCell, type Mark, type MatrixColumn, type MatrixRow } from './cells';

interface GridRowProps {
  /** Beginning of the cells' ids. */
  id: string;
  index: number;
  top: number;
  row: MatrixRow | undefined;
  columns: readonly MatrixColumn[];
  /** First and last column in sight. */
  from: number;
  to: number;
  /** Whether it is the current row. */
  isAt: boolean;
  /** The current column; -1 is the name. */
  column: number;
  drafts: ReadonlyMap<string, Draft>;
  onPress: (index: number, row: MatrixRow, column: number) => void;
}

/** Scrolling leaves those as they are that stay in sight. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, index, top, row, columns, from, to, isAt, column: at, drafts, onPress } = props;
  return (
    <div
      className={`matrix-row${row?.isActive === false ? ' faded' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span
        id={`${id}-${index}--1`}
        className={`matrix-name${isAt && at === -1 ? ' at' : ''}`}
        role="rowheader"
        aria-colindex={1}
      >
        {row ? (
          <>
            <Tile name={row.name} size="small" />
            <Link to="/applications/$guid" params={{ guid: row.applicationGuid }} tabIndex={-1} title={row.name}>
              {row.name}
            </Link>
            {!row.isActive && <small>out of use</small>}
          </>
        ) : (
          <i className="ghost-line" />
        )}
      </span>
      {row &&
        columns.slice(from, to + 1).map((column, offset) => {
          const number = from + offset;
          const { mark, words } = cellOf(row, column, drafts.get(keyOfCell(row, column)));
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: Space does it, in the grid
            <span
              key={column.guid}
              id={`${id}-${index}-${number}`}
              className={`matrix-cell${mark === 'none' ? ' none' : ''}${isAt && number === at ? ' at' : ''}${isAt || number === at ? ' across' : ''}`}
              role="gridcell"
              aria-colindex={number + 2}
              aria-label={`${row.name}, ${column.name}: ${words}${row.isActive ? '' : '; the application is out of use'}`}
              style={{ gridColumn: number + 2 }}
              onClick={() => onPress(index, row, number)}
            >
              {mark !== 'none' && <MarkSign mark={mark} />}
            </span>
          );
        })}
    </div>
  );
});

const MarkSign = ({ mark }: { mark: Mark }) => (
  <span className={`mark ${mark}`}>
    {(mark === 'active' || mark === 'by-type') && <Icon name={mark === 'active' ? 'check' : 'type'} size={13} />}
    {mark === 'give' && <Icon name="plus" size={14} />}
    {mark === 'take' && <Icon name="minus" size={14} />}
    {mark === 'change' && <Icon name="pencil" size={13} />}
  </span>
);

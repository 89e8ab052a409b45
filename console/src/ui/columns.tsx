/** Columns that several lists have. */
import { OutOfUse } from './Badge';
import type { Column } from './Row';
import { Time } from './Time';

export const stateColumn: Column<{ isActive: boolean }> = {
  key: 'isActive',
  label: 'State',
  width: '118px',
  sorts: true,
  keepSmall: true,
  cell: ({ isActive }) => <OutOfUse isActive={isActive} />,
};

/** A record that nobody changed has the time at which it was made. */
export const changedColumn: Column<{ modifiedDate: string | null; createdDate: string }> = {
  key: 'modifiedDate',
  label: 'Changed',
  width: '126px',
  sorts: true,
  cell: ({ modifiedDate, createdDate }) => <Time iso={modifiedDate ?? createdDate} />,
};

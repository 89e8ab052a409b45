/** A record of a change set that is taken back. */
import { describe, type RecordClass } from '../../entities/description.js';
import { conflict, type GatehouseError } from '../../errors.js';

/** A record that the set changed: as the set found it, as it left it, and as it is now. */
export interface Undone {
  record: RecordClass;
  key: string;
  before: Columns | null;
  after: Columns | null;
  now: Columns | null;
}
export type Columns = Record<string, unknown>;

const stamps = new Set(['revision', 'modified_date', 'modified_by', 'created_date', 'created_by']);

/** Whether they say the same, but for who changed them when. `other` may have more columns. */
export function isSame(one: Columns | null, other: Columns | null): boolean {
  if (!one || !other) return one === other;
  return Object.keys(one).every((column) => stamps.has(column) || one[column] === other[column]);
}

export const nameOf = ({ record, key }: Undone): string => `${describe(record).name} ${key}`;

/** Others came to need the record. */
export const stillNeeded = (each: Undone): GatehouseError => conflict(`${nameOf(each)} is in use by what came since.`);

const namedMax = 20;

/** What the records refer to is gone, or others have their places. */
export const cannotReturn = (all: readonly Undone[]): GatehouseError =>
  conflict(
    `What these refer to is gone since, or others have taken their keys: ${all.slice(0, namedMax).map(nameOf).join(', ')}.`,
  );

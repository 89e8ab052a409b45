/** The columns that a projecting statement answers with, each the text of a JSON array with a value for each record. */
import type { Part } from './projection.js';

/** By part and field: null, where there are no records; by part: how many there are. */
export type Columns = Readonly<Record<string, string | number | null>>;

export const columnOf = (columns: Columns, { alias }: Part, field: string): string | null =>
  columns[`${alias}.${field}`] as string | null;

export const countOf = (columns: Columns, { alias }: Part): number => columns[alias] as number;

/** PostgreSQL's `2026-01-02T03:04:05.6+00:00`, as JSON has it, as `2026-01-02T03:04:05.600Z`. */
export function isoTime(text: string): string {
  if (text.length > 29 || text[10] !== 'T' || !text.endsWith('+00:00')) return new Date(text).toISOString();
  return `${text.slice(0, 19)}.${text.slice(20, -6).padEnd(3, '0')}Z`;
}

/**
 * How the values of a column travel: as bytes, those of all records found one after another. PostgreSQL sends what it
 * holds, which costs it half of writing JSON; jsonColumns.ts makes JSON of it.
 */
import type { FieldDescription, FieldType } from '../../entities/description.js';

export type ColumnType = Pick<FieldDescription, 'type' | 'nullable'>;

/** By part and field: null, where there are no records; by part: how many there are. */
export type Columns = Readonly<Record<string, Buffer | number | null>>;

export const columnOf = (columns: Columns, { alias }: { alias: string }, field: string): Buffer | null =>
  columns[`${alias}.${field}`] as Buffer | null;

export const countOf = (columns: Columns, { alias }: { alias: string }): number => columns[alias] as number;

/** What PostgreSQL sends of types whose values all have the same length, and that length. */
export const fixedTypes = {
  integer: { send: 'int4send', bytes: 4 },
  boolean: { send: 'boolsend', bytes: 1 },
  uuid: { send: 'uuid_send', bytes: 16 },
  dateTime: { send: 'timestamptz_send', bytes: 8 },
} as const;
export type FixedType = keyof typeof fixedTypes;
export const isFixed = (type: FieldType): type is FixedType => type in fixedTypes;

/** What stands in the place of no text, and between two texts: bytes that no UTF-8 has, as many as JSON needs there. */
export const noText = 0x00;
export const betweenTexts = 0xff;

/**
 * SQL of a column of bytes. Values of one length stand side by side, each that may be null behind a byte that says
 * whether it is there (1) or not (0); texts are separated; anything else is an array of JSON.
 */
export function columnSql(value: string, { type, nullable }: ColumnType): string {
  if (type === 'string') return String.raw`string_agg(coalesce(textsend(${value}), '\x0000'), '\xffffff')`;
  // JavaScript's numbers end at 2^53
  if (!isFixed(type)) return `textsend(json_agg(${type === 'bigint' ? `${value}::text` : value})::text)`;
  const bytes = `${fixedTypes[type].send}(${value})`;
  const each = nullable ? String.raw`coalesce('\x01' || ${bytes}, '\x00')` : bytes;
  return `string_agg(${each}, '')`;
}

/** Records as objects, from the columns that PostgreSQL gave. */
import type { Row } from '../sql/select.js';
import { type Columns, columnOf, countOf } from './columns.js';
import { integersOf, jsonColumn } from './jsonColumns.js';
import type { Part } from './projection.js';

/** All records of a part, with those that their relations to one lead to. The same record is the same object. */
export function rowsOf(columns: Columns, part: Part): Row[] {
  const members = [...part.fields.keys()].map((name) => [name, valuesOf(columns, part, name)] as const);
  const rows = Array.from({ length: countOf(columns, part) }, (_, index) => {
    const row: Row = {};
    for (const [name, values] of members) row[name] = values[index];
    return row;
  });
  for (const { relation, part: joined } of part.toOne) {
    const found = new Map(rowsOf(columns, joined).map((row) => [row[relation.to], row]));
    for (const row of rows) row[relation.name] = found.get(row[relation.from]) ?? null;
  }
  return rows;
}

/** A field of all records of a part. */
export function valuesOf(columns: Columns, part: Part, name: string): unknown[] {
  const sent = columnOf(columns, part, name);
  if (!sent) return [];
  const column = part.fields.get(name)!;
  if (column.type === 'integer') return integersOf(sent, column);
  const { bytes, starts } = jsonColumn(columns, part, name);
  return JSON.parse(bytes.toString('utf8', 0, starts.at(-1)));
}

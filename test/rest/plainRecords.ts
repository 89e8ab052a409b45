/** The records of the documented answers as plain objects that hold each other, linked in JavaScript: what the oracle reads. */
import { allRecords } from '../../src/entities/all.js';
import { describe as describeRecord, type RecordClass } from '../../src/entities/description.js';
import { navigationsOf } from '../../src/services/read/listShape.js';
import type { Sql } from '../../src/sql.js';
import type { Plain } from './odata/evaluate.js';

type Row = Record<string, unknown>;

/** All records of a class, by primary key. */
export async function plainRecords(sql: Sql, record: RecordClass): Promise<Plain[]> {
  const tables = new Map<RecordClass, Row[]>();
  for (const each of allRecords) tables.set(each, await readTable(sql, each));
  for (const [each, rows] of tables) for (const row of rows) link(tables, each, row);
  return tables.get(record) as Plain[];
}

async function readTable(sql: Sql, record: RecordClass): Promise<Row[]> {
  const { table, fields, primaryKey } = describeRecord(record);
  const rows = await sql.rows<Row>(`select * from ${table} order by ${primaryKey.column}`);
  return rows.map((row) => Object.fromEntries(fields.map(({ name, column }) => [name, row[column]])));
}

function link(tables: Map<RecordClass, Row[]>, record: RecordClass, row: Row): void {
  for (const { name, kind, target, from, to } of navigationsOf(record)) {
    const others = tables.get(target())!.filter((other) => other[to] === row[from] && row[from] !== null);
    row[name] = kind === 'toMany' ? others : (others[0] ?? null);
  }
}

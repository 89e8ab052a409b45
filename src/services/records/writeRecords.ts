/** Writes any number of rows with one statement. Triggers stamp them and write their audit events. */
import type { EntityManager } from '../../context.js';
import {
  describe,
  type FieldDescription,
  type RecordClass,
  type RecordDescription,
} from '../../entities/description.js';
import { columnTypes } from '../../entities/fieldTypes.js';
import { execute } from '../execute.js';

/** Values by the names of their columns. All rows of a set have the same columns. */
export type Columns = Record<string, unknown>;

/** The source of a statement's rows: SQL of a table `x`, made from the JSON array in $1. */
export interface RowSource {
  columns: readonly string[];
  from: string;
}

function sourceOf({ table }: RecordDescription, rows: readonly Columns[]): RowSource {
  return { columns: Object.keys(rows[0]!), from: `jsonb_populate_recordset(null::${table}, $1::jsonb) x` };
}

/** SQL: inserts the rows in order. Null stands for the default of a column that is not nullable. */
export function insertStatement(description: RecordDescription, { columns, from }: RowSource, unless = ''): string {
  const { table, fields } = description;
  const values = columns.map((column) => inserted(table, fields.find((field) => field.column === column)!));
  return `insert into ${table} as t (${columns.join(', ')}) select ${values.join(', ')} from ${from} ${unless}`;
}

function inserted(table: string, { column, primary, type, default: fallback, nullable }: FieldDescription): string {
  if (primary && type !== 'string')
    return `coalesce(x.${column}, nextval(pg_get_serial_sequence('${table}', '${column}')))`;
  return fallback !== undefined && !nullable ? `coalesce(x.${column}, ${fallback})` : `x.${column}`;
}

/** SQL: changes the rows that have the primary keys. */
export function updateStatement(
  { table, primaryKey }: RecordDescription,
  { columns, from }: RowSource,
  further = '',
): string {
  const settings = columns.filter((column) => column !== primaryKey.column).map((column) => `${column} = x.${column}`);
  return `update ${table} t set ${settings.join(', ')}${further} from ${from} where t.${primaryKey.column} = x.${primaryKey.column}`;
}

/** Inserts the rows and returns their primary keys in order. */
export async function insertRows(em: EntityManager, record: RecordClass, rows: readonly Columns[]): Promise<unknown[]> {
  if (rows.length === 0) return [];
  const description = describe(record);
  const insert = insertStatement(description, sourceOf(description, rows));
  const inserts = await execute<{ key: unknown }>(em, `${insert} returning t.${description.primaryKey.column} as key`, [
    JSON.stringify(rows),
  ]);
  return inserts.map(({ key }) => key);
}

/** Changes the rows that have the primary keys. */
export async function updateRows(em: EntityManager, record: RecordClass, rows: readonly Columns[]): Promise<void> {
  if (rows.length === 0) return;
  const description = describe(record);
  await execute(em, updateStatement(description, sourceOf(description, rows)), [JSON.stringify(rows)]);
}

export async function deleteRows(em: EntityManager, record: RecordClass, keys: readonly unknown[]): Promise<void> {
  if (keys.length === 0) return;
  const { table, primaryKey } = describe(record);
  await execute(em, `delete from ${table} where ${primaryKey.column} = any($1::${columnTypes[primaryKey.type]}[])`, [
    keys,
  ]);
}

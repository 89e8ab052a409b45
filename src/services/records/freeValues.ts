/** Lets records exchange values that no two of them share: PostgreSQL checks such values row by row. */
import { nameKey } from '../nameKey.js';

export interface UniqueColumn {
  table: string;
  column: string;
  /** The column that names the record. */
  key: string;
}

type Run = <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/**
 * Puts guids in place of the values that other records are to get, until these get their own or are removed. To free too much does no harm.
 * @param keys records that are written again, or removed, in this transaction
 * @param wanted the new values of these or other records
 */
export async function freeValues(
  run: Run,
  { table, column, key }: UniqueColumn,
  keys: readonly string[],
  wanted: readonly unknown[],
): Promise<void> {
  if (keys.length === 0) return;
  // without stamps, because the temporary value is not a change
  const announce = "select set_config('gatehouse.change', $1, true)";
  const [announced] = await run<{ said: string }>("select current_setting('gatehouse.change') as said", []);
  await run(announce, [JSON.stringify({ ...JSON.parse(announced!.said), stamps: undefined })]);
  await run(
    `update ${table} set ${column} = gen_random_uuid() where ${key}::text = any($1::text[])
       and ${nameKey(column)} in (select ${nameKey('value')} from unnest($2::text[]) value)`,
    [keys, wanted],
  );
  await run(announce, [announced!.said]);
}

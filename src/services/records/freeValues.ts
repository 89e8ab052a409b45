/** Lets records exchange values that no two of them share: PostgreSQL checks such values row by row. */
import { nameKey } from '../nameKey.js';

interface UniqueColumn {
  table: string;
  column: string;
  /** The column that names the record. */
  key: string;
}

type Run = <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/**
 * Puts guids in place of the values that others of these records are to get, until they get their own. To free too much does no harm.
 * @param keys records whose value changes, each of which is written again in this transaction
 * @param wanted their new values
 */
export async function freeValues(
  run: Run,
  { table, column, key }: UniqueColumn,
  keys: readonly string[],
  wanted: readonly unknown[],
): Promise<void> {
  if (keys.length < 2) return;
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

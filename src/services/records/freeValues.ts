/** Lets records exchange values that no two of them share: PostgreSQL checks such values row by row. */
import { nameKey } from '../nameKey.js';

export interface UniqueColumn {
  table: string;
  column: string;
  /** The column that names the record. */
  key: string;
}

/** Until it is called, the history of the change has a version with the guid for each record. */
export type Forget = () => Promise<void>;

type Run = <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/**
 * Puts guids in place of the values that other records are to get, until these get their own or are removed. To free too much does no harm.
 * @param keys records that are written again, or removed, in this transaction
 * @param wanted the new values of these or other records
 * @returns takes the guids out of the history, when all of these records are written or removed
 */
export async function freeValues(
  run: Run,
  { table, column, key }: UniqueColumn,
  keys: readonly string[],
  wanted: readonly unknown[],
): Promise<Forget> {
  if (keys.length === 0) return async () => {};
  // without stamps, because the temporary value is not a change
  const announce = "select set_config('gatehouse.change', $1, true)";
  const [announced] = await run<{ said: string }>("select current_setting('gatehouse.change') as said", []);
  await run(announce, [JSON.stringify({ ...JSON.parse(announced!.said), stamps: undefined })]);
  const freed = await run<{ guid: string }>(
    `update ${table} set ${column} = gen_random_uuid() where ${key}::text = any($1::text[])
       and ${nameKey(column)} in (select ${nameKey('value')} from unnest($2::text[]) value) returning ${column} as guid`,
    [keys, wanted],
  );
  await run(announce, [announced!.said]);
  return async () => {
    if (freed.length > 0) await run(forget, [table, column, freed.map(({ guid }) => guid)]);
  };
}

/** SQL: the versions to which records were freed go, and those that began with the guids begin with the values of before. */
const forget = `with gone as (
    delete from record_versions where change_set_id = (select current_change_set()) and record_table = $1::text
      and after->>$2::text = any($3::text[]) and after->$2::text is distinct from before->$2::text returning record_key, before, after)
  update record_versions version set before = version.before || jsonb_build_object($2::text, gone.before->$2::text) from gone
  where version.change_set_id = (select current_change_set()) and version.record_table = $1::text
    and version.record_key = gone.record_key and version.before->$2::text = gone.after->$2::text`;

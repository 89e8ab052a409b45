/** The versions that triggers wrote of the records which the transaction under way changed. */
import type { Context } from '../../context.js';
import type { Columns } from '../changes/undone.js';

export interface Version {
  table: string;
  key: string;
  before: Columns | null;
  after: Columns | null;
}

/** One for each record, however many times it was changed; without those that came and went. */
export async function readVersions({ sql }: Context): Promise<Version[]> {
  const rows = await sql.rows<Version>(
    `select record_table as table, record_key as key, before, after from record_versions
     where change_set_id = nullif(current_setting('gatehouse.change_set', true), '')::bigint order by record_version_id`,
  );
  const byRecord = new Map<string, Version>();
  for (const row of rows) {
    const known = byRecord.get(`${row.table} ${row.key}`);
    if (known) known.after = row.after;
    else byRecord.set(`${row.table} ${row.key}`, row);
  }
  return [...byRecord.values()].filter(({ before, after }) => before !== null || after !== null);
}

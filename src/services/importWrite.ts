/** Writes what an import planned, with its audit events, a batch per statement. */
import type { Merged, Plan } from './importCompare.js';
import { batchesOf, insertStatement, type Query, updateStatement } from './importSql.js';

/** Who signs the changes, and the request that they belong to. */
export interface Author {
  actor: string;
  traceId: string;
}

const analyzeRowsMin = 1_000;

/** Changes come before new records, so that a value that one gives up is free for another. */
export async function write(
  query: Query,
  { list, inserts, updates }: Plan,
  { actor, traceId }: Author,
  onRows: (count: number) => void,
): Promise<void> {
  for (const batch of batchesOf(updates)) {
    const rows = batch.map(({ values, changed }) => ({ ...values, changed }));
    await query(updateStatement(list), [JSON.stringify(rows), actor, traceId]);
    onRows(batch.length);
  }
  await moveSequence(query, { list, inserts });
  for (const batch of batchesOf(inserts)) {
    const rows = batch.map(({ values }) => values);
    await query(insertStatement(list), [JSON.stringify(rows), actor, traceId]);
    onRows(batch.length);
  }
  // the planner would otherwise take the table for what it was before, until autovacuum comes by
  if (inserts.length > analyzeRowsMin) await query(`analyze ${list.description.table}`, []);
}

/** Past the ids that are given, so that no id that is made meets one of them. */
async function moveSequence(query: Query, { list, inserts }: Pick<Plan, 'list' | 'inserts'>): Promise<void> {
  const { table, primaryKey } = list.description;
  const last = highest(inserts, primaryKey.name);
  if (last === 0) return;
  await query(
    `select setval(sequence, $1::bigint) from (select pg_get_serial_sequence($2, $3)::regclass as sequence) its
     where coalesce(pg_sequence_last_value(sequence), 0) < $1::bigint`,
    [last, table, primaryKey.column],
  );
}

function highest(inserts: Merged[], name: string): number {
  return inserts.reduce(
    (last, { values }) => (typeof values[name] === 'number' ? Math.max(last, values[name]) : last),
    0,
  );
}

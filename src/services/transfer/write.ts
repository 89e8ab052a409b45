/** Writes what an import planned, with its audit events, a batch per statement. */
import { conflict } from '../../errors.js';
import type { Author } from '../records/auditLog.js';
import { compareHeld } from './plan.js';
import type { ImportChecks, Merged, Plan } from './planTypes.js';
import { renewedHere } from './renewalTokens.js';
import { batchesOf, insertStatement, type Query, rememberStatement, updateStatement } from './statements.js';

/** How many records were really written. */
interface Written {
  created: number;
  updated: number;
  unchanged: number;
}

const analyzeRowsMin = 1_000;

/**
 * Numbers above are kept, but numbering doesn't go on from them: after the last that a column can hold, which old systems
 * have for records that stand for something, no record could be made any more. The reserved access scopes are there too.
 */
const numberedFromMax = 2_000_000_000;

/**
 * Changes come before new records, so that a value that one gives up is free for another; of records that callers use all
 * the time they come last, so that they are held for the shortest time.
 */
export async function write(
  query: Query,
  plan: Plan,
  author: Author,
  checks: ImportChecks,
  onRows: (count: number) => void,
): Promise<Written> {
  const written: Written = { created: 0, updated: 0, unchanged: plan.unchanged };
  const batches = { query, plan, author, checks, onRows, written };
  if (plan.list.isInUse) {
    await insertBatches(batches);
    await updateBatches(batches);
  } else {
    await updateBatches(batches);
    await insertBatches(batches);
  }
  onRows(plan.unchanged);
  return written;
}

const lengthOf = ({ row }: Merged): number => row.length;

interface Batches {
  query: Query;
  plan: Plan;
  author: Author;
  checks: ImportChecks;
  onRows(count: number): void;
  written: Written;
}

/** What was looked at without being held is looked at again, held, right before it is changed. */
async function updateBatches({ query, plan, author, checks, onRows, written }: Batches): Promise<void> {
  const { list } = plan;
  for (const batch of batchesOf([...plan.updates, ...plan.remembered], lengthOf)) {
    const held = await compareHeld(query, list, batch, checks);
    leaveRemoved(held, checks);
    if (held.updates.length > 0)
      await query(updateStatement(list), [JSON.stringify(held.updates.map(shown)), author.actor, author.traceId]);
    if (held.remembered.length > 0)
      await query(rememberStatement(list), [JSON.stringify(held.remembered.map(({ values }) => values))]);
    written.updated += held.updates.length;
    written.unchanged += batch.length - held.updates.length;
    onRows(batch.length);
  }
}

const shown = ({ values, changed: fields, resets }: Merged): object => ({
  ...values,
  detail: resets.length > 0 ? { fields, resets } : { fields },
});

/** A token that is no record's any more was renewed; any other record was removed by somebody. */
function leaveRemoved({ list, inserts }: Plan, { kept }: ImportChecks): void {
  if (inserts.length > 0 && !list.isInUse)
    throw conflict(`Somebody else removed the record of ${inserts[0]!.row.path} meanwhile: import again.`);
  for (const { row } of inserts) kept.add(row.path, renewedHere);
}

async function insertBatches({ query, plan, author, checks, onRows, written }: Batches): Promise<void> {
  const { list, inserts } = plan;
  await moveSequence(query, plan);
  for (const batch of batchesOf(inserts, lengthOf)) {
    const rows = JSON.stringify(batch.map(({ values }) => values));
    const made = await query<{ subject: string }>(insertStatement(list), [rows, author.actor, author.traceId]);
    written.created += made.length;
    written.unchanged += batch.length - made.length;
    if (made.length < batch.length) reportRenewed(batch, made, checks);
    onRows(batch.length);
  }
  // the planner would otherwise take the table for what it was before, until autovacuum comes by
  if (inserts.length > analyzeRowsMin) await query(`analyze ${list.description.table}`, []);
}

function reportRenewed(batch: Merged[], made: { subject: string }[], { kept }: ImportChecks): void {
  const subjects = new Set(made.map(({ subject }) => subject));
  for (const { row } of batch) if (!subjects.has(String(row.values.tokenGuid))) kept.add(row.path, renewedHere);
}

/** Past the ids that are given, up to `numberedFromMax`, so that no id that is made meets one of them. */
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
  return inserts.reduce((last, { values }) => {
    const id = values[name];
    return typeof id === 'number' && id <= numberedFromMax ? Math.max(last, id) : last;
  }, 0);
}

/** Writes the plan of one list of an import in batches, with the audit events that no trigger writes. */
import { fieldOf, type RecordDescription } from '../../entities/description.js';
import { conflict } from '../../errors.js';
import { type AuditEntry, writeAudit } from '../../services/records/change.js';
import { type Forget, freeValues, type UniqueColumn } from '../../services/records/freeValues.js';
import { recordsWithHistory, subjectKey } from '../changes/history/state.js';
import { type ImportList, namingField } from './importLists.js';
import type { ImportChecks, Merged, Plan } from './importPlan.js';
import { compareLocked } from './plan.js';
import { renewedHere } from './renewalTokens.js';
import { batchesOf, insertRecords, type Query, rememberRecords, renewStatistics, updateRecords } from './statements.js';

/** The number of records written. */
interface Written {
  created: number;
  updated: number;
  unchanged: number;
}

const analyzeRowsMin = 1_000;

/**
 * Numbers above are kept, but the sequence does not continue from them: old systems use the greatest number of a column for
 * special records, after which no record could be created. The reserved access scopes have such numbers too.
 */
const numberedFromMax = 2_000_000_000;

/**
 * Changes come before new records, so that a unique value can move to another record. Records that requests use all the time
 * come last, so that they are locked for the shortest time.
 */
export async function writePlan(
  query: Query,
  plan: Plan,
  checks: ImportChecks,
  onRows: (count: number) => void,
): Promise<Written> {
  const written: Written = { created: 0, updated: 0, unchanged: plan.unchanged };
  const batches = { query, plan, checks, onRows, written };
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
  checks: ImportChecks;
  onRows(count: number): void;
  written: Written;
}

/** Reads again with a lock, right before the change. */
async function updateBatches({ query, plan, checks, onRows, written }: Batches): Promise<void> {
  const { list } = plan;
  const freed = await freeExchanged(query, plan);
  for (const batch of batchesOf([...plan.updates, ...plan.remembered], lengthOf)) {
    const locked = await compareLocked(query, list, batch, checks);
    leaveRemoved(locked, checks);
    if (locked.updates.length > 0) await query(updateRecords(list), [rowsOf(locked.updates)]);
    if (locked.remembered.length > 0) await query(rememberRecords(list), [rowsOf(locked.remembered)]);
    if (isAudited(list))
      await writeAudit(
        query,
        locked.updates.map((merged) => updateEvent(list.description, merged)),
      );
    written.updated += locked.updates.length;
    written.unchanged += batch.length - locked.updates.length;
    onRows(batch.length);
  }
  for (const forget of freed) await forget();
}

/** So that what is unique moves from record to record whatever the order of their rows. */
async function freeExchanged(query: Query, { list, updates }: Plan): Promise<Forget[]> {
  const freed: Forget[] = [];
  for (const name of uniqueTexts(list)) {
    const moving = updates.filter(({ changed }) => changed?.includes(name));
    if (moving.length < 2) continue;
    const keyName = subjectKey(list.description).name;
    const keys = moving.map(({ values }) => String(values[keyName]));
    const wanted = moving.map(({ values }) => values[name]);
    freed.push(await freeValues(query, uniqueColumn(list, name), keys, wanted));
  }
  return freed;
}

/** The texts that no two records of a list share, beside its key. */
export const uniqueTexts = ({ description, uniques, foundByScim }: ImportList): string[] =>
  [...uniques, foundByScim]
    .flatMap((group) => group.at(-1) ?? [])
    .filter((name) => name !== description.primaryKey.name);

export const uniqueColumn = ({ description }: ImportList, name: string): UniqueColumn => ({
  table: description.table,
  column: fieldOf(description.record, name).column,
  key: subjectKey(description).column,
});

const rowsOf = (merged: readonly Merged[]): string => JSON.stringify(merged.map(({ values }) => values));

/** The kind of audit events that are not written by triggers. */
const isAudited = ({ description }: ImportList): boolean => !recordsWithHistory.includes(description.record);

const updateEvent = (description: RecordDescription, { values, changed: fields, resets }: Merged): AuditEntry => ({
  action: 'update',
  subjectType: description.name,
  subjectId: String(values[namingField(description)!.name]),
  detail: resets.length > 0 ? { fields, resets } : { fields },
});

/** A token without a record was renewed; any other missing record was removed by somebody. */
function leaveRemoved({ list, inserts }: Plan, { kept }: ImportChecks): void {
  if (inserts.length > 0 && !list.isInUse)
    throw conflict(`In the meantime somebody else removed the record of ${inserts[0]!.row.path}: import again.`);
  for (const { row } of inserts) kept.add(row.path, renewedHere);
}

async function insertBatches({ query, plan, checks, onRows, written }: Batches): Promise<void> {
  const { list, inserts } = plan;
  await moveSequence(query, plan);
  for (const batch of batchesOf(inserts, lengthOf)) {
    const rows = batch.map(({ values }) => values);
    const created = await query<{ subject: string }>(insertRecords(list, rows), [JSON.stringify(rows)]);
    const subjectType = list.description.name;
    if (isAudited(list))
      await writeAudit(
        query,
        created.map(({ subject }) => ({ action: 'create', subjectType, subjectId: subject })),
      );
    written.created += created.length;
    written.unchanged += batch.length - created.length;
    if (created.length < batch.length) reportRenewed(batch, created, checks);
    onRows(batch.length);
  }
  if (inserts.length > analyzeRowsMin) await query(renewStatistics(list), []);
}

function reportRenewed(batch: Merged[], created: { subject: string }[], { kept }: ImportChecks): void {
  const subjects = new Set(created.map(({ subject }) => subject));
  for (const { row } of batch) if (!subjects.has(String(row.values.tokenGuid))) kept.add(row.path, renewedHere);
}

/**
 * Moves the sequence behind the imported ids, at most to `numberedFromMax`, so that generated ids never collide with them.
 */
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

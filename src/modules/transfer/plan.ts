/** Compares an import file with the database: new records, and changed fields of existing ones. */
import type { FieldDescription } from '../../entities/description.js';
import type { Faults } from './findings.js';
import type { ImportList } from './importLists.js';
import type { ImportChecks, Merged, Plan } from './importPlan.js';
import { importMemoryOf, preserveLocalChanges } from './keptValues.js';
import type { ImportRow, Scalar } from './readRows.js';
import { addMissing, joined, keyOf } from './references.js';
import { checkMerged } from './rowRules.js';
import { batchesOf, propertiesOf, type Query, selectBy, type Values } from './statements.js';

const emptyPlan = (list: ImportList): Plan => ({ list, inserts: [], updates: [], remembered: [], unchanged: 0 });

/** Also reports faults that only the database can show. Locks no record: others may change them until they are written. */
export async function planList(
  query: Query,
  list: ImportList,
  keyed: Map<string, ImportRow>,
  checks: ImportChecks,
  onRows: (count: number) => void,
): Promise<Plan> {
  const plan = emptyPlan(list);
  for (const rows of batchesOf([...keyed.values()], ({ length }) => length)) {
    const existing = await readExisting(query, list, list.foundBy, rows, false);
    for (const row of rows) addToPlan(plan, row, existing.get(joined(list.foundBy, row.values)), checks);
    onRows(rows.length);
  }
  for (const unique of list.uniques) await checkUnique(query, plan, unique, checks.faults);
  checkMerged(plan, checks);
  return plan;
}

/**
 * The plan for records that will be changed, read with locks that last until the end of the import. A record among the new
 * ones was removed at the same time.
 */
export async function compareLocked(
  query: Query,
  list: ImportList,
  merged: readonly Merged[],
  checks: ImportChecks,
): Promise<Plan> {
  const plan = emptyPlan(list);
  const rows = merged.map(({ row }) => row);
  const existing = await readExisting(query, list, list.foundBy, rows, true);
  for (const row of rows) addToPlan(plan, row, existing.get(joined(list.foundBy, row.values)), checks);
  checkMerged(plan, checks);
  checks.faults.require();
  return plan;
}

type Existing = Record<string, Scalar>;

async function readExisting(
  query: Query,
  list: ImportList,
  by: readonly string[],
  rows: readonly { values: Values }[],
  lock: boolean,
): Promise<Map<string, Existing>> {
  const keys = rows.map(({ values }) => Object.fromEntries(by.map((name) => [name, values[name]])));
  const records = await query<Existing>(selectBy(list, by, lock), [JSON.stringify(keys)]);
  return new Map(records.map((record) => [joined(by, record), record]));
}

function addToPlan(plan: Plan, row: ImportRow, existing: Existing | undefined, checks: ImportChecks): void {
  const { list } = plan;
  if (!existing) {
    for (const name of requiredNames(list))
      if (row.values[name] === undefined) addMissing(list, row, name, checks.faults);
    const values = { ...row.values, ...importMemoryOf(list.name, row.values) };
    plan.inserts.push({ row, values, changed: undefined, resets: [] });
    return;
  }
  const { values, resets } = preserveLocalChanges(list.name, row, existing, checks);
  const listed = { path: row.path, values };
  const changed = propertiesOf(list).filter((field) => differs(field, listed, existing, checks.faults));
  changed.push(...findNewManager(list, listed, existing, checks));
  const merged = { row, values: merge(values, existing), changed: changed.map(({ name }) => name), resets };
  if (changed.length > 0) plan.updates.push(merged);
  else if (hasNewMemory(list, values, existing)) plan.remembered.push(merged);
  // an existing record needs nothing else: the key names it
  else plan.unchanged++;
}

/** The field that says who manages the record, if the file takes it over. A file takes it from another only with --take-over. */
function findNewManager(
  { memory }: ImportList,
  { path, values }: { path: string; values: Values },
  { managedBy: manager }: Existing,
  { faults, takesOver }: ImportChecks,
): FieldDescription[] {
  const { managedBy } = values;
  if (managedBy === undefined || managedBy === manager) return [];
  if (manager !== null && !takesOver) faults.add(path, 'is managed by another file; --take-over takes it over');
  return memory.filter(({ name }) => name === 'managedBy');
}

/** A record without imported values stays so until the file changes it, so an import of unchanged data writes nothing. */
const hasNewMemory = ({ memory }: ImportList, values: Values, existing: Existing): boolean =>
  memory.some(({ name }) => existing[name] !== null && values[name] !== undefined && values[name] !== existing[name]);

/** Whether a new record needs it from the file. */
export const isRequired = ({ nullable, default: fallback, primary: isKey, type }: FieldDescription): boolean =>
  !nullable && fallback === undefined && !(isKey && type !== 'string');

function requiredNames({ fields, references }: ImportList): string[] {
  return [...fields.filter(isRequired), ...references.map(({ field }) => field)].map(({ name }) => name);
}

function differs(
  field: FieldDescription,
  { path, values }: Pick<Merged, 'values'> & { path: string },
  existing: Existing,
  faults: Faults,
): boolean {
  const { name } = field;
  const value = values[name];
  const stored = existing[name]!;
  if (value === undefined || value === stored) return false;
  if (field.primary) {
    faults.add(`${path}.${name}`, `is ${stored} in the database`);
    return false;
  }
  // an unknown value is not a change: a change made here stays
  if (value === null && (name === 'modifiedDate' || name === 'modifiedBy')) return false;
  return name !== 'lastLoginDate' || !isEarlier(value, stored);
}

/** Whether there was a sign-in later than that of the file. */
const isEarlier = (listed: Scalar | undefined, stored: Scalar | undefined): boolean =>
  stored != null && (listed == null || listed <= stored);

function merge(listed: Values, existing: Existing): Values {
  const { modifiedDate = null, modifiedBy = null } = listed;
  const merged = { ...existing, ...listed, modifiedDate, modifiedBy };
  // a sign-in since is later than the file's
  return isEarlier(listed.lastLoginDate, existing.lastLoginDate)
    ? { ...merged, lastLoginDate: existing.lastLoginDate }
    : merged;
}

/** No two records share the values of the group, within the file or with others in the database. */
async function checkUnique(query: Query, { list, inserts, updates }: Plan, group: string[], faults: Faults) {
  const isComplete = ({ values }: Merged) => group.every((name) => values[name] !== undefined && values[name] !== null);
  const merged = [...inserts, ...updates.filter(({ changed }) => group.some((name) => changed?.includes(name)))];
  const candidates = merged.filter(isComplete);
  const property = group.at(-1);
  const firsts = new Map<string, Merged>();
  for (const candidate of candidates) {
    const value = joined(group, candidate.values);
    const first = firsts.get(value);
    if (first) faults.add(`${candidate.row.path}.${property}`, `is the same as in ${first.row.path}`);
    else firsts.set(value, candidate);
  }
  const moved = new Set(updates.map(({ values }) => keyOf(list, values)));
  for (const batch of batchesOf(candidates)) {
    const owners = await readExisting(query, list, group, batch, false);
    for (const { row, values } of batch) {
      const owner = owners.get(joined(group, values));
      if (owner && keyOf(list, owner) !== keyOf(list, values) && !moved.has(keyOf(list, owner)))
        faults.add(`${row.path}.${property}`, "is another record's in the database");
    }
  }
}

/** What an import would do to the records of one list: which it makes, which it changes, and in what. */
import type { FieldDescription } from '../entities/fields.js';
import type { Faults } from './importFaults.js';
import type { ImportList } from './importLists.js';
import { addMissing, joined, keyOf } from './importReferences.js';
import type { ImportRow, Scalar } from './importRows.js';
import { batchesOf, propertiesOf, type Query, selectBy, type Values } from './importSql.js';

/** A record as it will be. */
export interface Merged {
  row: ImportRow;
  values: Values;
  /** Names of the fields that differ; undefined for a new record. */
  changed: string[] | undefined;
}

export interface Plan {
  list: ImportList;
  inserts: Merged[];
  updates: Merged[];
  unchanged: number;
}

/** Also tells the faults that only the database shows. */
export async function compare(
  query: Query,
  list: ImportList,
  keyed: Map<string, ImportRow>,
  faults: Faults,
  onRows: (count: number) => void,
): Promise<Plan> {
  const plan: Plan = { list, inserts: [], updates: [], unchanged: 0 };
  for (const rows of batchesOf([...keyed.values()])) {
    const existing = await readExisting(query, list, list.key, rows, true);
    for (const row of rows) addToPlan(plan, row, existing.get(keyOf(list, row.values)), faults);
    onRows(rows.length);
  }
  for (const unique of list.uniques) await checkUnique(query, plan, unique, faults);
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
  const wanted = rows.map(({ values }) => Object.fromEntries(by.map((name) => [name, values[name]])));
  const found = await query<Existing>(selectBy(list, by, lock), [JSON.stringify(wanted)]);
  return new Map(found.map((record) => [joined(by, record), record]));
}

function addToPlan(plan: Plan, row: ImportRow, existing: Existing | undefined, faults: Faults): void {
  const { list } = plan;
  if (!existing) {
    for (const name of requiredNames(list)) if (row.values[name] === undefined) addMissing(list, row, name, faults);
    plan.inserts.push({ row, values: row.values, changed: undefined });
    return;
  }
  const changed = propertiesOf(list).filter((field) => differs(field, row, existing, faults));
  // nothing else to say of a record that is there: the key names it
  if (changed.length === 0) plan.unchanged++;
  else plan.updates.push(merge(row, existing, changed));
}

function requiredNames({ fields, references }: ImportList): string[] {
  const required = fields.filter(
    ({ name, nullable, default: fallback, primary: isKey, type }) =>
      !nullable && fallback === undefined && name !== 'createdBy' && !(isKey && type !== 'string'),
  );
  return [...required, ...references.map(({ field }) => field)].map(({ name }) => name);
}

function differs(field: FieldDescription, { path, values }: ImportRow, existing: Existing, faults: Faults): boolean {
  const { name } = field;
  const given = values[name];
  const stored = existing[name]!;
  if (given === undefined || given === stored) return false;
  if (field.primary) {
    faults.add(`${path}.${name}`, `is ${stored} in the database`);
    return false;
  }
  // not known is not a change: what was changed here since stays so
  if (given === null && (name === 'modifiedDate' || name === 'modifiedBy')) return false;
  // a sign-in since is later than the file's
  return name !== 'lastLoginDate' || stored === null || (given !== null && given > stored);
}

function merge(row: ImportRow, existing: Existing, changed: FieldDescription[]): Merged {
  const { modifiedDate = null, modifiedBy = null } = row.values;
  const values: Values = { ...existing, ...row.values, modifiedDate, modifiedBy };
  return { row, values, changed: changed.map(({ name }) => name) };
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

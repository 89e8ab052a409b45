/** Compares an import file with the database: new records, and changed fields of existing ones. */
import type { FieldDescription, RecordDescription } from '../../entities/description.js';
import { endHasPassed } from '../../services/access/grants.js';
import { everyKey, everyKeyRule, findTextFlaw } from '../../services/access/scopeEntry.js';
import {
  findNumberProblem,
  findScopeProblem,
  findTypeNameProblem,
  type ScopeOfType,
} from '../../services/adminScopes/guard.js';
import { clientTextRules, findKeysProblem } from '../../services/people/clients.js';
import { importMemoryOf, type Keeping, preserveLocalChanges } from './keptValues.js';
import {
  type Faults,
  type Findings,
  type ImportList,
  type ImportRow,
  type ListRows,
  listOfTable,
  type Reference,
  type Scalar,
} from './parseRows.js';
import { batchesOf, propertiesOf, type Query, selectBy, type Values } from './statements.js';

/** A record with its new values. */
export interface Merged {
  row: ImportRow;
  values: Values;
  /** Names of the fields that differ; undefined for a new record. */
  changed: string[] | undefined;
  /** Names of the fields in which the file replaces a change that was made in Gatehouse. */
  resets: string[];
}

export interface Plan {
  list: ImportList;
  inserts: Merged[];
  updates: Merged[];
  /** Unchanged records, for which only the last imported values are stored. */
  remembered: Merged[];
  unchanged: number;
}

/** The input of an import's checks, and their reports. */
export interface ImportChecks extends Keeping {
  faults: Faults;
  /** Values that are accepted although they would be refused in new records. */
  warnings: Findings;
  /** Whether the file is the catalogue's source in git, where values that only old systems have are refused. */
  isManaged?: boolean;
  /** Whether to take over records that another file manages. */
  takesOver?: boolean;
  /** The audiences that tokens may have. */
  audiences: readonly string[];
  /** Undefined, or why users without an idpname can't sign in. */
  withoutIdpname: string | undefined;
}

/**
 * Checks the references of an import: no two rows name the same record, and each named record is in the file or the
 * database.
 */

/** One text for all the properties, which contain no NUL. */
const joined = (names: readonly string[], values: Values): string => names.map((name) => values[name]).join('\0');
export const keyOf = ({ key }: ImportList, values: Values): string => joined(key, values);

/** Replaces numbers that name other rows by guids. */
export async function resolveNumbers(query: Query, lists: ListRows[], faults: Faults): Promise<void> {
  for (const { list, rows } of lists) {
    for (const reference of list.references.filter(({ byNumber }) => byNumber)) {
      const numbered = rows.filter(({ numbers }) => reference.own.name in numbers);
      if (numbered.length > 0) await resolve(query, reference, numbered, rowsOf(lists, reference), faults);
    }
  }
}

const rowsOf = (lists: ListRows[], { target }: Reference): ImportRow[] =>
  lists.find(({ list }) => list === listOfTable(target))?.rows ?? [];

async function resolve(
  query: Query,
  { field, own, target }: Reference,
  rows: ImportRow[],
  inFile: ImportRow[],
  faults: Faults,
): Promise<void> {
  const { primaryKey, table } = target;
  const referenced = await query<{ number: number; name: string }>(
    `select ${primaryKey.column} as number, ${field.column} as name from ${table} where ${primaryKey.column} = any($1)`,
    [rows.map(({ numbers }) => numbers[own.name])],
  );
  const names = new Map(referenced.map(({ number, name }) => [number, name]));
  for (const { values } of inFile) {
    const number = values[primaryKey.name];
    if (typeof number === 'number') names.set(number, values[field.name] as string);
  }
  for (const { path, values, numbers } of rows) {
    const name = names.get(numbers[own.name]!);
    if (name === undefined) faults.add(`${path}.${own.name}`, `is the number of no ${target.name}`);
    else if (values[field.name] !== undefined && values[field.name] !== name)
      faults.add(`${path}.${own.name}`, `is not the number of the ${field.name}`);
    else values[field.name] = name;
  }
}

/** The rows whose key is complete and unique in the file. */
export function keyRows({ list, rows }: ListRows, faults: Faults): Map<string, ImportRow> {
  const keyed = new Map<string, ImportRow>();
  for (const row of rows) {
    if (!hasKey(list, row, faults)) continue;
    const key = keyOf(list, row.values);
    const first = keyed.get(key);
    const property = 'tokenSha256' in row.extras ? 'tokenSha256' : list.key.at(-1);
    if (first) faults.add(`${row.path}.${property}`, `names the same record as ${first.path}`);
    else keyed.set(key, row);
  }
  return keyed;
}

function hasKey(list: ImportList, row: ImportRow, faults: Faults): boolean {
  const missing = list.key.filter((name) => row.values[name] === undefined);
  for (const name of missing) addMissing(list, row, name, faults);
  return missing.length === 0;
}

/** Unless the value that replaces it has already been refused. */
function addMissing({ references, extras }: ImportList, { path }: ImportRow, name: string, faults: Faults) {
  const own = references.find(({ field }) => field.name === name)?.own.name;
  const named = [name, own, ...(extras.includes(name) ? extras : [])];
  if (!named.some((property) => faults.has(`${path}.${property}`))) faults.add(`${path}.${name}`, 'is required');
}

/** Every reference must name a row of the file or a record of the database. */
export async function checkReferences(
  query: Query,
  { list, rows }: ListRows,
  keyed: Map<ImportList, Map<string, ImportRow>>,
  faults: Faults,
): Promise<void> {
  for (const { field, target } of list.references) {
    const inFile = keyed.get(listOfTable(target));
    const isKnown = await existenceCheck(query, target, field, new Set(namesIn(rows, field.name)), inFile);
    for (const { path, values } of rows) {
      const name = values[field.name];
      if (name !== undefined && !isKnown(name))
        faults.add(`${path}.${field.name}`, `refers to no ${target.name}, neither in the file nor in the database`);
    }
  }
}

function* namesIn(rows: ImportRow[], property: string): Generator<Scalar> {
  for (const { values } of rows) {
    const name = values[property];
    if (name !== undefined) yield name;
  }
}

/** Returns a check of which names exist. */
export async function existenceCheck(
  query: Query,
  { table }: RecordDescription,
  { column }: FieldDescription,
  names: Set<Scalar>,
  inFile: ReadonlyMap<string, unknown> | undefined,
): Promise<(name: Scalar) => boolean> {
  const unlisted = [...names].filter((name) => !inFile?.has(String(name)));
  const existing = new Set<Scalar>();
  for (const batch of batchesOf(unlisted)) {
    const rows = await query<{ name: string }>(`select ${column} as name from ${table} where ${column} = any($1)`, [
      batch,
    ]);
    for (const { name } of rows) existing.add(name);
  }
  return (name) => existing.has(name) || (inFile?.has(String(name)) ?? false);
}

/** Rules of single lists of an import file, for the new values of records: access scope types and access scopes. */

/** Checks the records that are created or changed, by their new values. */
function checkMerged({ list, inserts, updates }: Plan, checks: MergeChecks): void {
  const check = mergedRules[list.name];
  if (check) for (const merged of [...inserts, ...updates]) check(merged, checks);
}

type MergeChecks = Pick<ImportChecks, 'now' | 'faults' | 'warnings' | 'isManaged' | 'audiences' | 'withoutIdpname'>;

/** Only for new records: existing ones keep their numbers. */
function checkNumber({ row, values, changed }: Merged, name: string, faults: Faults): void {
  const problem = changed === undefined ? findNumberProblem(values[name] as number | undefined) : undefined;
  if (problem) faults.add(`${row.path}.${name}`, problem);
}

/** The text of a field that is new or changed: what is stored already may be older than a rule. */
function newText({ values, changed }: Merged, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' && (changed === undefined || changed.includes(name)) ? value : undefined;
}

/** Invisible characters are refused; white space, quotes and backslashes may come from an old system. */
function checkText(merged: Merged, name: string, { faults, warnings }: MergeChecks): void {
  const text = newText(merged, name);
  const flaw = text === undefined ? undefined : findTextFlaw(text);
  const path = `${merged.row.path}.${name}`;
  if (flaw === 'unseen') faults.add(path, 'must not contain control, format or other invisible characters');
  if (flaw === 'unfit')
    warnings.add(
      path,
      'has white space, a quote or a backslash: appears only in the `scopes` array, not in a `scope` text',
    );
}

/** Scopes of an old system are accepted, and issued as before. */
function checkEveryKey({ row, values, changed }: Merged, { faults, warnings, isManaged }: MergeChecks): void {
  const isNew = changed?.some((name) => name === 'accessScopeKey' || name === 'accessScopeTypeGuid') ?? true;
  if (values.accessScopeKey !== everyKey || !isNew) return;
  const path = `${row.path}.accessScopeKey`;
  if (isManaged) faults.add(path, everyKeyRule);
  else
    warnings.add(
      path,
      `is ${everyKey}, which APIs read as every scope of the type; give it another key, or set isWildcard`,
    );
}

const mergedRules: Record<string, (merged: Merged, checks: MergeChecks) => void> = {
  users({ row, values, changed }, { warnings, withoutIdpname }) {
    const isNew = changed === undefined || changed.includes('idpname');
    if (withoutIdpname !== undefined && isNew && (values.idpname ?? null) === null)
      warnings.add(`${row.path}.idpname`, `is not set: ${withoutIdpname}`);
  },
  clients(merged, { faults, audiences }) {
    const keys = findKeysProblem(merged.values);
    if (keys) faults.add(`${merged.row.path}.${keys.field}`, keys.problem);
    for (const [name, findProblem] of Object.entries(clientTextRules)) {
      const text = newText(merged, name);
      const problem = text === undefined ? undefined : findProblem(text, audiences);
      if (problem) faults.add(`${merged.row.path}.${name}`, problem);
    }
  },
  userProfiles(merged, { faults, now }) {
    const end = newText(merged, 'validUntil');
    if (end !== undefined && end <= now) faults.add(`${merged.row.path}.validUntil`, endHasPassed);
  },
  accessScopeTypes(merged, checks) {
    const { faults } = checks;
    checkNumber(merged, 'accessScopeTypeId', faults);
    const name = newText(merged, 'name');
    const problem = name !== undefined && findTypeNameProblem(String(merged.values.accessScopeTypeGuid), name);
    if (problem) faults.add(`${merged.row.path}.name`, problem);
    else checkText(merged, 'name', checks);
  },
  accessScopes(merged, checks) {
    const { faults } = checks;
    checkNumber(merged, 'accessScopeId', faults);
    const problem = findScopeProblem(merged.values as unknown as ScopeOfType);
    if (problem) faults.add(`${merged.row.path}.${problem.field}`, problem.problem);
    else {
      checkText(merged, 'accessScopeKey', checks);
      checkEveryKey(merged, checks);
    }
  },
};

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

/** Checks the references of an import: no two rows name the same record, and each named record is in the file or the database. */
import { describe, type FieldDescription, fieldOf, type RecordDescription } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import type { Faults } from './findings.js';
import { type ImportList, listOfTable, type Reference } from './importLists.js';
import type { ImportChecks, Plan } from './importPlan.js';
import type { ImportRow, ListRows, Scalar } from './readRows.js';
import { batchesOf, type Query, type Values } from './statements.js';

/** One text for all the properties, which contain no NUL. */
export const joined = (names: readonly string[], values: Values): string =>
  names.map((name) => values[name]).join('\0');
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
export function addMissing({ references, extras }: ImportList, { path }: ImportRow, name: string, faults: Faults) {
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

/**
 * A new owner must be a profile. The owner of an old record may have been removed, so an import of another system's records says so,
 * and a file in git is refused.
 */
export async function checkOwners(
  query: Query,
  { inserts, updates }: Plan,
  profilesInFile: ReadonlyMap<string, unknown> | undefined,
  { faults, warnings, isManaged, leavingProfiles }: ImportChecks,
): Promise<void> {
  const owned = [...inserts, ...updates].filter(
    ({ values, changed }) => values.ownerProfileId != null && (changed?.includes('ownerProfileId') ?? true),
  );
  if (owned.length === 0) return;
  const names = new Set(owned.map(({ values }) => values.ownerProfileId!));
  const isProfile = await existenceCheck(
    query,
    describe(Profile),
    fieldOf(Profile, 'profileId'),
    names,
    profilesInFile,
  );
  for (const { row, values } of owned) {
    const owner = values.ownerProfileId!;
    const path = `${row.path}.ownerProfileId`;
    if (leavingProfiles?.has(String(owner))) faults.add(path, 'refers to a Profile that --prune removes');
    else if (!isProfile(owner))
      (isManaged ? faults : warnings).add(path, 'refers to no Profile, neither in the file nor in the database');
  }
}

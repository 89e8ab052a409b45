/** What a transaction changed, record by record, in the words of the import file: from the versions that triggers wrote of it. */
import type { Context } from '../../context.js';
import { describe, type FieldDescription } from '../../entities/description.js';
import type { Columns } from '../changes/undone.js';
import { type ImportList, importLists, type Reference } from '../transfer/fileLists.js';
import type { ListRows, Scalar } from '../transfer/parseRows.js';
import { keyOf } from '../transfer/references.js';
import type { Values } from '../transfer/statements.js';
import type { FieldDifference } from './fieldDifference.js';
import { type LinkChange, readLinkChanges, scopesField } from './linkChanges.js';
import { readVersions, type Version } from './versions.js';

export interface RecordChange {
  /** The list of the import file. */
  list: string;
  action: 'create' | 'update' | 'remove';
  /** The properties that name the record. */
  key: Record<string, Scalar>;
  /** What people call it, where it has a name. */
  name: string | null;
  fields: FieldDifference[];
}

/** The change with what it is made of. */
export interface ReadChange extends RecordChange {
  recordKey: string;
  before: Columns | null;
  after: Columns | null;
  links: LinkChange[];
}

/** Of the transaction under way, in the order of the lists and of the keys. */
export async function readRecordChanges(inside: Context, lists: readonly ListRows[]): Promise<ReadChange[]> {
  const versions = await readVersions(inside);
  const names = await readNames(inside, versions);
  const links = await readLinkChanges(inside, versions);
  const changes: ReadChange[] = [];
  for (const list of importLists.filter(({ isManageable }) => isManageable)) {
    const { table } = list.description;
    const rows = lists.find((each) => each.list === list)!.rows;
    const given = new Map(rows.map(({ values }) => [keyOf(list, values), namesGiven(values)]));
    const own = versions.filter((version) => version.table === table);
    const linked = list.name === 'profiles' ? links : new Map<string, LinkChange[]>();
    const found = own.map((version) => changeOf(list, version, names, given, linked.get(version.key) ?? []));
    changes.push(...found.filter(({ action, fields }) => action !== 'update' || fields.length > 0).sort(byKey));
  }
  return changes;
}

/** Null is said of a record that was never changed: its stamps are then those of this change, as if it said nothing. */
const namesGiven = (values: Values): Set<string> =>
  new Set(Object.keys(values).filter((name) => values[name] !== null));

/** By code units: the same everywhere. */
const byKey = (one: RecordChange, other: RecordChange): number =>
  JSON.stringify(one.key) < JSON.stringify(other.key) ? -1 : 1;

/** The guids of the records that others name by number, those that went too. */
type Names = Map<Reference['target'], Map<number, string>>;

async function readNames({ sql }: Context, versions: readonly Version[]): Promise<Names> {
  const wanted = new Map<Reference['target'], { field: FieldDescription; numbers: Set<number> }>();
  for (const { table, before, after } of versions)
    for (const { own, target, field } of numbered(importLists.find((each) => each.description.table === table)))
      for (const columns of [before, after]) {
        const entry = wanted.get(target) ?? { field, numbers: new Set() };
        wanted.set(target, entry);
        if (columns) entry.numbers.add(Number(columns[own.column]));
      }
  const names: Names = new Map();
  for (const [target, { field, numbers }] of wanted) {
    const rows = await sql.rows<{ number: number; name: string }>(
      `select ${target.primaryKey.column} as number, ${field.column} as name from ${target.table}
       where ${target.primaryKey.column} = any($1::int[])`,
      [[...numbers]],
    );
    const known = new Map(rows.map(({ number, name }) => [number, name]));
    for (const { table, before } of versions)
      if (table === target.table && before)
        known.set(Number(before[target.primaryKey.column]), String(before[field.column]));
    names.set(target, known);
  }
  return names;
}

const numbered = (list: ImportList | undefined): Reference[] => list?.references.filter((each) => each.byNumber) ?? [];

function changeOf(
  list: ImportList,
  { key: recordKey, before, after }: Version,
  names: Names,
  given: ReadonlyMap<string, ReadonlySet<string>>,
  links: LinkChange[],
): ReadChange {
  const was = before && valuesOf(list, before, names);
  const is = after && valuesOf(list, after, names);
  const known = (is ?? was)!;
  const fields = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])]
    .filter((field) => !isIncidental(list, field) || given.get(keyOf(list, known))?.has(field))
    .map((field) => ({ field, before: was?.[field] ?? null, after: is?.[field] ?? null }))
    .filter((each) => each.before !== each.after);
  return {
    list: list.name,
    action: before === null ? 'create' : after === null ? 'remove' : 'update',
    key: Object.fromEntries(list.key.map((name) => [name, known[name]!])),
    name: typeof known.name === 'string' ? known.name : null,
    fields: [...fields, ...scopesField(links)],
    recordKey,
    before,
    after,
    links,
  };
}

const stamps = new Set(['createdDate', 'createdBy', 'modifiedDate', 'modifiedBy']);
/** Numbers and stamps are the database's own, another one each time, unless the file gives them. */
const isIncidental = ({ description: { primaryKey } }: ImportList, field: string): boolean =>
  stamps.has(field) || (field === primaryKey.name && primaryKey.type !== 'string');

/** The properties of the file, and who manages the record. */
function valuesOf({ fields, references, memory }: ImportList, columns: Columns, names: Names): Record<string, Scalar> {
  const own = [...fields, ...memory].map((field) => [field.name, scalarOf(field, columns[field.column])]);
  const others = references.map(({ field, own: { column }, byNumber, target }) => [
    field.name,
    byNumber ? (names.get(target)?.get(Number(columns[column])) ?? null) : columns[column],
  ]);
  return Object.fromEntries([...own, ...others]);
}

function scalarOf({ type }: FieldDescription, value: unknown): Scalar {
  if (value === undefined || value === null) return null;
  return type === 'dateTime' ? new Date(String(value)).toISOString() : (value as Scalar);
}

/** The column that holds a property of the list. */
export function columnOf(list: ImportList, property: string): string {
  const reference = list.references.find(({ field }) => field.name === property);
  if (reference) return reference.own.column;
  return describe(list.description.record).fields.find((field) => field.name === property)!.column;
}

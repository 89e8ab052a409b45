/** Finds the changes that a managed file makes to records, and changes made by hand since. */
import type { Context } from '../../context.js';
import { describe, type FieldDescription } from '../../entities/description.js';
import { stamps } from '../../entities/Stamped.js';
import { ownChangeSet } from '../../services/execute.js';
import { fullName } from '../../services/fullName.js';
import type { Columns } from '../../services/records/writeRecords.js';
import { timeText } from '../../sql.js';
import { mergeVersions, type Version, versionColumns } from '../changes/undo.js';
import { type ImportList, importLists, listNamed, type Reference } from '../transfer/importLists.js';
import type { ListRows, Scalar } from '../transfer/readRows.js';
import { keyOf } from '../transfer/references.js';
import type { Values } from '../transfer/statements.js';

/** A field of a planned change, before and after. */
export interface FieldDifference {
  /** The property of the import file. */
  field: string;
  before: Scalar | string[];
  after: Scalar | string[];
}

/** The versions of the current transaction, one for each record; without records that were created and removed. */
async function readVersions({ sql }: Context): Promise<Version[]> {
  const rows = await sql.rows<Version>(
    `select ${versionColumns} from record_versions
     where change_set_id = ${ownChangeSet} order by record_version_id`,
  );
  return mergeVersions(rows).filter(({ before, after }) => before !== null || after !== null);
}

/** A change of a link of a profile to an access scope, which a file gives as a property of the profile. */
interface LinkChange {
  profileId: string;
  accessScopeId: number;
  accessScopeGuid: string;
  isAdded: boolean;
  /** The end before and after; null: none. */
  ends: { before: unknown; after: unknown };
  /** Whether only the end changes. */
  isOnlyEnd: boolean;
  /** All links of the profile as they are now. */
  present: string[];
}

/** Those of the current transaction, by profile. */
async function readLinkChanges({ sql }: Context, versions: readonly Version[]): Promise<Map<string, LinkChange[]>> {
  const changed = versions.filter(({ table }) => table === 'profile_access_scopes');
  const columnsOf = ({ before, after }: Version) => (after ?? before)!;
  const profileIds = [...new Set(changed.map((version) => String(columnsOf(version).profile_id)))];
  const scopeIds = changed.map((version) => Number(columnsOf(version).access_scope_id));
  const guids = new Map<number, string>();
  for (const { table, before } of versions)
    if (table === 'access_scopes' && before)
      guids.set(Number(before.access_scope_id), String(before.access_scope_guid));
  const scopes = await sql.rows<{ id: number; guid: string }>(
    'select access_scope_id as id, access_scope_guid::text as guid from access_scopes where access_scope_id = any($1::int[])',
    [scopeIds],
  );
  for (const { id, guid } of scopes) guids.set(id, guid);
  const present = await sql.rows<{ profileId: string; guids: string[] }>(
    `select profile_id as "profileId", array_agg(access_scope_guid::text order by access_scope_guid::text collate "C") as guids
     from profile_access_scopes join access_scopes using (access_scope_id) where profile_id = any($1::text[])
     group by profile_id`,
    [profileIds],
  );
  const now = new Map(present.map((profile) => [profile.profileId, profile.guids]));
  const links = changed.map((version) => {
    const { profile_id, access_scope_id } = columnsOf(version);
    return {
      profileId: String(profile_id),
      accessScopeId: Number(access_scope_id),
      accessScopeGuid: guids.get(Number(access_scope_id))!,
      isAdded: version.after !== null,
      isOnlyEnd: version.before !== null && version.after !== null,
      ends: { before: version.before?.valid_until ?? null, after: version.after?.valid_until ?? null },
      present: now.get(String(profile_id)) ?? [],
    };
  });
  return Map.groupBy(links, ({ profileId }) => profileId);
}

/** The ends that change: guids of access scopes, each with its end. */
function endsField(links: readonly LinkChange[]): FieldDifference[] {
  const changed = links.filter(({ ends }) => ends.before !== ends.after);
  if (changed.length === 0) return [];
  const side = (name: 'before' | 'after') =>
    changed
      .filter(({ ends }) => ends[name] !== null)
      .map(({ accessScopeGuid, ends }) => `${accessScopeGuid} ${new Date(String(ends[name])).toISOString()}`)
      .sort();
  return [{ field: 'accessScopeEnds', before: side('before'), after: side('after') }];
}

/** The list of access scopes if it changes, whole before and after. */
function listField(all: readonly LinkChange[]): FieldDifference[] {
  const links = all.filter(({ isOnlyEnd }) => !isOnlyEnd);
  if (links.length === 0) return [];
  const after = links[0]!.present;
  const added = new Set(links.filter(({ isAdded }) => isAdded).map(({ accessScopeGuid }) => accessScopeGuid));
  const removed = links.filter(({ isAdded }) => !isAdded).map(({ accessScopeGuid }) => accessScopeGuid);
  const before = [...after.filter((guid) => !added.has(guid)), ...removed].sort();
  return [{ field: 'accessScopeGuids', before, after }];
}

/** A change of a record, in the form of the import file. */
export interface RecordChange {
  /** The list of the import file. */
  list: string;
  action: 'create' | 'update' | 'remove';
  /** The properties that name the record. */
  key: Record<string, Scalar>;
  /** The display name, if the record has one. */
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

/** Reads the changes of the current transaction from the versions that triggers wrote, in the order of the lists and the keys. */
export async function readRecordChanges(inside: Context, lists: readonly ListRows[]): Promise<ReadChange[]> {
  const versions = await readVersions(inside);
  const names = await readNames(inside, versions);
  const links = await readLinkChanges(inside, versions);
  const changes: ReadChange[] = [];
  for (const list of importLists.filter(({ isManageable }) => isManageable)) {
    const { table } = list.description;
    const rows = lists.find((listed) => listed.list === list)!.rows;
    const listedFields = new Map(rows.map(({ values }) => [keyOf(list, values), listedNames(values)]));
    const own = versions.filter((version) => version.table === table);
    const linked = list.name === 'profiles' ? links : new Map<string, LinkChange[]>();
    const listChanges: ReadChange[] = [];
    for (const version of own) {
      // lets other requests run between the parts of a long file
      if (listChanges.length % 500 === 499) await new Promise(setImmediate);
      listChanges.push(changeOf(list, version, names, listedFields, linked.get(version.key) ?? []));
    }
    changes.push(...listChanges.filter(({ action, fields }) => action !== 'update' || fields.length > 0).sort(byKey));
  }
  return changes;
}

/** Null means that the record was never changed: its stamps are then those of this change, as for an absent value. */
const listedNames = (values: Values): Set<string> =>
  new Set(Object.keys(values).filter((name) => values[name] !== null));

/** Orders by code units, which is the same everywhere. */
const byKey = (one: RecordChange, other: RecordChange): number =>
  JSON.stringify(one.key) < JSON.stringify(other.key) ? -1 : 1;

/** The guids of the records that others name by number, including removed ones. */
type Names = Map<Reference['target'], Map<number, string>>;

async function readNames({ sql }: Context, versions: readonly Version[]): Promise<Names> {
  const references = new Map<Reference['target'], { field: FieldDescription; numbers: Set<number> }>();
  for (const { table, before, after } of versions) {
    const list = importLists.find((candidate) => candidate.description.table === table);
    for (const { own, target, field } of list?.references.filter(({ byNumber }) => byNumber) ?? []) {
      const entry = references.get(target) ?? { field, numbers: new Set() };
      references.set(target, entry);
      for (const columns of [before, after]) if (columns) entry.numbers.add(Number(columns[own.column]));
    }
  }
  const names: Names = new Map();
  for (const [target, { field, numbers }] of references) {
    const rows = await sql.rows<{ number: number; name: string }>(
      `select ${target.primaryKey.column} as number, ${field.column} as name from ${target.table}
       where ${target.primaryKey.column} = any($1::int[])`,
      [[...numbers]],
    );
    const namesByNumber = new Map(rows.map(({ number, name }) => [number, name]));
    for (const { table, before } of versions)
      if (table === target.table && before)
        namesByNumber.set(Number(before[target.primaryKey.column]), String(before[field.column]));
    names.set(target, namesByNumber);
  }
  return names;
}

function changeOf(
  list: ImportList,
  { key: recordKey, before, after }: Version,
  names: Names,
  listedFields: ReadonlyMap<string, ReadonlySet<string>>,
  links: LinkChange[],
): ReadChange {
  const was = before && valuesOf(list, before, names);
  const is = after && valuesOf(list, after, names);
  const record = (is ?? was)!;
  const fields = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])]
    .filter((field) => !isIncidental(list, field) || listedFields.get(keyOf(list, record))?.has(field))
    .map((field) => ({ field, before: was?.[field] ?? null, after: is?.[field] ?? null }))
    .filter((change) => change.before !== change.after);
  return {
    list: list.name,
    action: before === null ? 'create' : after === null ? 'remove' : 'update',
    key: Object.fromEntries(list.key.map((name) => [name, record[name]!])),
    name: typeof record.name === 'string' ? record.name : null,
    fields: [...fields, ...listField(links), ...endsField(links)],
    recordKey,
    before,
    after,
    links,
  };
}

/** Numbers and stamps are generated and differ each time, unless the file contains them. */
const isIncidental = ({ description: { primaryKey } }: ImportList, field: string): boolean =>
  stamps.has(field) || (field === primaryKey.name && primaryKey.type !== 'string');

/** The properties of the file, and the name that manages the record. */
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
function columnOf(list: ImportList, property: string): string {
  const reference = list.references.find(({ field }) => field.name === property);
  if (reference) return reference.own.column;
  return describe(list.description.record).fields.find((field) => field.name === property)!.column;
}

/** The last change of a value that was no `apply` of the file. */
export interface ByHand {
  /** Guid of the user who changed it. */
  actor: string;
  /** Null for an unknown user. */
  actorName: string | null;
  occurredAt: string;
  face: string;
  /** Null for callers who may not read change sets, and so is the guid. */
  note: string | null;
  changeSetGuid: string | null;
}

interface Answer extends ByHand {
  index: number;
  field: string;
}

const madeBy = `made.change_set_guid as "changeSetGuid", made.actor, made.face, made.note,
  ${timeText('made.occurred_at')} as "occurredAt",
  (select ${fullName('u.')} from users u where u.user_guid = made.actor) as "actorName"`;
/** Excludes the current transaction, which reverts it. */
const isEarlier = `v.change_set_id is distinct from ${ownChangeSet}`;

/**
 * Finds the fields that were changed by hand, by the index of the change and the field; the field is empty for a removed
 * record.
 */
export async function findChangedByHand(
  inside: Context,
  managedBy: string | null,
  changes: readonly ReadChange[],
): Promise<Answer[]> {
  if (managedBy === null) return [];
  const answers = await findValues(inside, managedBy, changes);
  for (const name of new Set(changes.filter(({ action }) => action === 'create').map(({ list }) => list)))
    answers.push(...(await findRemovals(inside, managedBy, listNamed(name), changes)));
  answers.push(...(await findLinks(inside, managedBy, changes)));
  return answers;
}

const isManaged = ({ action, before }: ReadChange, managedBy: string): boolean =>
  action === 'update' && before?.managed_by === managedBy;

function findValues({ sql }: Context, managedBy: string, changes: readonly ReadChange[]): Promise<Answer[]> {
  const fields = changes.flatMap((change, index) => {
    const list = listNamed(change.list);
    const record = { index, table: list.description.table, key: change.recordKey };
    const own = change.fields.filter(({ field }) => field !== 'accessScopeGuids' && field !== 'accessScopeEnds');
    return isManaged(change, managedBy)
      ? own.map(({ field }) => ({ ...record, field, column: columnOf(list, field) }))
      : [];
  });
  if (fields.length === 0) return Promise.resolve([]);
  return sql.rows<Answer>(
    `select asked.index, asked.field, ${madeBy}
     from jsonb_to_recordset($1::jsonb) as asked (index int, field text, "table" text, key text, "column" text)
     cross join lateral (
       select v.change_set_id from record_versions v
       where v.record_table = asked."table" and v.record_key = asked.key and v.before is not null and v.after is not null
         and v.before->>asked."column" is distinct from v.after->>asked."column" and ${isEarlier}
       order by v.record_version_id desc limit 1) last
     join change_sets made using (change_set_id) where made.managed_by is distinct from $2`,
    [JSON.stringify(fields), managedBy],
  );
}

/**
 * Finds records that the file managed and somebody removed. They are found by their keys, because their numbers may have
 * changed.
 */
function findRemovals(
  { sql }: Context,
  managedBy: string,
  list: ImportList,
  changes: readonly ReadChange[],
): Promise<Answer[]> {
  const columns = list.key.map((name) => columnOf(list, name));
  const created = changes.flatMap((change, index) =>
    change.action === 'create' && change.list === list.name
      ? [{ index, ...Object.fromEntries(columns.map((column) => [column, String(change.after![column])])) }]
      : [],
  );
  const isSame = columns.map((column) => `v.before->>'${column}' = asked."${column}"`).join(' and ');
  return sql.rows<Answer>(
    `select distinct on (asked.index) asked.index, '' as field, ${madeBy}
     from record_versions v join jsonb_to_recordset($1::jsonb) as asked (index int, ${columns.map((column) => `"${column}" text`).join(', ')})
       on ${isSame} join change_sets made using (change_set_id)
     where v.record_table = '${list.description.table}' and v.after is null and v.before->>'managed_by' = $2 and ${isEarlier}
       and made.managed_by is distinct from $2
     order by asked.index, v.record_version_id desc`,
    [JSON.stringify(created), managedBy],
  );
}

/** Finds who linked scopes that the file doesn't have, or unlinked scopes that it has. */
function findLinks({ sql }: Context, managedBy: string, changes: readonly ReadChange[]): Promise<Answer[]> {
  const linkChanges = changes.flatMap((change, index) => {
    const links = isManaged(change, managedBy) ? change.links.filter(({ isOnlyEnd }) => !isOnlyEnd) : [];
    return links.map(({ profileId, accessScopeId, isAdded }) => ({ index, profileId, accessScopeId, isAdded }));
  });
  if (linkChanges.length === 0) return Promise.resolve([]);
  return sql.rows<Answer>(
    `select distinct on (asked.index) asked.index, 'accessScopeGuids' as field, ${madeBy}
     from jsonb_to_recordset($1::jsonb) as asked (index int, "profileId" text, "accessScopeId" text, "isAdded" boolean)
     join record_versions v on v.record_table = 'profile_access_scopes'
       and coalesce(v.after, v.before)->>'profile_id' = asked."profileId"
       and coalesce(v.after, v.before)->>'access_scope_id' = asked."accessScopeId"
       and (v.after is null) = asked."isAdded" and ${isEarlier}
     join change_sets made using (change_set_id) where made.managed_by is distinct from $2
     order by asked.index, v.record_version_id desc`,
    [JSON.stringify(linkChanges), managedBy],
  );
}

/**
 * Makes the catalogue match a file in git. A plan is a dry run with a hash of its changes; applying is refused if the changes
 * would differ from the plan.
 */
import { createHash } from 'node:crypto';
import type { Context } from '../../context.js';
import { ChangeSet } from '../../entities/ChangeSet.js';
import { describe, fieldOf, type RecordDescription } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { badInput, conflict, GatehouseError, tooLarge } from '../../errors.js';
import { isJsonObject } from '../../jsonObject.js';
import { reservedTypeGuid } from '../../services/adminScopes/guard.js';
import { reservedScopeKeys } from '../../services/adminScopes/reservedNames.js';
import { execute } from '../../services/execute.js';
import { asService, permit } from '../../services/permit.js';
import { mayRead } from '../../services/read/projection.js';
import { lockChanges, raiseVersion } from '../../services/records/change.js';
import { requireNote } from '../../services/records/changeNote.js';
import { changeOrTry } from '../../services/records/changeOrTry.js';
import { type Forget, freeValues } from '../../services/records/freeValues.js';
import { readFieldValue } from '../../services/records/input.js';
import type { Columns } from '../../services/records/writeRecords.js';
import type { Sql } from '../../sql.js';
import { hasChangeSet, readVersion, requireNoOther, trialTime } from '../changes/applyChanges.js';
import { readEffect } from '../changes/effect.js';
import { type AccessItem, countsOf, describeItems, type EffectCounts } from '../changes/effectLists.js';
import type { TokenCounts } from '../changes/effectSides.js';
import { subjectKey } from '../changes/history/state.js';
import type { CountedEffect } from '../changes/outcomes.js';
import { nameOf, restore, type Undone, type Use } from '../changes/undo.js';
import { Faults } from '../transfer/findings.js';
import { counter, importRows, lockImports, openChecks, type ReadRows } from '../transfer/importFile.js';
import { importLists } from '../transfer/importLists.js';
import { readScopeLists } from '../transfer/profileScopes.js';
import { type ImportRow, type ListRows, readRows } from '../transfer/readRows.js';
import { queryIn, selectUnlisted } from '../transfer/statements.js';
import { uniqueColumn, uniqueTexts } from '../transfer/write.js';
import {
  type ByHand,
  type FieldDifference,
  findChangedByHand,
  type ReadChange,
  type RecordChange,
  readRecordChanges,
} from './recordChanges.js';

/**
 * A file of the catalogue in git: lists of an import file whose records have a history and are neither personal nor secret, and
 * the name under which it manages them.
 */
interface ManagedFile extends ReadRows {
  /** Null: the records that it creates and changes are not managed. */
  managedBy: string | null;
}

const unmanageable = new Set(importLists.filter(({ isManageable }) => !isManageable).map(({ name }) => name));

/** Adds faults to `faults`. Throws BAD_USER_INPUT for a file without lists. @param managedBy for a file that names none */
function readManagedFile(
  { config: { timeZone } }: Context,
  content: unknown,
  managedBy: string | undefined,
  faults: Faults,
): ManagedFile {
  if (!isJsonObject(content)) throw badInput({ $: ['must be an object with lists such as "applications"'] });
  const parts = { ...content };
  const name = readName(parts.managedBy ?? managedBy ?? null, faults);
  delete parts.managedBy;
  for (const list of unmanageable) {
    if (parts[list] === undefined) continue;
    faults.add(list, 'is personal or secret, and has no place in git: bin/gatehouse import loads it');
    delete parts[list];
  }
  const lists = readRows(parts, faults, timeZone);
  if (name !== null) for (const { list, rows } of lists) if (list.isManageable) markRows(rows, list.key[0]!, name);
  return { managedBy: name, lists, scopeLists: readScopeLists(rowsOf(lists, 'profiles'), faults, timeZone) };
}

const rowsOf = (lists: ListRows[], name: string): ImportRow[] => lists.find(({ list }) => list.name === name)!.rows;

function readName(value: unknown, faults: Faults): string | null {
  const read = readFieldValue(fieldOf(ChangeSet, 'managedBy'), value);
  if ('problem' in read) faults.add('managedBy', read.problem);
  else if (typeof read.value === 'string' && read.value.trim() === '') faults.add('managedBy', 'must not be empty');
  else if (typeof read.value === 'string' && /^scim:/i.test(read.value))
    faults.add('managedBy', 'must not begin with scim: such records are those of a connector');
  else return read.value as string | null;
  return null;
}

/** The reserved records belong to each database, and no file may remove them. */
function markRows(rows: ImportRow[], key: string, name: string): void {
  for (const { values } of rows) {
    const guid = String(values[key]);
    if (guid !== reservedTypeGuid && !reservedScopeKeys.has(guid)) values.managedBy = name;
  }
}

/** The records that the file manages and no longer contains. Locks them until the end of the transaction. */
async function findUnlisted(inside: Context, managedBy: string | null, lists: readonly ListRows[]): Promise<Undone[]> {
  if (managedBy === null) return [];
  const query = queryIn(inside.changing!);
  const unlisted: Undone[] = [];
  for (const { list, rows } of lists.filter((listed) => listed.list.isManageable)) {
    const keys = rows.map(({ values }) => Object.fromEntries(list.key.map((name) => [name, values[name]])));
    const records = await query<{ record: Columns }>(selectUnlisted(list), [JSON.stringify(keys), managedBy]);
    unlisted.push(...records.map(({ record }) => goneRecord(list.description, record)));
  }
  return unlisted;
}

/**
 * Lets records of the file have the names and groups of records that are removed, by their keys, which rows have before the import.
 * Returns the removed profiles too.
 */
async function freeUnlisted(
  inside: Context,
  { managedBy, lists }: ManagedFile,
): Promise<{ freed: Forget[]; leavingProfiles: ReadonlySet<string> }> {
  const query = queryIn(inside.changing!);
  const freed: Forget[] = [];
  const leavingProfiles = new Set<string>();
  for (const { list, rows } of lists) {
    for (const name of uniqueTexts(list)) {
      const keys = (await findUnlisted(inside, managedBy, [{ list, rows }])).map(({ key }) => key);
      const wanted = rows.map(({ values }) => values[name]);
      freed.push(await freeValues(query, uniqueColumn(list, name), keys, wanted));
      if (list.description.record === Profile) for (const key of keys) leavingProfiles.add(key);
    }
  }
  return { freed, leavingProfiles };
}

function goneRecord(description: RecordDescription, now: Columns): Undone {
  const key = String(now[subjectKey(description).column]);
  return { record: description.record, key, before: null, after: now, now };
}

/** Throws CONFLICT with the records that others still refer to. The links of a profile to its scopes are removed with it. */
async function removeUnlisted(inside: Context, unlisted: readonly Undone[]): Promise<void> {
  const em = inside.changing!;
  const profileIds = unlisted.filter(({ record }) => record === Profile).map(({ key }) => key);
  const links = await execute<{ record: Columns }>(
    em,
    'select to_jsonb(t) as record from profile_access_scopes t where profile_id = any($1::text[])',
    [profileIds],
  );
  const own = links.map(({ record }) => goneRecord(describe(ProfileAccessScope), record));
  await restore(em, inside, [...unlisted, ...own], stillUsed);
}

function stillUsed(uses: readonly Use[]): GatehouseError {
  const problem = (child: string) => [`is needed by records of ${child} that this file does not remove`];
  return new GatehouseError('CONFLICT', 'Records that are no longer in the file are needed by others that stay.', {
    problems: Object.fromEntries(uses.map(({ of, child }) => [nameOf(of), problem(child)])),
  });
}

export interface FileOptions {
  /** Name that manages the records, for a file without one. */
  managedBy?: string | undefined;
  /** Removes records that the file manages and no longer contains. */
  prune?: boolean;
  /** Takes over records that another file manages. */
  takeOver?: boolean;
  /** Called with the progress, in rows. */
  onProgress?: (done: number, total: number) => void;
  /** How many items of each side of the effect are listed. */
  effectItems?: number;
}

export interface PlannedField extends FieldDifference {
  /** The last change by hand; null if the file itself has changed. */
  changedByHand: ByHand | null;
}

export interface PlannedRecord extends Omit<RecordChange, 'fields'> {
  fields: PlannedField[];
  /** The user who removed the record while the file managed it. */
  removedByHand: ByHand | null;
}

export interface FilePlan {
  managedBy: string | null;
  /** A hash of the changes, the file's name, the options and the catalogue version. */
  hash: string;
  summary: { created: number; updated: number; removed: number; unlisted: number };
  changes: PlannedRecord[];
  effect:
    | (Record<'gains' | 'loses', EffectCounts & { items: AccessItem[] }> & { tokens: Omit<TokenCounts, 'items'> })
    | null;
  /** The same effect, whose lists can be paged; null if nothing changes. */
  countedEffect: CountedEffect | null;
  /** The catalogue version to which the plan refers. */
  catalogueVersion: string;
  /** Null for a plan, and if nothing changed. */
  changeSetGuid: string | null;
}

/**
 * Shows what `applyFile` would do; nothing is changed. Throws BAD_USER_INPUT with the faults by path, and CONFLICT if a
 * removed record is still in use or the catalogue changed at the same time.
 */
export const planFile = (context: Context, content: unknown, options: FileOptions = {}): Promise<FilePlan> =>
  carryOut(context, content, options, undefined);

/** Applies the plan with that hash. Throws the same errors, and CONFLICT if the changes would differ. */
export const applyFile = (
  context: Context,
  content: unknown,
  hash: string,
  options: FileOptions & { note?: string | null } = {},
): Promise<FilePlan> => carryOut(context, content, options, hash);

/** Throws FORBIDDEN, and BAD_USER_INPUT for a text that cannot be the hash of a plan. */
export function requireHash(context: Context, hash: string): void {
  permit(context, 'admin:write');
  if (!/^[0-9a-f]{64}$/.test(hash))
    throw badInput({ hash: ['The hash field must be the hash of a plan: 64 hexadecimal digits.'] });
}

async function carryOut(
  context: Context,
  content: unknown,
  options: FileOptions & { note?: string | null },
  hash: string | undefined,
): Promise<FilePlan> {
  // a command may grant administration scopes, so it counts as such a change if changes need an approval
  const applying = context.face === 'cli' ? 'admin:security' : 'admin:write';
  // a plan only reads, so that a pull request needs no permission to change anything
  const permission = hash === undefined ? 'admin:read' : applying;
  permit(context, permission);
  requireNote(options.note ?? null);
  if (hash !== undefined) requireHash(context, hash);
  const faults = new Faults(context);
  const file = readManagedFile(context, content, options.managedBy, faults);
  if (file.managedBy === null && options.prune)
    faults.add('managedBy', 'is required for --prune: only what is managed is removed');
  const onRows = counter(file.lists, options.onProgress);
  return changeOrTry(
    hash === undefined ? asService(context) : context,
    permission,
    hash !== undefined,
    async (inside) => {
      await lockChanges(inside);
      await lockImports(inside.changing!);
      const inTime = limitTime(inside);
      const state = await readVersion(inside);
      const unlisted = await inTime(inside, (limited, requireTime) =>
        write(limited, file, faults, options, (count) => {
          requireTime();
          onRows(count);
        }),
      );
      return { state, unlisted, inTime };
    },
    (whole, { state, unlisted, inTime }) =>
      inTime(whole, async (inside) => {
        const changes = await readRecordChanges(inside, file.lists);
        const own = hashOf(file, options, state, changes);
        if (hash !== undefined && hash !== own) throw planDiffers();
        const { managedBy } = file;
        const countedEffect = changes.length > 0 ? await readEffect(inside) : null;
        const count = (action: RecordChange['action']) => changes.filter((change) => change.action === action).length;
        const [created, updated, removed] = [count('create'), count('update'), count('remove')];
        const plan = {
          managedBy,
          hash: own,
          summary: { created, updated, removed, unlisted: unlisted.length },
          changes: await withManualEdits(inside, managedBy, changes, mayRead(context, ChangeSet)),
          effect: countedEffect && (await describeEffect(inside, countedEffect, options.effectItems ?? 100)),
          countedEffect,
          catalogueVersion: state,
        };
        const isMade = hash !== undefined && changes.length > 0;
        if (isMade) await raiseVersion(inside);
        if (await hasChangeSet(inside)) await requireNoOther(inside, state, isMade, catalogueChanged());
        return { ...plan, changeSetGuid: isMade ? await markChangeSet(inside, managedBy) : null };
      }),
    { note: options.note ?? (file.managedBy === null ? null : `apply ${file.managedBy}`), stamps: 'brought' },
  );
}

type InTime = <T>(inside: Context, work: (limited: Context, requireTime: () => void) => Promise<T>) => Promise<T>;

const limitStatements = "select set_config('statement_timeout', $1, true)";

/** Limits a plan to the time of a trial from now on, unless a command makes it. Its work throws TOO_LARGE when the time is over. */
function limitTime(beginning: Context): InTime {
  const timeLeft = beginning.face === 'cli' ? () => Number.POSITIVE_INFINITY : trialTime(beginning);
  const { databaseStatementTimeoutMs: limitMs } = beginning.config;
  const overdue = () =>
    tooLarge(
      `The plan took more than ${limitMs / 1_000} s: split the file under several names, or plan on the server.`,
    );
  const requireTime = () => {
    if (timeLeft() < 0) throw overdue();
  };
  return async (inside, work) => {
    const rows: Sql['rows'] = async (text, values) => {
      requireTime();
      const leftMs = Math.max(1, Math.ceil(timeLeft()));
      if (Number.isFinite(leftMs)) await inside.sql.rows(limitStatements, [String(leftMs)]);
      return inside.sql.rows(text, values);
    };
    const sql = { ...inside.sql, rows };
    try {
      return await work({ ...inside, sql, reads: sql, openReads: () => sql }, requireTime);
    } catch (error) {
      // query_canceled: a single statement took as long
      throw timeLeft() < 0 && (error as { code?: unknown }).code === '57014' ? overdue() : error;
    }
  };
}

/** Returns the records that the file manages and no longer contains, if they are not removed. */
async function write(
  inside: Context,
  file: ManagedFile,
  faults: Faults,
  { prune = false, takeOver = false }: FileOptions,
  onRows: (count: number) => void,
): Promise<Undone[]> {
  const em = inside.changing!;
  const { freed, ...leaving } = prune ? await freeUnlisted(inside, file) : { freed: [] };
  const checks = openChecks(inside, faults, { isManaged: true, takesOver: takeOver, ...leaving });
  await importRows(em, inside, file, checks, onRows);
  const unlisted = await findUnlisted(inside, file.managedBy, file.lists);
  if (!prune || unlisted.length === 0) return unlisted;
  await removeUnlisted(inside, unlisted);
  for (const forget of freed) await forget();
  return [];
}

const catalogueChanged = () => conflict('The catalogue has changed: plan again.');
const planDiffers = () =>
  conflict('The plan is out of date: the catalogue, the file or the options have changed. Plan again.');

/** Generated numbers are not part of it, because they differ each time. */
function hashOf(
  { managedBy }: ManagedFile,
  { prune = false, takeOver = false }: FileOptions,
  state: string,
  changes: readonly ReadChange[],
): string {
  const done = changes.map(({ list, action, key, fields }) => [list, action, key, fields]);
  const text = JSON.stringify([managedBy, prune, takeOver, state, done]);
  return createHash('sha256').update(text).digest('hex');
}

async function describeEffect(
  inside: Context,
  { gains, loses, tokens: { profiles, users, sessions } }: CountedEffect,
  first: number,
): Promise<NonNullable<FilePlan['effect']>> {
  const side = async (delta: typeof gains) => ({
    ...countsOf(delta),
    items: await describeItems(inside, delta, first),
  });
  return { gains: await side(gains), loses: await side(loses), tokens: { profiles, users, sessions } };
}

/** @param maySee whether the caller may read the change sets, with their notes */
async function withManualEdits(
  inside: Context,
  managedBy: string | null,
  changes: readonly ReadChange[],
  maySee: boolean,
): Promise<PlannedRecord[]> {
  const answers = await findChangedByHand(inside, managedBy, changes);
  const seen = (hand: ByHand): ByHand => (maySee ? hand : { ...hand, note: null, changeSetGuid: null });
  const edits = new Map(answers.map(({ index, field, ...hand }) => [`${index} ${field}`, seen(hand)]));
  return changes.map(({ list, action, key, name, fields }, index) => ({
    list,
    action,
    key,
    name,
    fields: fields.map((field) => ({ ...field, changedByHand: edits.get(`${index} ${field.field}`) ?? null })),
    removedByHand: edits.get(`${index} `) ?? null,
  }));
}

/** Distinguishes its changes from changes by hand. */
async function markChangeSet({ sql }: Context, managedBy: string | null): Promise<string> {
  const [set] = await sql.rows<{ guid: string }>(
    'update change_sets set managed_by = $1 where change_set_id = current_change_set() returning change_set_guid::text as guid',
    [managedBy],
  );
  return set!.guid;
}

/**
 * A file of the catalogue in git: the import's lists of records that have a history and are neither personal nor secret, and
 * the name under which it manages them.
 */
import { ChangeSet } from '../../entities/ChangeSet.js';
import { fieldOf } from '../../entities/description.js';
import { badInput } from '../../errors.js';
import { isJsonObject } from '../../jsonObject.js';
import { reservedScopeKeys, reservedTypeGuid } from '../adminScopes/reserved.js';
import { readFieldValue } from '../records/fieldInput.js';
import type { Faults } from '../transfer/faults.js';
import { importLists } from '../transfer/fileLists.js';
import type { ReadRows } from '../transfer/importFile.js';
import { type ImportRow, type ListRows, readRows } from '../transfer/parseRows.js';
import { readScopeLists } from '../transfer/profileScopes.js';

export interface ManagedFile extends ReadRows {
  /** Null: what it makes and changes is managed by nobody. */
  managedBy: string | null;
}

const unmanageable = new Set(importLists.filter(({ isManageable }) => !isManageable).map(({ name }) => name));

/** Collects the faults. @param managedBy for a file that doesn't say it @throws BAD_USER_INPUT for a file without lists */
export function readManagedFile(content: unknown, managedBy: string | undefined, faults: Faults): ManagedFile {
  if (!isJsonObject(content)) throw badInput({ $: ['must be an object with lists such as "applications"'] });
  const given = { ...content };
  const name = readName(given.managedBy ?? managedBy ?? null, faults);
  delete given.managedBy;
  for (const list of unmanageable) {
    if (given[list] === undefined) continue;
    faults.add(list, 'is personal or secret, and has no place in git: gatehouse import loads it');
    delete given[list];
  }
  const lists = readRows(given, faults);
  if (name !== null) for (const { list, rows } of lists) if (list.isManageable) markRows(rows, list.key[0]!, name);
  return { managedBy: name, lists, scopeLists: readScopeLists(rowsOf(lists, 'profiles'), faults) };
}

const rowsOf = (lists: ListRows[], name: string): ImportRow[] => lists.find(({ list }) => list.name === name)!.rows;

function readName(given: unknown, faults: Faults): string | null {
  const read = readFieldValue(fieldOf(ChangeSet, 'managedBy'), given);
  if ('problem' in read) faults.add('managedBy', read.problem);
  else if (typeof read.value === 'string' && read.value.trim() === '') faults.add('managedBy', 'must not be empty');
  else return read.value as string | null;
  return null;
}

/** Each database has the reserved records of its own, and no file may come to remove them. */
function markRows(rows: ImportRow[], key: string, name: string): void {
  for (const { values } of rows) {
    const guid = String(values[key]);
    if (guid !== reservedTypeGuid && !reservedScopeKeys.has(guid)) values.managedBy = name;
  }
}

/** Reads the rows of a parsed import file by the entities' descriptions, without looking into the database. */
import type { FieldDescription } from '../../entities/description.js';
import { isJsonObject } from '../../jsonObject.js';
import { readFieldValue } from '../records/fieldInput.js';
import { shorten } from '../records/input.js';
import type { Faults } from './faults.js';
import { type ImportList, importLists } from './fileLists.js';

export type Scalar = string | number | boolean | null;

export interface ImportRow {
  /** Such as `clients[1]`. */
  path: string;
  /** What was given, as it is stored. */
  values: Record<string, Scalar>;
  /** Numbers by which other records were given, by the property. */
  numbers: Record<string, number>;
  /** What rules of their own read. */
  extras: Record<string, unknown>;
  /** Characters of its texts. */
  length: number;
}

export interface ListRows {
  list: ImportList;
  rows: ImportRow[];
}

/** All lists of the file, absent ones empty. */
export function readRows(file: unknown, faults: Faults): ListRows[] {
  if (!isJsonObject(file)) {
    faults.add('$', 'must be a JSON object with lists such as "users"');
    return [];
  }
  for (const name of Object.keys(file))
    if (!importLists.some((list) => list.name === name))
      faults.add(shorten(name), `is none of the lists ${importLists.map((list) => list.name).join(', ')}`);
  return importLists.map((list) => ({ list, rows: readList(list, file[list.name], faults) }));
}

function readList(list: ImportList, rows: unknown, faults: Faults): ImportRow[] {
  if (rows === undefined) return [];
  if (!Array.isArray(rows)) {
    faults.add(list.name, 'must be an array');
    return [];
  }
  const readers = readersOf(list);
  const read: ImportRow[] = [];
  for (const [index, row] of rows.entries()) {
    const path = `${list.name}[${index}]`;
    if (isJsonObject(row)) read.push(readRow(path, row, readers, faults));
    else faults.add(path, 'must be an object');
  }
  return read;
}

type Reader = (row: ImportRow, value: unknown, path: string, faults: Faults) => void;

/** What reads each property that a row of the list may have. */
function readersOf({ fields, references, extras }: ImportList): Map<string, Reader> {
  const readers = new Map<string, Reader>();
  for (const field of fields) readers.set(field.name, scalar(field, field.name));
  for (const { field, own, byNumber } of references) {
    const required = { ...field, nullable: false };
    readers.set(own.name, byNumber ? number(own) : scalar(required, field.name));
    readers.set(field.name, scalar(required, field.name));
  }
  for (const name of extras)
    readers.set(name, (row, value) => {
      row.extras[name] = value;
    });
  // the request's spelling of the contract
  const isIframe = readers.get('isIframe');
  if (isIframe) readers.set('isIFrame', isIframe);
  return readers;
}

function scalar(field: FieldDescription, name: string): Reader {
  return (row, value, path, faults) => {
    const read = readFieldValue(field, value);
    if ('problem' in read) faults.add(path, read.problem);
    else if (name in row.values && row.values[name] !== read.value) faults.add(path, `is not the same as ${name}`);
    else row.values[name] = read.value;
    if (typeof value === 'string') row.length += value.length;
  };
}

function number(field: FieldDescription): Reader {
  return (row, value, path, faults) => {
    const read = readFieldValue({ ...field, primary: true }, value);
    if ('problem' in read) faults.add(path, read.problem);
    else row.numbers[field.name] = read.value as number;
  };
}

function readRow(path: string, given: Record<string, unknown>, readers: Map<string, Reader>, faults: Faults) {
  const row: ImportRow = { path, values: {}, numbers: {}, extras: {}, length: 0 };
  for (const name of Object.keys(given)) {
    const read = readers.get(name);
    if (read) read(row, given[name], `${path}.${name}`, faults);
    else faults.add(`${path}.${shorten(name)}`, 'is no property of this list');
  }
  return row;
}

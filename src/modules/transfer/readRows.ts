/** Reads the lists of an import file: the values of their rows in stored form, with the faults of single values. */
import type { FieldDescription } from '../../entities/description.js';
import { isJsonObject } from '../../jsonObject.js';
import { readFieldValue, shorten } from '../../services/records/input.js';
import type { Faults } from './findings.js';
import { type ImportList, importLists } from './importLists.js';

export type Scalar = string | number | boolean | null;

export interface ImportRow {
  /** Such as `clients[1]`. */
  path: string;
  /** The values of the row in their stored form. */
  values: Record<string, Scalar>;
  /** Numbers that name other records, by property. */
  numbers: Record<string, number>;
  /** The values of properties with their own rules. */
  extras: Record<string, unknown>;
  /** Number of characters in its texts. */
  length: number;
}

export interface ListRows {
  list: ImportList;
  rows: ImportRow[];
}

const listNames = importLists.map(({ name }) => name).join(', ');

/** All lists of the file, absent ones empty. @param timeZone of dates without a time where something ends */
export function readRows(file: unknown, faults: Faults, timeZone: string): ListRows[] {
  if (!isJsonObject(file)) {
    faults.add('$', 'must be a JSON object with lists such as "users"');
    return [];
  }
  for (const name of Object.keys(file))
    if (!importLists.some((list) => list.name === name))
      faults.add(shorten(name), `is not one of the lists ${listNames}`);
  return importLists.map((list) => ({ list, rows: readList(list, file[list.name], faults, timeZone) }));
}

function readList(list: ImportList, rows: unknown, faults: Faults, timeZone: string): ImportRow[] {
  if (rows === undefined) return [];
  if (!Array.isArray(rows)) {
    faults.add(list.name, 'must be an array');
    return [];
  }
  const readers = readersOf(list, timeZone);
  const read: ImportRow[] = [];
  for (const [index, row] of rows.entries()) {
    const path = `${list.name}[${index}]`;
    if (isJsonObject(row)) read.push(readRow(path, row, readers, faults));
    else faults.add(path, 'must be an object');
  }
  return read;
}

type Reader = (row: ImportRow, value: unknown, path: string, faults: Faults) => void;

/** The reader of each property that a row of the list may have. */
function readersOf({ fields, references, extras }: ImportList, timeZone: string): Map<string, Reader> {
  const readers = new Map<string, Reader>();
  for (const field of fields) readers.set(field.name, scalar(field, field.name, timeZone));
  for (const { field, own, byNumber } of references) {
    const required = { ...field, nullable: false };
    readers.set(own.name, byNumber ? number(own) : scalar(required, field.name, timeZone));
    readers.set(field.name, scalar(required, field.name, timeZone));
  }
  for (const name of extras)
    readers.set(name, (row, value) => {
      row.extras[name] = value;
    });
  // the spelling of requests in the contract
  const isIframe = readers.get('isIframe');
  if (isIframe) readers.set('isIFrame', isIframe);
  return readers;
}

function scalar(field: FieldDescription, name: string, timeZone: string): Reader {
  return (row, value, path, faults) => {
    const read = readFieldValue(field, value, timeZone);
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

function readRow(path: string, object: Record<string, unknown>, readers: Map<string, Reader>, faults: Faults) {
  const row: ImportRow = { path, values: {}, numbers: {}, extras: {}, length: 0 };
  for (const name of Object.keys(object)) {
    const read = readers.get(name);
    if (read) read(row, object[name], `${path}.${name}`, faults);
    else faults.add(`${path}.${shorten(name)}`, 'is not a property of this list');
  }
  return row;
}

/** Checks input: the format, length and range of its values, and which fields it has. */
import { describe, type FieldDescription, fieldOf, type RecordClass } from '../../entities/description.js';
import { endOfDay, startOfDay } from '../../entities/endOfDay.js';
import {
  findUnstorable,
  integerMax,
  isDay,
  isOnCalendar,
  isWrittenInFourDigits,
  parseGuid,
  startOf,
} from '../../entities/valueForms.js';
import { badInput, type ErrorCode, GatehouseError, type Problems } from '../../errors.js';
import { isJsonObject } from '../../jsonObject.js';

/** Either the value in its stored form (guids in lower case, times as ISO 8601 in UTC) or the problem. */
type FieldValue = { value: string | number | boolean | null } | { problem: string };

// RFC 3339 §5.6; a time without an offset is in UTC, as the old services wrote it
const timeForm = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)?$/;

/** Why the record's field can't get the `value`; undefined if it can. */
export function findProblem(record: RecordClass, name: string, value: unknown): string | undefined {
  const read = readNewValue(fieldOf(record, name), value);
  return 'problem' in read ? read.problem : undefined;
}

/** Why the text can't be a new value of the field; undefined if it can. */
export const findFormProblem = ({ form }: FieldDescription, value: unknown): string | undefined =>
  form && typeof value === 'string' && form.refused.test(value) ? form.problem : undefined;

function readNewValue(field: FieldDescription, value: unknown): FieldValue {
  const read = readFieldValue(field, value);
  const problem = 'value' in read ? findFormProblem(field, read.value) : undefined;
  return problem === undefined ? read : { problem };
}

/**
 * Reads a value of the field in any accepted form.
 * @param timeZone of dates without a time where something ends; absent: such dates are refused
 */
export function readFieldValue(field: FieldDescription, value: unknown, timeZone?: string): FieldValue {
  if (value === undefined) return { problem: 'is required' };
  if (value === null) return field.nullable ? { value } : { problem: 'must not be null' };
  return readers[field.type]?.(value, field, timeZone) ?? { problem: 'cannot be set' };
}

type Reader = (value: unknown, field: FieldDescription, timeZone: string | undefined) => FieldValue;
const readers: { [type in FieldDescription['type']]?: Reader } = {
  string: readText,
  uuid: readGuid,
  dateTime: (value, { isEnd }, timeZone) => (isEnd ? readEnd(value, timeZone) : readTime(value)),
  integer: (value, { primary }) => readInteger(value, primary ? 1 : -integerMax - 1, integerMax),
  bigint: (value) => readInteger(value, 1, Number.MAX_SAFE_INTEGER),
  boolean: (value) => (typeof value === 'boolean' ? { value } : { problem: 'must be true or false' }),
};

const unstorableProblems = {
  NUL: 'must not contain a NUL character',
  surrogate: 'must be well-formed Unicode, without lone surrogates',
};

/** Lengths count Unicode code points. A required text must not be empty. */
function readText(raw: unknown, { max, nullable, holdsJson }: FieldDescription): FieldValue {
  const value = holdsJson && typeof raw === 'object' ? JSON.stringify(raw) : raw;
  if (typeof value !== 'string') return { problem: 'must be a string' };
  if (value === '' && !nullable) return { problem: 'must not be empty' };
  const unstorable = findUnstorable(value);
  if (unstorable) return { problem: unstorableProblems[unstorable] };
  if (max !== undefined && value.length > max && [...value].length > max)
    return { problem: `must be at most ${max} characters long` };
  return { value };
}

/** Accepts any case and braces; returns lower case. */
export function readGuid(value: unknown): FieldValue {
  const guid = parseGuid(value);
  return guid === undefined ? { problem: 'must be a guid' } : { value: guid };
}

function readTime(value: unknown): FieldValue {
  const problem = 'must be an ISO 8601 date-time such as 2026-01-31T12:00:00Z';
  if (typeof value !== 'string') return { problem };
  const [isTime, offset] = timeForm.exec(value) ?? [];
  if (!isTime && !isDay(value)) return { problem };
  const time = new Date(value.replace(' ', 'T').toUpperCase() + (isTime && !offset ? 'Z' : ''));
  const isReal = isWrittenInFourDigits(time) && isOnCalendar(value.slice(0, 10));
  return isReal ? { value: time.toISOString() } : { problem };
}

/** Where something ends, a date without a time is the end of that day in the time zone; a time has to say its own, where that is another than UTC. */
export function readEnd(value: unknown, timeZone: string | undefined): FieldValue {
  const problem =
    'must be a date such as 2026-01-31, which is the end of that day, or an ISO 8601 date-time such as 2026-01-31T12:00:00Z';
  const read = readTime(value);
  if ('problem' in read || typeof value !== 'string') return { problem };
  if (isDay(value)) {
    const end = timeZone && endOfDay(value, timeZone);
    return end && isWrittenInFourDigits(new Date(end)) ? { value: end } : { problem };
  }
  return timeZone === undefined ? read : withOffset(read, value, timeZone);
}

const withOffset = (read: FieldValue, value: string, timeZone: string): FieldValue =>
  timeZone === 'UTC' || isDay(value) || timeForm.exec(value)?.[1]
    ? read
    : { problem: `must have an offset such as Z, since TIME_ZONE is ${timeZone}` };

/** Reads a time that a person enters, or a date, which is the beginning of that day in the time zone. @returns ISO 8601. Throws BAD_USER_INPUT for `name`. */
export function readMoment(name: string, text: string, timeZone: string): string {
  const time = readTime(text);
  const read = 'problem' in time ? time : withOffset(time, text, timeZone);
  if ('problem' in read) throw badInput({ [name]: [`The time ${read.problem}.`] });
  return isDay(text) ? startOfDay(text, timeZone) : String(read.value);
}

function readInteger(value: unknown, min: number, max: number): FieldValue {
  const isInteger = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  return isInteger ? { value } : { problem: `must be a whole number from ${min} to ${max}` };
}

/**
 * A field that a create or an update accepts, made from the entity's description. OpenAPI and GraphQL inputs are made from the
 * same fields.
 */
export interface InputField {
  /** The name as the input spells it. */
  name: string;
  /** The record's field that the value is for. */
  field: FieldDescription;
  required: boolean;
  nullable: boolean;
}

interface InputShape {
  mode: 'create' | 'update';
  /** Fields accepted in addition to those of the description: `isActive` in an update, a guid in a create. */
  also?: readonly string[];
  /** Spellings of an input that differ from the record's: `{isIframe: 'isIFrame'}`. */
  names?: Readonly<Record<string, string>>;
}

/** Checked values by the record's field names: date-times as Date, guids in lower case without braces. */
export type InputValues = Record<string, unknown>;
interface Checked {
  values: InputValues;
  /** Undefined if there are none; otherwise `values` has only the valid ones. */
  problems: Problems | undefined;
}

/** Maximum number of problems in an error. */
export const problemsMax = 200;

/** The fields that an input of the record may have. An update accepts the fields of a create without the primary key, and requires none. */
export function inputFields(record: RecordClass, { mode, also = [], names = {} }: InputShape): InputField[] {
  return describe(record)
    .fields.filter((field) => field.create !== undefined || also.includes(field.name))
    .filter((field) => mode === 'create' || !field.primary)
    .map((field) => ({
      name: names[field.name] ?? field.name,
      field,
      required: mode === 'create' && field.create === 'required',
      nullable: field.nullable,
    }));
}

/** The revision that a caller has read of the record, in an item of a bulk. */
export function revisionField(record: RecordClass): InputField {
  return { name: 'ifRevision', field: fieldOf(record, 'revision'), required: false, nullable: true };
}

/** A required field that names another record, such as `accessScopeGuid` in an item of mappings. */
export function keyField(record: RecordClass, name: string): InputField {
  return { name, field: fieldOf(record, name), required: true, nullable: false };
}

/** Checks one input. `path` is put before the names: `[2]` gives `[2].state`. Absent members are absent in the values. */
export function checkInput(fields: readonly InputField[], input: unknown, path = ''): Checked {
  if (!isJsonObject(input)) return { values: {}, problems: { [path || '$']: ['An object is expected.'] } };
  const values: InputValues = {};
  const problems = new Map<string, string[]>();
  const members = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  for (const inputField of fields) {
    const { name, field, required, nullable } = inputField;
    const value = members.get(name);
    members.delete(name);
    if (value === undefined && !required) continue;
    const isCleared = value === null && nullable;
    const read = isCleared ? { value } : readNewValue(field, value instanceof Date ? value.toISOString() : value);
    if ('problem' in read) problems.set(join(path, name), [`The ${name} field ${read.problem}.`]);
    else if (field.type === 'dateTime' && read.value !== null) values[field.name] = new Date(String(read.value));
    else values[field.name] = read.value;
  }
  for (const name of members.keys()) {
    if (problems.size >= problemsMax) break;
    problems.set(join(path, shorten(name)), [`There is no field ${shorten(name)}.`]);
  }
  // fromEntries, since a member may be named __proto__
  return { values, problems: problems.size > 0 ? Object.fromEntries(problems) : undefined };
}

/** The checked values of one input. Throws BAD_USER_INPUT with all its problems. */
export function requireInput(fields: readonly InputField[], input: unknown): InputValues {
  const { values, problems } = checkInput(fields, input);
  if (problems) throw badInput(problems);
  return values;
}

/** Checks the items of an array, until there are problems enough; no two may share the value of the field `unique`. */
export function checkItems(
  fields: readonly InputField[],
  items: readonly unknown[],
  unique: string,
): { values: InputValues[]; problems: Problems | undefined } {
  const problems = new Map<string, string[]>();
  const firsts = new Map<unknown, number>();
  const values: InputValues[] = [];
  for (const [index, item] of items.entries()) {
    if (problems.size >= problemsMax) break;
    const checked = checkInput(fields, item, `[${index}]`);
    for (const path in checked.problems) problems.set(path, checked.problems[path]!);
    const key = checked.values[unique];
    const first = firsts.get(key);
    if (first !== undefined) problems.set(`[${index}].${unique}`, [`The same as in [${first}].`]);
    else if (key !== undefined) firsts.set(key, index);
    values.push(checked.values);
  }
  return { values, problems: problems.size > 0 ? Object.fromEntries(problems) : undefined };
}

/** Guids in lower case without braces. Throws BAD_USER_INPUT for malformed ones, together with `others`. */
export function requireGuids<Name extends string>(
  values: Record<Name, unknown>,
  others: Problems = {},
): Record<Name, string> {
  const read = (Object.entries(values) as [Name, unknown][]).map(([name, value]) => [name, readGuid(value)] as const);
  const problems: Problems = {};
  for (const [name, guid] of read) if ('problem' in guid) problems[name] = [`The ${name} ${guid.problem}.`];
  Object.assign(problems, others);
  if (Object.keys(problems).length > 0) throw badInput(problems);
  return Object.fromEntries(read.map(([name, guid]) => [name, 'value' in guid && guid.value])) as Record<Name, string>;
}

/** Throws one error with all places, if there are any. */
export function throwAll(code: ErrorCode, message: string, places: readonly string[]): void {
  if (places.length === 0) return;
  throw new GatehouseError(code, message, { problems: Object.fromEntries(places.map((place) => [place, [message]])) });
}

const join = (path: string, name: string): string => (path ? `${path}.${name}` : name);
/** The part of an unknown name that an error repeats. */
export const shorten = (name: string): string => (name.length > 100 ? `${startOf(name, 100)}…` : name);

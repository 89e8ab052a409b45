/** What a field of a record accepts from outside, as its entity describes it: form, length, range. */
import { isOnCalendar, isWrittenInFourDigits } from '../../entities/calendar.js';
import { type FieldDescription, fieldOf, type RecordClass } from '../../entities/description.js';
import { parseGuid } from '../../entities/guid.js';
import { integerMax } from '../../entities/postgresTypes.js';
import { findUnstorable } from '../../entities/storableText.js';

/** Either the value as it is stored (guids in lower case, times as ISO 8601 in UTC) or why it isn't one. */
export type FieldValue = { value: string | number | boolean | null } | { problem: string };

// RFC 3339 §5.6; a time without an offset is in UTC, as the old services wrote it
const timeForm = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)?$/;
const dateForm = /^\d{4}-\d\d-\d\d$/;

/** Why `value` can't stand in the record's field; undefined when it can. */
export function findProblem(record: RecordClass, name: string, value: unknown): string | undefined {
  const read = readFieldValue(fieldOf(record, name), value);
  return 'problem' in read ? read.problem : undefined;
}

/** A value of the field, in any of the forms that callers may use. */
export function readFieldValue(field: FieldDescription, value: unknown): FieldValue {
  if (value === undefined) return { problem: 'is required' };
  if (value === null) return field.nullable ? { value } : { problem: 'must not be null' };
  return readers[field.type]?.(value, field) ?? { problem: 'can not be given' };
}

type Reader = (value: unknown, field: FieldDescription) => FieldValue;
const readers: { [type in FieldDescription['type']]?: Reader } = {
  string: readText,
  uuid: readGuid,
  dateTime: readTime,
  integer: (value, { primary }) => readInteger(value, primary ? 1 : -integerMax - 1, integerMax),
  bigint: (value) => readInteger(value, 1, Number.MAX_SAFE_INTEGER),
  boolean: (value) => (typeof value === 'boolean' ? { value } : { problem: 'must be true or false' }),
};

const unstorableProblems = {
  NUL: 'must not hold a NUL character',
  surrogate: 'must be well-formed Unicode, without lone surrogates',
};

/** Lengths count Unicode code points. What must be there must not be empty. */
function readText(given: unknown, { max, nullable, holdsJson }: FieldDescription): FieldValue {
  const value = holdsJson && typeof given === 'object' ? JSON.stringify(given) : given;
  if (typeof value !== 'string') return { problem: 'must be a string' };
  if (value === '' && !nullable) return { problem: 'must not be empty' };
  const unstorable = findUnstorable(value);
  if (unstorable) return { problem: unstorableProblems[unstorable] };
  if (max !== undefined && value.length > max && [...value].length > max)
    return { problem: `must be at most ${max} characters long` };
  return { value };
}

/** In any case and in braces; gives lower case. */
export function readGuid(value: unknown): FieldValue {
  const guid = parseGuid(value);
  return guid === undefined ? { problem: 'must be a guid' } : { value: guid };
}

function readTime(value: unknown): FieldValue {
  const problem = 'must be an ISO 8601 date-time such as 2026-01-31T12:00:00Z';
  if (typeof value !== 'string') return { problem };
  const [isTime, offset] = timeForm.exec(value) ?? [];
  if (!isTime && !dateForm.test(value)) return { problem };
  const time = new Date(value.replace(' ', 'T').toUpperCase() + (isTime && !offset ? 'Z' : ''));
  const isReal = isWrittenInFourDigits(time) && isOnCalendar(value.slice(0, 10));
  return isReal ? { value: time.toISOString() } : { problem };
}

function readInteger(value: unknown, min: number, max: number): FieldValue {
  const isInteger = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  return isInteger ? { value } : { problem: `must be a whole number from ${min} to ${max}` };
}

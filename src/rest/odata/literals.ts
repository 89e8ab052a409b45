/** Literals as values: what a guid, a date-time, a number is, and what only looks like one. */
import { isOnCalendar } from '../../entities/calendar.js';
import { parseGuid } from '../../entities/guid.js';
import type { Literal } from './ast.js';

const numberForm = /^[+-]?\d{1,9999}(?:\.\d{1,9999})?(?:e[+-]?\d{1,9999})?$/i; // OData ABNF decimalLiteral, without INF and NaN
const dateTimeForm = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9999}))?)?(Z|[+-]\d\d:\d\d))?$/i;
const offsetMinutesMax = 14 * 60; // XML Schema part 2 §3.3.7

/** A literal without quotes; undefined when it is none. */
export function findBareLiteral(text: string): Literal | undefined {
  return text.startsWith('{') ? undefined : (findGuid(text) ?? findNumber(text) ?? findDateTime(text));
}

/** In any case, and in braces, as everywhere in the administration service; lower case without braces comes out. */
export function findGuid(text: string): Literal | undefined {
  const value = parseGuid(text);
  return value === undefined ? undefined : { kind: 'literal', type: 'guid', value };
}

/** Finite numbers alone: one that is too large for a double is none. */
export function findNumber(text: string): Literal | undefined {
  if (!numberForm.test(text)) return undefined;
  const value = Number(text) || 0; // -0 is 0
  return Number.isFinite(value) ? { kind: 'literal', type: 'number', value, text } : undefined;
}

/** A real calendar date, years 0001 to 9999 in UTC; a date alone is its midnight in UTC. Seconds may be left out. */
export function findDateTime(text: string): Literal | undefined {
  const [, date, time = '00:00', seconds = '00', fraction = '', zone = 'Z'] = dateTimeForm.exec(text) ?? [];
  if (date === undefined) return undefined;
  const local = `${date}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const offset = offsetMinutes(zone);
  // Date.parse takes 24:00 for the next day
  if (!isOnCalendar(date) || time > '23:59' || Number.isNaN(Date.parse(local)) || offset === undefined)
    return undefined;
  const value = new Date(Date.parse(local) - offset * 60_000).toISOString();
  if (!/^(?!0000)\d{4}-/.test(value)) return undefined;
  return { kind: 'literal', type: 'dateTime', value, finer: withoutLastZeros(fraction.slice(3)) };
}

function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

function offsetMinutes(zone: string): number | undefined {
  if (zone.length === 1) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  const total = hours * 60 + minutes;
  if (minutes > 59 || total > offsetMinutesMax) return undefined;
  return zone.startsWith('-') ? -total : total;
}

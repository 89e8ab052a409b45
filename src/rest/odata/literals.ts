// Literals as values: what a guid, a date-time, a number is, and what only looks like one.

import type { Literal } from './ast.js';

const GUID = /^(\{)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\})?$/i;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i; // OData ABNF decimalLiteral, without INF and NaN
const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d))?$/i;
const OFFSET_MINUTES_MAX = 14 * 60; // XML Schema part 2 §3.3.7

/** A literal without quotes; undefined when it is none. */
export function findBareLiteral(text: string): Literal | undefined {
  return text.startsWith('{') ? undefined : (findGuid(text) ?? findNumber(text) ?? findDateTime(text));
}

/** In any case, and in braces, as everywhere in the administration service; lower case without braces comes out. */
export function findGuid(text: string): Literal | undefined {
  const [, brace, value] = GUID.exec(text) ?? [];
  if (value === undefined || (brace !== undefined) !== text.endsWith('}')) return undefined;
  return { kind: 'literal', type: 'guid', value: value.toLowerCase() };
}

/** Finite numbers alone: one that is too large for a double is none. */
export function findNumber(text: string): Literal | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text) || 0; // -0 is 0
  return Number.isFinite(value) ? { kind: 'literal', type: 'number', value, text } : undefined;
}

/** A real calendar date, years 0001 to 9999 in UTC; a date alone is its midnight in UTC. Seconds may be left out. */
export function findDateTime(text: string): Literal | undefined {
  const [, date, time = '00:00', seconds = '00', fraction = '', zone = 'Z'] = DATE_TIME.exec(text) ?? [];
  if (date === undefined) return undefined;
  const local = `${date}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const offset = offsetMinutes(zone);
  if (!isReal(local) || offset === undefined) return undefined;
  const value = new Date(Date.parse(local) - offset * 60_000).toISOString();
  if (!/^(?!0000)\d{4}-/.test(value)) return undefined;
  return { kind: 'literal', type: 'dateTime', value, finer: fraction.slice(3).replace(/0+$/, '') };
}

/** Dates that don't exist roll over or aren't parsed: they don't come back as they were. */
function isReal(text: string): boolean {
  const milliseconds = Date.parse(text);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === text;
}

function offsetMinutes(zone: string): number | undefined {
  if (zone.length === 1) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  const total = hours * 60 + minutes;
  if (minutes > 59 || total > OFFSET_MINUTES_MAX) return undefined;
  return zone.startsWith('-') ? -total : total;
}

/** Values as PostgreSQL sends them, the highest byte first, written as JSON. Each function gives the place past the end. */
import { timeEpochMs } from '../../entities/postgresTypes.js';

const [quote, hyphen, zero, colon, dot] = Buffer.from('"-0:.') as unknown as Iterable<number> &
  [number, number, number, number, number];
const [beforeHours, zulu] = Buffer.from('TZ') as unknown as Iterable<number> & [number, number];
const hexDigits = Buffer.from('0123456789abcdef');
/** Of each byte. */
const firstDigits = Uint8Array.from({ length: 256 }, (_, byte) => hexDigits[byte >> 4]!);
const secondDigits = Uint8Array.from({ length: 256 }, (_, byte) => hexDigits[byte & 15]!);

/** In ASCII. */
export function writeText(text: string, to: Buffer, at: number): number {
  for (let index = 0; index < text.length; index++) to[at + index] = text.charCodeAt(index);
  return at + text.length;
}

export const readInteger = (from: Buffer, start: number): number =>
  (from[start]! << 24) | (from[start + 1]! << 16) | (from[start + 2]! << 8) | from[start + 3]!;

export function writeInteger(from: Buffer, start: number, to: Buffer, at: number): number {
  const value = readInteger(from, start);
  const magnitude = Math.abs(value);
  let place = at;
  if (value < 0) to[place++] = hyphen;
  let digits = 1;
  for (let above = 10; magnitude >= above; above *= 10) digits++;
  return writeDigits(magnitude, digits, to, place);
}

/** @param value whole, below 2^32 */
function writeDigits(value: number, digits: number, to: Buffer, at: number): number {
  let rest = value;
  for (let place = at + digits - 1; place >= at; place--) {
    const tens = (rest / 10) >>> 0;
    to[place] = zero + rest - 10 * tens;
    rest = tens;
  }
  return at + digits;
}

/** Where a uuid has a hyphen behind its bytes: 8-4-4-4-12 digits. */
const hyphenBehind = Uint8Array.from({ length: 16 }, (_, index) => Number([3, 5, 7, 9].includes(index)));

export function writeUuid(from: Buffer, start: number, to: Buffer, at: number): number {
  let place = at;
  to[place++] = quote;
  for (let index = 0; index < 16; index++) {
    const byte = from[start + index]!;
    to[place++] = firstDigits[byte]!;
    to[place++] = secondDigits[byte]!;
    if (hyphenBehind[index] === 1) to[place++] = hyphen;
  }
  to[place++] = quote;
  return place;
}

const dayMs = 86_400_000;

/** Microseconds from 2000 on in eight bytes, as `"2026-01-02T03:04:05.600Z"`. */
export function writeTime(from: Buffer, start: number, to: Buffer, at: number): number {
  const microseconds = readInteger(from, start) * 2 ** 32 + (readInteger(from, start + 4) >>> 0);
  const time = timeEpochMs + Math.floor(microseconds / 1_000);
  const days = Math.floor(time / dayMs);
  // JSON has another form for years that have not four digits
  if (days < yearZero || days >= yearTenThousand) return writeText(JSON.stringify(new Date(time)), to, at);
  const ms = time - days * dayMs;
  to[at] = quote;
  writeDate(days, to, at + 1);
  to[at + 11] = beforeHours;
  writeDigits((ms / 3_600_000) >>> 0, 2, to, at + 12);
  to[at + 14] = colon;
  writeDigits(((ms / 60_000) >>> 0) % 60, 2, to, at + 15);
  to[at + 17] = colon;
  writeDigits(((ms / 1_000) >>> 0) % 60, 2, to, at + 18);
  to[at + 20] = dot;
  writeDigits(ms % 1_000, 3, to, at + 21);
  to[at + 24] = zulu;
  to[at + 25] = quote;
  return at + 26;
}

const yearZero = new Date('0000-01-01').getTime() / dayMs;
const yearTenThousand = Date.UTC(10_000, 0, 1) / dayMs;

/** The Gregorian date so many days after 1970. http://howardhinnant.github.io/date_algorithms.html#civil_from_days */
function writeDate(days: number, to: Buffer, at: number): void {
  // of 400 years, which begin with a March
  const sinceMarch = days + 719_468;
  const era = Math.floor(sinceMarch / 146_097);
  const dayOfEra = sinceMarch - era * 146_097;
  const leapDays = ((dayOfEra / 1_460) >>> 0) - ((dayOfEra / 36_524) >>> 0) + ((dayOfEra / 146_096) >>> 0);
  const yearOfEra = ((dayOfEra - leapDays) / 365) >>> 0;
  const dayOfYear = dayOfEra - 365 * yearOfEra - (yearOfEra >>> 2) + ((yearOfEra / 100) >>> 0);
  const monthFromMarch = ((5 * dayOfYear + 2) / 153) >>> 0;
  const isNextYear = monthFromMarch >= 10;
  writeDigits(400 * era + yearOfEra + Number(isNextYear), 4, to, at);
  to[at + 4] = hyphen;
  writeDigits(monthFromMarch + (isNextYear ? -9 : 3), 2, to, at + 5);
  to[at + 7] = hyphen;
  writeDigits(dayOfYear - (((153 * monthFromMarch + 2) / 5) >>> 0) + 1, 2, to, at + 8);
}

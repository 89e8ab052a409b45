/** The forms of values that the database stores and specifications define. */

/**
 * Returns the part of a text that PostgreSQL can't store, NUL or half of a surrogate pair; undefined for text that it stores
 * as it is.
 */
export const findUnstorable = (text: string): 'NUL' | 'surrogate' | undefined =>
  text.includes('\0') ? 'NUL' : text.isWellFormed() ? undefined : 'surrogate';

/** Prepares a text of a caller for display: U+FFFD replaces what cannot be stored. */
export const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** The text up to a length in UTF-16 code units, which cuts no surrogate pair. */
export const startOf = (text: string, lengthMax: number): string =>
  text.slice(0, text.codePointAt(lengthMax - 1)! > 0xffff ? lengthMax - 1 : lengthMax);

/** Whether PostgreSQL can store the text. */
export const isStorable = (text: string): boolean => findUnstorable(text) === undefined;

/** A rule for new values of a text; what is stored already may be older than the rule. */
export interface TextForm {
  refused: RegExp;
  problem: string;
}

/** UAX #9: with these characters in a name, the rest of a sentence is shown in another order. */
export const nameForm: TextForm = {
  refused: /[\u202A-\u202E\u2066-\u2069]/u,
  problem: 'must not contain characters that turn the direction of the text after them',
};

/** Prepares stored names for a sentence: U+FFFD replaces what would turn the rest of it. */
export const withoutTurns = (text: string): string => text.split(nameForm.refused).join('\uFFFD');

/** RFC 8265 §3.1: parts without white space, control or invisible characters, separated by single spaces. */
export const userNameForm: TextForm = {
  refused: /^$|^ | $| {2}|(?! )[\p{C}\p{Z}\p{DI}]/u,
  problem: 'must be without control or invisible characters, and without spaces except single ones inside',
};

/** Of invisible characters it takes those by which letters or emoji join, where there are such. */
export const groupNameForm: TextForm = {
  refused:
    /^$|^\s|\s$|[\p{Cc}\p{Zl}\p{Zp}\u2800]|(?!\u200C|\u200D|\uFE0F)\p{DI}|(?<![\p{ExtPict}\p{M}\p{EMod}\p{sc=Arab}])(?:\u200C|\u200D)|(?<!\p{ExtPict})\uFE0F(?!\u20E3)/u,
  problem: 'must not be empty, have white space at an end, or contain control or invisible characters',
};

const plainForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text is a guid without braces, in any case. */
export const isGuid = (text: string): boolean => plainForm.test(text);

/** Returns a guid in lower case without braces, from any case and with or without braces; undefined for any other text. */
export function parseGuid(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const plain = value.startsWith('{') && value.endsWith('}') ? value.slice(1, -1) : value;
  return isGuid(plain) ? plain.toLowerCase() : undefined;
}

/** Whether `YYYY-MM-DD` is a day of the calendar. JavaScript reads the 31st of February as the 3rd of March. */
export function isOnCalendar(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** Whether the text is a day of the calendar, `YYYY-MM-DD`, without a time. */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && isOnCalendar(text);

/** Whether the time is in the years 0001 to 9999 in UTC; the database accepts no ISO 8601 text for others. */
export function isWrittenInFourDigits(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** https://www.postgresql.org/docs/18/datatype-numeric.html */
export const integerMax = 2_147_483_647;
const bigintMax = 2n ** 63n - 1n;

/** Whether a text is a whole number in the range of bigint. */
export const isBigint = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt(text) <= bigintMax && BigInt(text) >= -bigintMax - 1n;

/** Milliseconds from 1970 to 2000, where binary times begin. */
export const timeEpochMs = Date.UTC(2000, 0, 1);

/** RFC 6749 §3.3, Appendix A.4: the characters of one entry of a `scope` text. */
const outsideScopeToken = /[^\x21\x23-\x5b\x5d-\x7e]/;

export const isScopeToken = (entry: string): boolean => entry !== '' && !outsideScopeToken.test(entry);

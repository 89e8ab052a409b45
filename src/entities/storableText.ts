/** Checks which texts PostgreSQL can store. */

/** What PostgreSQL can't store in a text, NUL or half of a surrogate pair; undefined for text that it stores as it is. */
export const findUnstorable = (text: string): 'NUL' | 'surrogate' | undefined =>
  text.includes('\0') ? 'NUL' : text.isWellFormed() ? undefined : 'surrogate';

/** What callers sent and is only shown again: with U+FFFD instead of what cannot be stored. */
export const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** Whether PostgreSQL can store the text. */
export const isStorable = (text: string): boolean => findUnstorable(text) === undefined;

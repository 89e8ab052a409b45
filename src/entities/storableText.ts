/** Checks which texts PostgreSQL can store. */

/**
 * Returns the part of a text that PostgreSQL can't store, NUL or half of a surrogate pair; undefined for text that it stores
 * as it is.
 */
export const findUnstorable = (text: string): 'NUL' | 'surrogate' | undefined =>
  text.includes('\0') ? 'NUL' : text.isWellFormed() ? undefined : 'surrogate';

/** Prepares a text of a caller for display: U+FFFD replaces what cannot be stored. */
export const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** Whether PostgreSQL can store the text. */
export const isStorable = (text: string): boolean => findUnstorable(text) === undefined;

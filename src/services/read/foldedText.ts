/** Folds texts (no accents, lower case, letters such as ß as two), so that `muller` matches `Müller`; the same for all lists and searches. */
import { isStorable } from '../../entities/valueForms.js';
import { badInput } from '../../errors.js';

/**
 * Letters that do not decompose into a letter and marks, and their folded forms. `fold_text` of the database has the same, in
 * Migration20261127060000; `npm run generate` copies them for the console.
 */
// biome-ignore format: as many as a line holds
export const letters: Readonly<Record<string, string>> = {
  ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ħ: 'h', ŧ: 't', ŋ: 'n', ĸ: 'k', ə: 'e', ς: 'σ',
  ƀ: 'b', ɓ: 'b', ƈ: 'c', ȼ: 'c', ɖ: 'd', ɗ: 'd', ɇ: 'e', ǥ: 'g', ɠ: 'g', ɨ: 'i', ɉ: 'j', ƙ: 'k', ƚ: 'l', ɲ: 'n', ɵ: 'o', ɍ: 'r',
  ⱦ: 't', ʉ: 'u', ɏ: 'y', ƴ: 'y', ƶ: 'z', ȥ: 'z', ⱥ: 'a',
};

/** SQL of a folded text. */
export const foldedSql = (text: string): string => `fold_text(${text})`;

/** SQL of the texts of columns, as one text. Migrations indexed exactly this expression, folded. */
export const joinedSql = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(${column}, '')`).join(" || ' ' || ");

export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[\u0080-\uffff]/g, (letter) => letters[letter] ?? letter);

const charactersMax = 200;
const wordsMax = 8;

/** The words of a text, folded. Throws BAD_USER_INPUT, keyed by the place of the text. */
export function wordsOf(text: string, at = 'text'): string[] {
  const words = fold(text)
    .split(/\s{1,200}/)
    .filter(Boolean);
  if (text.length > charactersMax || words.length > wordsMax || !isStorable(text))
    throw badInput({
      [at]: [`The text must be at most ${wordsMax} words and ${charactersMax} characters of plain text.`],
    });
  return words;
}

/** SQL that is true where the columns contain every word; without words it is always true. @param bind returns the SQL of a value */
export function containsWords(
  columns: readonly string[],
  words: readonly string[],
  bind: (value: string) => string,
): string {
  const folded = foldedSql(joinedSql(columns));
  const parts = words.map((word) => `(${folded}) like ${bind(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}::text`);
  return parts.length > 0 ? `(${parts.join(' and ')})` : 'true';
}

/** Texts without accents and in lower case, so that `muller` is a part of `Müller`: the same in every list and search. */
import { badInput } from '../../errors.js';

/** Letters that no accent is taken from, and what they are found by. */
const letters = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', ħ: 'h', ŧ: 't' };

/** SQL of the same; a migration indexes these very expressions. */
const foldedSql = (columns: readonly string[]): string => {
  const text = columns.map((column) => `coalesce(${column}, '')`).join(" || ' ' || ");
  return `translate(lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g')), '${Object.keys(letters).join('')}', '${Object.values(letters).join('')}')`;
};

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[øłđıħŧ]/g, (letter) => letters[letter as keyof typeof letters]);

const charactersMax = 200;
const wordsMax = 8;

/**
 * SQL that is true where every word of the text is a part of the columns; of no word all. Throws BAD_USER_INPUT.
 * @param bind gives the SQL of a value
 */
export function containsWords(
  columns: readonly string[],
  text: string | null | undefined,
  bind: (value: string) => string,
): string {
  if (!text) return 'true';
  const words = fold(text)
    .split(/\s{1,200}/)
    .filter(Boolean);
  if (text.length > charactersMax || words.length > wordsMax || text.includes('\0') || !text.isWellFormed())
    throw badInput({
      text: [`The text field must be at most ${wordsMax} words and ${charactersMax} characters of plain text.`],
    });
  const folded = foldedSql(columns);
  const parts = words.map((word) => `${folded} like ${bind(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}::text`);
  return parts.length > 0 ? `(${parts.join(' and ')})` : 'true';
}

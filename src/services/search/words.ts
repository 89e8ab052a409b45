/**
 * Words of a record as PostgreSQL indexes them: runs of letters and digits, in lower case, found by their beginnings. Both
 * the texts of records and what somebody types are cut up by the same expression, so what is found does not depend on how
 * the database sorts or spells. White space and ASCII punctuation stand between words; nothing else does.
 */

const separators = String.raw`'[\s!-/:-@\[-\u0060{-~]+'`;

/** SQL: an array of the words of a text. */
const wordsOf = (text: string): string => `array_remove(regexp_split_to_array(lower(${text}), ${separators}), '')`;

/** SQL: the words of columns as the migration indexed them, letter for letter; their index is used for no other text. */
export const indexedWords = (columns: readonly string[]): string =>
  `array_to_tsvector(${wordsOf(columns.map((column) => `coalesce(${column}, '')`).join(" || ' ' || "))})`;

/** SQL: what finds records in which every word of the text begins one; null where the text has none. Words hold no quotes. */
export const queryOf = (text: string): string =>
  `(select string_agg(distinct '''' || word || ''':*', ' & ')::tsquery from unnest(${wordsOf(text)}) word)`;

/** Folds texts (no accents, lower case), so that `muller` matches `Müller`; the same for all lists and searches. */
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { Application } from '../../entities/Application.js';
import { ChangeSet } from '../../entities/ChangeSet.js';
import { Client } from '../../entities/Client.js';
import type { RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { Role } from '../../entities/Role.js';
import { User } from '../../entities/User.js';
import { isStorable } from '../../entities/valueForms.js';
import { badInput } from '../../errors.js';

/** Records with a `text` filter, and the fields that it searches. */
export const textFields: ReadonlyMap<RecordClass, readonly string[]> = new Map<RecordClass, readonly string[]>([
  [AccessScope, ['name', 'accessScopeKey']],
  [AccessScopeType, ['name']],
  [Application, ['name']],
  [ChangeSet, ['note']],
  [Client, ['name', 'clientId']],
  [Profile, ['name', 'profileId']],
  [Role, ['name', 'roleId']],
  [User, ['firstName', 'lastName', 'email', 'idpid', 'department', 'jobTitle']],
]);

/** Letters that don't decompose into letter and accent, and their folded form. */
const letters = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', ħ: 'h', ŧ: 't' };

/** SQL of the folded texts of columns. A migration indexed exactly this expression for users. ASCII takes a shorter way, at a fifth of the cost. */
const foldedSql = (columns: readonly string[]): string => {
  const text = columns.map((column) => `coalesce(${column}, '')`).join(" || ' ' || ");
  const lettersFrom = Object.keys(letters).join('');
  const lettersTo = Object.values(letters).join('');
  return `case when octet_length(${text}) = length(${text}) then lower(${text}) else translate(lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g')), '${lettersFrom}', '${lettersTo}') end`;
};

export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[øłđıħŧ]/g, (letter) => letters[letter as keyof typeof letters]);

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
  const folded = foldedSql(columns);
  const parts = words.map((word) => `(${folded}) like ${bind(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}::text`);
  return parts.length > 0 ? `(${parts.join(' and ')})` : 'true';
}

/** Numbers, names and texts as people read them. */
import { letters } from './letters.js';

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

interface Person {
  firstName?: string | null;
  lastName?: string | null;
  email?: string | null;
}

/** First and last name, else the e-mail address. */
export const fullName = (person: Person | null | undefined): string =>
  [person?.firstName, person?.lastName].filter(Boolean).join(' ') || person?.email || 'unnamed person';

/** What tells namesakes apart: name and e-mail, as accessible names and headings have them. */
export const nameAndMail = (person: Person | null | undefined): string =>
  person?.email && person.email !== fullName(person) ? `${fullName(person)}, ${person.email}` : fullName(person);

interface ScopeKey {
  accessScopeKey: string | null;
  concreteId: number | null;
  isWildcard: boolean;
}

/** As tokens name an access scope, such as `site:harbour`. */
export const entryOf = (type: { name: string }, { accessScopeKey, concreteId, isWildcard }: ScopeKey): string =>
  `${type.name}:${isWildcard ? '*' : (accessScopeKey ?? concreteId ?? '')}`;

/** Each word of what was typed; a list is searched for all of them. */
export const wordsOf = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter(Boolean);

/** As searches compare: without accents, in lower case, and letters such as ß as two. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[\u0080-\uffff]/g, (letter) => letters[letter] ?? letter);

/** Whether every word of what was typed is a part of it, as searches compare. */
export function holdsWords(name: string, text: string | undefined): boolean {
  const within = folded(name);
  return wordsOf(folded(text ?? '')).every((word) => within.includes(word));
}

/** Up to four names, and how many more: “Ada Berg, Emma Fischer and 3 more”. */
export function namesOf(names: readonly string[], total: number, most = 4): string {
  const shown = names.slice(0, most);
  const rest = total - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest.toLocaleString('en')} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : (shown[0] ?? '');
}

export { fieldLabel as fieldWords } from '../../src/entities/fieldLabels';

/** A value as it is shown in a comparison. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

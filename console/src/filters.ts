/** Filters of lists and pickers: every word that was typed must be found. */
import type {
  AccessScopeFilter,
  AccessScopeTypeFilter,
  ApplicationFilter,
  ClientFilter,
  ProfileFilter,
  RoleFilter,
  StringFilter,
  UserFilter,
} from './operations/generated/graph';
import { wordsOf } from './words';

const holds = (contains: string): StringFilter => ({ contains, ignoreCase: true });

/** Undefined: all. */
export const all = <Filter extends object>(filters: readonly Filter[]): { and: Filter[] } | undefined =>
  filters.length === 0 ? undefined : { and: [...filters] };

/** Lists, pickers and the palette search names alike: any part of each word, accents and case do not count. */
export const named = (text: string): { text: string } => ({ text });

export const applicationWords = (q: string | undefined): ApplicationFilter[] =>
  wordsOf(q).map((word) => ({ or: [named(word), { description: holds(word) }] }));

/** Searches people by names, e-mail address and id, which have an index. Department and job are filters of the list. */
export const userWords = (q: string | undefined): UserFilter[] => wordsOf(q).map(named);

export const scopeWords = (q: string | undefined): AccessScopeFilter[] =>
  wordsOf(q).map((word) => ({ or: [named(word), { description: holds(word) }] }));

export const typeWords = (q: string | undefined): AccessScopeTypeFilter[] => wordsOf(q).map(named);

export const profileWords = (q: string | undefined): ProfileFilter[] =>
  wordsOf(q).map((word) => ({ or: [named(word), { description: holds(word) }] }));

export const roleWords = (q: string | undefined): RoleFilter[] =>
  wordsOf(q).map((word) => ({ or: [named(word), { description: holds(word) }] }));

export const clientWords = (q: string | undefined): ClientFilter[] => wordsOf(q).map(named);

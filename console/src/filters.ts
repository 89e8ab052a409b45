/** Filters of lists: every word that was typed must be found. */
import type {
  AccessScopeFilter,
  AccessScopeTypeFilter,
  ApplicationFilter,
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

export const applicationWords = (q: string | undefined): ApplicationFilter[] =>
  wordsOf(q).map((word) => ({ or: [{ name: holds(word) }, { description: holds(word) }] }));

export const userWords = (q: string | undefined): UserFilter[] =>
  wordsOf(q).map((word) => ({
    or: [
      { firstName: holds(word) },
      { lastName: holds(word) },
      { email: holds(word) },
      { jobTitle: holds(word) },
      { department: holds(word) },
    ],
  }));

export const scopeWords = (q: string | undefined): AccessScopeFilter[] =>
  wordsOf(q).map((word) => ({
    or: [{ name: holds(word) }, { accessScopeKey: holds(word) }, { description: holds(word) }],
  }));

export const typeWords = (q: string | undefined): AccessScopeTypeFilter[] =>
  wordsOf(q).map((word) => ({ name: holds(word) }));

export const profileWords = (q: string | undefined): ProfileFilter[] =>
  wordsOf(q).map((word) => ({ or: [{ name: holds(word) }, { profileId: holds(word) }, { description: holds(word) }] }));

export const roleWords = (q: string | undefined): RoleFilter[] =>
  wordsOf(q).map((word) => ({ or: [{ name: holds(word) }, { roleId: holds(word) }, { description: holds(word) }] }));

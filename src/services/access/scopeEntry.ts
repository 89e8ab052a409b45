/**
 * Defines an entry of the `scopes` claim, as SQL and for records in memory (test/services/scopeEntry.test.ts compares them):
 * `<type>:*` for a wildcard, else `<type>:<key>`, else `<type>:<concreteId>`.
 */
import { isScopeToken } from '../../entities/valueForms.js';

/** The fields that decide an entry. */
export interface ScopeParts {
  typeName: string;
  accessScopeKey: string | null;
  concreteId: number | null;
  isWildcard: boolean;
}

/** Undefined for an access scope that has neither key nor concreteId: it is in no token. */
export function scopeEntry({ typeName, accessScopeKey, concreteId, isWildcard }: ScopeParts): string | undefined {
  const value = isWildcard ? '*' : accessScopeKey || concreteId;
  return value === null ? undefined : `${typeName}:${value}`;
}

/** SQL: the tables that the two expressions below read. */
export const scopesAndTypes =
  'access_scopes scope join access_scope_types type on type.access_scope_type_id = scope.access_scope_type_id';

/** SQL: the entry of the access scope `scope` of the type `type`; null where there is none. */
export const scopeEntryColumn = `type.name || ':' ||
      case when scope.is_wildcard then '*' else coalesce(nullif(scope.access_scope_key, ''), scope.concrete_id::text) end`;

/** SQL: whether both are active; only then the entry is issued and opens applications. */
export const scopeIsInUse = 'scope.is_active and type.is_active';

const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]|(?!\s)\p{Cc}/u;
const unfit = /[\s\p{Quotation_Mark}`\\]/u;

/**
 * The problem of a key or a type's name: `unseen` are control, format and other invisible characters, with which different
 * entries could look the same; `unfit` are white space, quotes and backslashes, which a `scope` text can't contain but keys of
 * old systems may.
 */
export const findTextFlaw = (text: string): 'unseen' | 'unfit' | undefined =>
  unseen.test(text) ? 'unseen' : unfit.test(text) ? 'unfit' : undefined;

/** The rule for new or changed keys and names. */
export const textRule = 'must not contain white space, control or format characters, quotes or backslashes';

/** APIs read `<type>:*` as every scope of the type, whatever `isWildcard` says. */
export const everyKey = '*';

/** The wildcard that covers the entry: that of its type. `admin:*` covers nothing. */
export function wildcardOf(entry: string): string | undefined {
  const type = entry.split(':', 1)[0]!;
  return type === 'admin' ? undefined : `${type}:${everyKey}`;
}

/** Whether the entries of a `scopes` claim include the entry or its wildcard. */
export const covers = (scopes: readonly string[], entry: string): boolean =>
  scopes.includes(entry) || scopes.includes(wildcardOf(entry) ?? entry);

/** The rule for new or changed keys. */
export const everyKeyRule = `must not be ${everyKey}, which APIs read as every scope of the type; set isWildcard for that`;

/** SQL: whether an entry is no scope-token, like `isScopeToken`. */
export const notScopeToken = (entry: string): string => `(${entry}) collate "C" !~ '^[!#-\\[\\]-~]+$'`;

/**
 * The `scope` text of RFC 6749 and RFC 7662. An entry with a space would be read as two, so entries that are not scope-tokens
 * are left out; they are only in the `scopes` array.
 */
export const scopeText = (entries: readonly string[]): string => entries.filter(isScopeToken).join(' ');

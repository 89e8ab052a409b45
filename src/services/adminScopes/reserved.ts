/** The access scopes that open Gatehouse's own administration: seeded by the migrations, and nobody else's to imitate. */
import { looksLikeAdmin } from './lookAlike.js';

/** Guid of the access scope type `admin`. */
export const reservedTypeGuid = 'ad300000-0000-4000-8000-000000000000';
const reservedTypeName = 'admin';

/** Keys of the reserved access scopes by their guids. */
export const reservedScopeKeys: ReadonlyMap<string, string> = new Map([
  ['ad300000-0000-4000-8000-000000000001', 'read'],
  ['ad300000-0000-4000-8000-000000000002', 'write'],
  ['ad300000-0000-4000-8000-000000000003', 'security'],
]);

/** Numbers of access scope types and access scopes from here on are the reserved records' own. */
const reservedNumbersFrom = 2_000_000_000;

/** Why a new access scope type or access scope can't have the number; undefined: it is to be given one. */
export const findNumberProblem = (number: number | undefined): string | undefined =>
  number !== undefined && number >= reservedNumbersFrom
    ? `must be below ${reservedNumbersFrom}: from there on numbers are reserved`
    : undefined;

/** Why the access scope type can't have the name: it is the part before the colon of an entry of `scopes`. */
export function findTypeNameProblem(accessScopeTypeGuid: string | undefined, name: string): string | undefined {
  if (/[\s:]/u.test(name)) return 'must hold neither a colon nor white space';
  if (accessScopeTypeGuid === reservedTypeGuid)
    return name === reservedTypeName ? undefined : `must stay ${reservedTypeName}: the type is reserved`;
  return looksLikeAdmin(name)
    ? `is reserved for Gatehouse's administration, which has the type ${reservedTypeGuid}, as is whatever looks like it`
    : undefined;
}

export interface ScopeOfType {
  accessScopeGuid?: string | undefined;
  accessScopeTypeGuid: string;
  accessScopeKey: string | null | undefined;
  isWildcard: boolean | undefined;
}

/** The field, and why the access scope can't be so: `admin:*` would be everything, and the reserved ones stay as they are. */
export function findScopeProblem(scope: ScopeOfType): { field: keyof ScopeOfType; problem: string } | undefined {
  const { accessScopeGuid, accessScopeTypeGuid, accessScopeKey, isWildcard } = scope;
  const reservedKey = reservedScopeKeys.get(accessScopeGuid ?? '');
  if (reservedKey !== undefined) {
    if (accessScopeTypeGuid !== reservedTypeGuid)
      return { field: 'accessScopeTypeGuid', problem: `must stay ${reservedTypeGuid}: the access scope is reserved` };
    if (accessScopeKey !== reservedKey)
      return { field: 'accessScopeKey', problem: `must stay ${reservedKey}: the access scope is reserved` };
  }
  if (accessScopeTypeGuid !== reservedTypeGuid) return undefined;
  if (isWildcard) return { field: 'isWildcard', problem: 'must be false: admin:* is not accepted' };
  if (accessScopeKey === '*') return { field: 'accessScopeKey', problem: 'must be another: admin:* is not accepted' };
  return undefined;
}

/** What is reserved for the administration: the type `admin`, its access scopes, their numbers, and names that look like it. */
import { everyKey } from '../access/scopeEntry.js';
import { reservedTypeGuid } from './guard.js';

/**
 * What looks like a letter of `admin`, by the letter: the similar letters of Unicode (UTS #39, confusables.txt), small capitals,
 * letters in boxes, and digits and strokes that look like an i. A table of the whole alphabet would be a hundred times as long.
 */
const shapes: Record<string, string> = {
  a: 'ɑαа⍺⍶ẚᴀꭺᗅꓮ𖽀𐊠🅐🅰🇦@',
  d: 'ԁɗɖƌđðᴅꭰꮷᑯᗞᗪꓒꓓ₫🅓🅳🇩',
  m: 'μмӎϻɱᵯᴍⲙꮇᗰᛖꓟ𐊰𐌑𑣣𑜀₥🅜🅼🇲',
  i: 'іıɪɩιɨᵻᵼꙇꭵⲓ⍳⍸𑣃🅘🅸🇮1l|!łɭƚɫӏǀ∣⏽│׀וןا١۱ٳߊⵏᛁꓲ𖼨𐊊𐌉𐌠𝈪',
  n: 'ոռνηпɳƞɲᵰɴⲛꓠ𐔓𐆎🅝🅽🇳',
};
const letterOf = new Map(
  Object.entries(shapes).flatMap(([letter, alike]) => [...alike].map((shape) => [shape, letter] as const)),
);
/** Accents and invisible characters. */
const besides = /[\p{M}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** Whether a name looks like `admin` to a person who reads a list of scopes, in any case, script and width. */
export function looksLikeAdmin(name: string): boolean {
  // compatibility forms (full width, mathematical, encircled) become plain letters, and accents stand by themselves
  const plain = name.normalize('NFKD').replace(besides, '').toLowerCase();
  const letters = [...plain].map((letter) => letterOf.get(letter) ?? letter).join('');
  return letters.replaceAll('rn', 'm') === 'admin';
}

const reservedTypeName = 'admin';

/** Keys of the reserved access scopes by their guids. */
export const reservedScopeKeys: ReadonlyMap<string, string> = new Map([
  ['ad300000-0000-4000-8000-000000000001', 'read'],
  ['ad300000-0000-4000-8000-000000000002', 'write'],
  ['ad300000-0000-4000-8000-000000000003', 'security'],
]);

/** Numbers of access scope types and access scopes from here on are reserved. */
const reservedNumbersFrom = 2_000_000_000;

/** Why a new access scope type or access scope can't have the number; undefined if it can. */
export const findNumberProblem = (number: number | undefined): string | undefined =>
  number !== undefined && number >= reservedNumbersFrom
    ? `must be below ${reservedNumbersFrom}: higher numbers are reserved`
    : undefined;

/** Why the access scope type can't have the name: it is the part before the colon of an entry of `scopes`. */
export function findTypeNameProblem(accessScopeTypeGuid: string | undefined, name: string): string | undefined {
  if (/[\s:]/u.test(name)) return 'must not contain a colon or white space';
  if (accessScopeTypeGuid === reservedTypeGuid)
    return name === reservedTypeName ? undefined : `must stay ${reservedTypeName}: the type is reserved`;
  return looksLikeAdmin(name)
    ? `is reserved for Gatehouse's administration, which has the type ${reservedTypeGuid}, like every name that resembles it`
    : undefined;
}

export interface ScopeOfType {
  accessScopeGuid?: string | undefined;
  accessScopeTypeGuid: string;
  accessScopeKey: string | null | undefined;
  isWildcard: boolean | undefined;
}

/** The field of the access scope that is not allowed, and why: `admin:*` would permit everything, and the reserved access scopes must not change. */
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
  if (accessScopeKey === everyKey)
    return { field: 'accessScopeKey', problem: 'must be another: admin:* is not accepted' };
  return undefined;
}

/**
 * No escalation: whatever could give somebody an administration scope changes only with `admin:security`. That is the
 * reserved type `admin`, the scopes that ADMIN_READ_SCOPES and ADMIN_WRITE_SCOPES name, the links of both to profiles,
 * the links of users to such profiles, and the identity of the users who hold them. Over the console it also needs a fresh
 * sign-in (REAUTHENTICATE).
 */
import type { Context, EntityManager } from '../../context.js';
import { execute } from '../execute.js';
import { permit, permitDirectly, requireFreshSignIn } from '../permit.js';
import { type ScopeParts, scopeEntry, scopeEntryColumn, scopesAndTypes } from '../scopeEntry.js';

/**
 * Whether a name looks like `admin` to a person who reads a list of scopes. The similar letters are those of Unicode (UTS #39,
 * confusables.txt), small capitals, letters in boxes, and digits and strokes that look like an i. A table of the whole alphabet
 * would be a hundred times as long.
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

/** Compares in any case, script and width, without accents and invisible characters. */
export function looksLikeAdmin(name: string): boolean {
  // compatibility forms (full width, mathematical, encircled) become plain letters, and accents stand by themselves
  const plain = name.normalize('NFKD').replace(besides, '').toLowerCase();
  const letters = [...plain].map((letter) => letterOf.get(letter) ?? letter).join('');
  return letters.replaceAll('rn', 'm') === 'admin';
}

/** Guid of the access scope type `admin`. */
export const reservedTypeGuid = 'ad300000-0000-4000-8000-000000000000';
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
  if (accessScopeKey === '*') return { field: 'accessScopeKey', problem: 'must be another: admin:* is not accepted' };
  return undefined;
}

/** The fields of an access scope that decide whether it grants administration. */
export interface GuardedScope extends ScopeParts {
  accessScopeTypeGuid: string;
}

export function permitPower(context: Context): void {
  permit(context, 'admin:security');
  permitDirectly(context, 'admin:security');
  requireFreshSignIn(context);
}

/** Entries that grant administration in addition to those of the type `admin`. */
export const legacyScopes = ({ config }: Context): string[] => [...config.adminReadScopes, ...config.adminWriteScopes];

/** Requires `admin:security` when an access scope grants administration, as it is or as it will be. */
export function permitScope(context: Context, ...states: (GuardedScope | undefined)[]): void {
  for (const scope of states) {
    if (!scope) continue;
    const entry = scopeEntry(scope);
    const isNamed = entry !== undefined && legacyScopes(context).includes(entry);
    if (scope.accessScopeTypeGuid === reservedTypeGuid || isNamed) permitPower(context);
  }
}

/** Requires `admin:security` if the type is the reserved one, or if its old or new name is that of the type of an administration scope. */
export function permitType(
  context: Context,
  accessScopeTypeGuid: string | undefined,
  ...names: (string | undefined)[]
): void {
  const prefixes = legacyScopes(context).map((scope) => scope.slice(0, scope.indexOf(':')));
  if (accessScopeTypeGuid === reservedTypeGuid || names.some((name) => name !== undefined && prefixes.includes(name)))
    permitPower(context);
}

/** SQL: whether the access scope `scope` of the type `type` grants administration. @param legacy SQL of `legacyScopes` */
export const administers = (legacy: string): string =>
  `(type.access_scope_type_guid = '${reservedTypeGuid}' or ${scopeEntryColumn} = any(${legacy}::text[]))`;
const links = `profile_access_scopes has join (${scopesAndTypes}) using (access_scope_id)`;

async function ask(em: EntityManager, context: Context, condition: string, values: unknown): Promise<void> {
  const administrators = await execute(em, `select 1 from ${condition} and ${administers('$2')} limit 1`, [
    values,
    legacyScopes(context),
  ]);
  if (administrators.length > 0) permitPower(context);
}

/**
 * Returns a fingerprint of the administration scopes, their types, and who holds them by which profile until when. A writer of sets of
 * records compares it before and after, and calls `permitPower` when it differs.
 */
export async function readPower(em: EntityManager, context: Context): Promise<string> {
  const [row] = await execute<{ power: string }>(
    em,
    `with granting as materialized (select scope.access_scope_id, concat_ws(' ', scope::text, type::text) as state
        from ${scopesAndTypes} where ${administers('$1')}),
      links as materialized (select has.profile_id, has.access_scope_id, has.valid_until from profile_access_scopes has join granting using (access_scope_id))
    select md5(coalesce(string_agg(line, chr(10) order by line), '')) as power from (
      select concat_ws(' ', 'scope', state) as line from granting
      union all select concat_ws(' ', 'link', profile_id, access_scope_id, valid_until) from links
      union all select concat_ws(' ', 'holder', user_id, profile_id, valid_until) from user_profiles
        where profile_id in (select profile_id from links)
    ) lines`,
    [legacyScopes(context)],
  );
  return row!.power;
}

/** Requires `admin:security` if one of the access scopes, which are linked to or unlinked from a profile, grants administration. */
export const permitScopeLinks = (
  em: EntityManager,
  context: Context,
  accessScopeIds: readonly number[],
): Promise<void> => ask(em, context, `${scopesAndTypes} where scope.access_scope_id = any($1::int[])`, accessScopeIds);

/** Requires `admin:security` if the profile, whose links to users or scopes change, has an administration scope. */
export const permitProfile = (em: EntityManager, context: Context, profileId: string): Promise<void> =>
  ask(em, context, `${links} where has.profile_id = $1`, profileId);

/** Requires `admin:security` if the user holds a profile with an administration scope. */
export const permitUser = (em: EntityManager, context: Context, userId: number): Promise<void> =>
  ask(
    em,
    context,
    `${links} join user_profiles link on link.profile_id = has.profile_id where link.user_id = $1`,
    userId,
  );

/** Who holds what: the role of a user in a profile, the scopes of a profile, and when both end. */
import { lasts } from './grants.js';
import { scopeEntryColumn, scopeIsInUse, scopesAndTypes } from './scopeEntry.js';

/**
 * SQL: `role_id` of the user's lowest link to the profile that lasts, as a value, null where there is none, or as a table,
 * empty then.
 */
export const heldRole = (userId: string, profileId: string, columns = 'role_id'): string => `(
    select ${columns} from user_profiles granted
    where granted.user_id = ${userId} and granted.profile_id = ${profileId} and ${lasts('granted')}
    order by user_profile_id limit 1)`;

/** SQL: the same as a table, with `role_ends`: when the link ends, in seconds since 1970; null: never. */
export const heldLink = (userId: string, profileId: string): string =>
  heldRole(userId, profileId, `role_id, ${secondsOf('valid_until')} as role_ends`);

/**
 * SQL: a table of one row if the user is not blocked and holds the profile now, as an insert of a session needs it. User and link stay
 * locked until the transaction ends: a change that ends sessions finds this one, or this finds what was changed (endSessions.ts).
 * @param whenLocked `skip locked`: also empty while such a change is under way
 */
export const holdsNow = (userGuid: string, profileId: string, whenLocked = ''): string => `(
    select from users u join user_profiles granted using (user_id)
    where u.user_guid = ${userGuid} and granted.profile_id = ${profileId} and not u.is_blocked and ${lasts('granted')}
    limit 1 for key share of u, granted ${whenLocked})`;

const secondsOf = (time: string): string => `extract(epoch from ${time})::float8`;

const scopesOf = (profileId: string, columns: string): string => `(
    select coalesce(array_agg(distinct ${scopeEntryColumn}) filter (where ${scopeEntryColumn} is not null), '{}')${columns}
    from profile_access_scopes has join (${scopesAndTypes}) using (access_scope_id)
    where has.profile_id = ${profileId} and ${lasts('has')} and ${scopeIsInUse})`;

/** SQL: the profile's scopes that are in use, an array of text. */
export const heldScopes = (profileId: string): string => scopesOf(profileId, '');

/** SQL: the same as a table of one row, `scopes`, with `scope_ends`: those that end, each with the seconds since 1970. */
export const heldScopesWithEnds = (profileId: string): string =>
  scopesOf(
    profileId,
    ` as scopes,
      jsonb_agg(jsonb_build_array(${scopeEntryColumn}, ${secondsOf('has.valid_until')}))
        filter (where has.valid_until is not null and ${scopeEntryColumn} is not null) as scope_ends`,
  );

/** When a holding ends, as the statements above read it. */
export interface HeldEnds {
  role_ends: number | null;
  scope_ends: [entry: string, endsAtSeconds: number][] | null;
}

/** When the first grant behind a token with these scopes ends, in whole seconds since 1970; undefined: never. */
export function firstEnd({ role_ends, scope_ends }: HeldEnds, scopes: readonly string[]): number | undefined {
  if (role_ends === null && scope_ends === null) return undefined;
  const issued = new Set(scopes);
  const ends = (scope_ends ?? []).flatMap(([entry, end]) => (issued.has(entry) ? end : []));
  const first = Math.floor(Math.min(role_ends ?? Number.POSITIVE_INFINITY, ...ends));
  return Number.isFinite(first) ? first : undefined;
}

/** SQL: the scopes of many profiles, a row with `profile_id` and `value` for each. @param condition may name the link `has` */
export const heldEntries = (condition: string): string => `
    select has.profile_id, ${scopeEntryColumn} as value
    from profile_access_scopes has join (${scopesAndTypes}) using (access_scope_id)
    where ${condition} and ${lasts('has')} and ${scopeIsInUse} and ${scopeEntryColumn} is not null`;

/** SQL: for user `u`, where it has the profile, `link.role_id` and `held.scopes`, with their ends. */
export const holdingJoins = (profileId: string): string => `
  cross join lateral ${heldLink('u.user_id', profileId)} link
  cross join lateral ${heldScopesWithEnds(profileId)} held`;

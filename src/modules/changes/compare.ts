/** Compares two profiles or two users: records of only one of them, and of both. */
import type { Context } from '../../context.js';
import { Profile } from '../../entities/Profile.js';
import { User } from '../../entities/User.js';
import { notFound } from '../../errors.js';
import { lasts } from '../../services/access/grants.js';
import { openings } from '../../services/access/openings.js';
import { permit } from '../../services/permit.js';
import { type Condition, readByKeys } from '../../services/read/readPages.js';

type Compared = 'profile' | 'user';
export type ComparedKind = 'profiles' | 'scopes' | 'applications' | 'people';
type ComparedSide = 'onlyLeft' | 'onlyRight' | 'both';

export interface ComparedPair {
  compared: Compared;
  left: unknown;
  right: unknown;
}

/** The compared records, with the keys by which the sides are read. Throws FORBIDDEN, NOT_FOUND. */
export async function comparePair(
  context: Context,
  compared: Compared,
  left: string,
  right: string,
): Promise<ComparedPair> {
  permit(context, 'admin:read');
  const [record, field, key] =
    compared === 'profile' ? [Profile, 'profileId', 'profileId'] : [User, 'userGuid', 'userId'];
  const rows = await readByKeys(context, { record, fields: new Set([key]), toOne: new Map() }, field, [left, right]);
  const [one, other] = [rows.get(left), rows.get(right)];
  if (!one || !other) throw notFound(compared === 'profile' ? 'The profile' : 'The user');
  return { compared, left: one[key], right: other[key] };
}

/** SQL: the profiles of a side. */
const profilesOf = (compared: Compared, key: string): string =>
  compared === 'profile'
    ? `select ${key}::text as profile_id`
    : `select held.profile_id from user_profiles held join users u using (user_id)
       where held.user_id = ${key}::int and not u.is_blocked and ${lasts('held')}`;

const columns: Record<ComparedKind, string> = {
  profiles: 'profile_id',
  scopes: 'access_scope_id',
  applications: 'application_id',
  people: 'user_id',
};

/** SQL: the records of a side. */
function recordsOfSide(kind: ComparedKind, profiles: string, states: string): string {
  if (kind === 'profiles') return profiles;
  if (kind === 'people')
    return `select link.user_id from user_profiles link where ${lasts('link')} and link.profile_id in (${profiles})`;
  if (kind === 'scopes')
    return `select has.access_scope_id from profile_access_scopes has where ${lasts('has')} and has.profile_id in (${profiles})`;
  return `select opening.application_id from (${openings(`has.profile_id in (${profiles})`, states)}) opening
    join applications opened using (application_id) where opened.is_active`;
}

/** The records of one part of a comparison. */
export function partOfComparison(
  { config }: Context,
  { compared, left, right }: ComparedPair,
  kind: ComparedKind,
  side: ComparedSide,
): Condition {
  return (statement, alias) => {
    const states = kind === 'applications' ? statement.bind(config.mappingActiveStates, 'text[]') : '';
    const type = compared === 'profile' ? 'text' : 'int';
    const has = (key: unknown) =>
      `${alias}.${columns[kind]} in (${recordsOfSide(kind, profilesOf(compared, statement.bind(key, type)), states)})`;
    const [one, other] = [has(left), has(right)];
    return { onlyLeft: `${one} and not ${other}`, onlyRight: `${other} and not ${one}`, both: `${one} and ${other}` }[
      side
    ];
  };
}

/** The holders of both profiles who could open the same applications without one of the two. */
export function redundantHolders({ config }: Context, { left, right }: ComparedPair): Condition {
  return (statement, alias) => {
    const states = statement.bind(config.mappingActiveStates, 'text[]');
    const [one, other] = [statement.bind(left, 'text'), statement.bind(right, 'text')];
    const holds = (profile: string) =>
      `exists (select from user_profiles link where link.user_id = ${alias}.user_id and link.profile_id = ${profile} and ${lasts('link')})`;
    const opened = (profile: string) => recordsOfSide('applications', `select ${profile}`, states);
    const loses = (without: string, remaining: string) => `exists (
      select from (${opened(without)} except ${opened(remaining)}) missing where not exists (
        select from (${openings(
          `m.application_id = missing.application_id and has.profile_id in (select link.profile_id from user_profiles link
             where link.user_id = ${alias}.user_id and link.profile_id <> ${without} and ${lasts('link')})`,
          states,
        )}) opening))`;
    return `${holds(one)} and ${holds(other)} and (not ${loses(one, other)} or not ${loses(other, one)})`;
  };
}

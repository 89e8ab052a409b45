/**
 * Finds the smallest change sets that would open the application. Those that grant an administration scope come last; the
 * others are ordered by how many other people gain access, then by how much more the user gains.
 */
import type { Context } from '../../../context.js';
import { lasts } from '../../../services/access/grants.js';
import type { AccessReason, ExplainedWay } from './links.js';
import type { Way } from './ways.js';

/** The user and the application of the question. */
export interface Target {
  userGuid: string;
  applicationGuid: string;
}

interface RemedyEffect {
  /** Whether it needs the permission to grant an administration scope. */
  grantsAdministration: boolean;
  /** Other people who gain access. */
  othersGaining: number;
  /** Applications and entries of scopes that the user gains. */
  gained: number;
}

/** Tries changes, which are members of ChangeInput; undefined where they can no longer be made. */
export type Judge = (userGuid: string, changes: readonly object[]) => Promise<RemedyEffect | undefined>;

type EffectOnOthers = Pick<RemedyEffect, 'othersGaining' | 'grantsAdministration'>;

export interface Remedy extends EffectOnOthers {
  /** Members of ChangeInput. */
  changes: object[];
  text: string;
}

/** First those that give no administration, then those by which the fewest others gain. */
export const compareRemedies = (one: EffectOnOthers, other: EffectOnOthers): number =>
  Number(one.grantsAdministration) - Number(other.grantsAdministration) || one.othersGaining - other.othersGaining;

const remediesMax = 5;
/** How long an ended grant is given again. */
const extensionDays = 30;

export async function findRemedies(
  context: Context,
  target: Target,
  ways: readonly ExplainedWay[],
  judge: Judge,
): Promise<Remedy[]> {
  const smallest: { way: Way; reasons: AccessReason[]; keys: string[] }[] = [];
  for (const { way, links } of ways) {
    const reasons = [...new Set(links.flatMap(({ holds, reason }) => (holds ? [] : reason!)))];
    const keys = changesFor(context, target, way, reasons).map((change) => JSON.stringify(change));
    // a change set that includes another one is not the smallest
    const isMore = smallest.some((other) => other.keys.every((key) => keys.includes(key)));
    if (!isMore) smallest.push({ way, reasons, keys });
  }
  const profilesWith = (reason: AccessReason) =>
    smallest.filter(({ reasons }) => reasons.includes(reason)).map(({ way }) => way.profileId);
  const given = [...profilesWith('PROFILE_NOT_HELD'), ...profilesWith('GRANT_ENDED')];
  const roles = await readRoles(context, given, target.userGuid);
  const judged: { way: Way; reasons: AccessReason[]; changes: object[]; effect: RemedyEffect }[] = [];
  for (const { way, reasons } of smallest) {
    if (needsRole(way, reasons) && !roles.has(way.profileId)) continue;
    const changes = changesFor(context, target, way, reasons, roles);
    const effect = await judge(target.userGuid, changes);
    if (effect) judged.push({ way, reasons, changes, effect });
  }
  return judged
    .sort(
      ({ effect: one, reasons }, { effect: other, reasons: otherReasons }) =>
        compareRemedies(one, other) || one.gained - other.gained || reasons.length - otherReasons.length,
    )
    .slice(0, remediesMax)
    .map(({ way, reasons, changes, effect: { othersGaining, grantsAdministration } }) => ({
      changes,
      text: reasons.map((reason) => words[reason](way)).join(' '),
      othersGaining,
      grantsAdministration,
    }));
}

const needsRole = ({ profileEndedAt }: Way, reasons: readonly AccessReason[]): boolean =>
  reasons.includes('PROFILE_NOT_HELD') || profileEndedAt !== null;

/**
 * The role that the user had, otherwise the most frequent one among a profile's holders, otherwise the first role. Without any
 * role there is no remedy.
 */
async function readRoles(
  { reads }: Context,
  profileIds: readonly string[],
  userGuid: string,
): Promise<Map<string, string>> {
  if (profileIds.length === 0) return new Map();
  const rows = await reads.rows<{ profileId: string; roleId: string }>(
    `select profile_id as "profileId", role_id as "roleId" from unnest($1::text[]) profile (profile_id) cross join lateral (
       select role_id from roles left join (
         select role_id, count(*) as holders from user_profiles link where link.profile_id = profile.profile_id and ${lasts('link')} group by role_id) held using (role_id)
       left join (
         select link.role_id, max(link.valid_until) as ended_at from user_profiles link join users u using (user_id)
         where u.user_guid = $2::uuid and link.profile_id = profile.profile_id group by link.role_id) own using (role_id)
       order by ended_at desc nulls last, holders desc nulls last, role_id collate "C" limit 1) role`,
    [profileIds, userGuid],
  );
  return new Map(rows.map(({ profileId, roleId }) => [profileId, roleId]));
}

const words: Record<AccessReason, (way: Way) => string> = {
  USER_BLOCKED: () => 'Unblock the user.',
  PROFILE_NOT_HELD: ({ profileId }) => `Give the user the profile ${profileId}.`,
  SCOPE_NOT_IN_PROFILE: ({ profileId }) => `Give the profile ${profileId} the access scope.`,
  SCOPE_INACTIVE: () => 'Activate the access scope.',
  TYPE_INACTIVE: () => 'Activate the access scope type.',
  MAPPING_STATE: ({ mappingState }) => `Make the mapping active; it is ${mappingState}.`,
  GRANT_ENDED: (way) =>
    [
      way.profileEndedAt && `Give the user the profile ${way.profileId} for ${extensionDays} more days.`,
      way.scopeEndedAt && `Give the profile ${way.profileId} the access scope for ${extensionDays} more days.`,
    ]
      .filter(Boolean)
      .join(' '),
  NO_MAPPING: () => 'Map the access scope to the application.',
  APPLICATION_INACTIVE: () => 'Activate the application.',
};

/**
 * One change for each reason, which leaves whatever else the records have by the time that it is made.
 * @param roles the role for each profile that the user gets; without them the result is only good for comparing change sets
 */
const changesFor = (
  { config, clock }: Context,
  { applicationGuid, userGuid }: Target,
  way: Way,
  reasons: readonly AccessReason[],
  roles?: ReadonlyMap<string, string>,
): object[] => {
  const { profileId, accessScopeGuid, accessScopeTypeGuid } = way;
  const roleId = roles?.get(profileId);
  const mapped = way.typeMappingId === null ? { accessScopeGuid } : { accessScopeTypeGuid };
  const validUntil = new Date(clock.now().getTime() + extensionDays * 24 * 3_600 * 1_000).toISOString();
  return reasons.flatMap((reason): object | object[] => {
    switch (reason) {
      case 'GRANT_ENDED':
        return [
          ...(way.profileEndedAt ? [{ assignProfile: { userGuid, profileId, roleId, validUntil } }] : []),
          ...(way.scopeEndedAt ? [{ assignAccessScope: { profileId, accessScopeGuid, validUntil } }] : []),
        ];
      case 'USER_BLOCKED':
        return { updateUser: { userGuid, input: { isBlocked: false } } };
      case 'PROFILE_NOT_HELD':
        return { assignProfile: { userGuid, profileId, roleId } };
      case 'SCOPE_NOT_IN_PROFILE':
        return { assignAccessScope: { profileId, accessScopeGuid } };
      case 'SCOPE_INACTIVE':
        return { updateAccessScope: { accessScopeGuid, input: { isActive: true } } };
      case 'TYPE_INACTIVE':
        return { updateAccessScopeType: { accessScopeTypeGuid, input: { isActive: true } } };
      case 'APPLICATION_INACTIVE':
        return { updateApplication: { applicationGuid, input: { isActive: true } } };
      default:
        return { mapping: { applicationGuid, ...mapped, from: way.mappingState, to: config.mappingActiveStates[0] } };
    }
  });
};

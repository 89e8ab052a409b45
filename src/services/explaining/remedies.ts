/**
 * The smallest change sets that would open a way. Those that grant an administration scope come last; then by how few
 * others gain, then by how little the user gains beside the application.
 */
import type { Context } from '../../context.js';
import type { AccessReason, ExplainedWay } from './links.js';
import { type RemedyEffect, readRemedyEffect, type Target } from './remedyEffect.js';
import type { Way } from './ways.js';

export interface Remedy {
  /** Members of ChangeInput. */
  changes: object[];
  text: string;
  othersGaining: RemedyEffect['othersGaining'];
}

const remediesMax = 5;

export async function findRemedies(context: Context, target: Target, ways: readonly ExplainedWay[]): Promise<Remedy[]> {
  const found: { changes: object[]; keys: string[]; text: string; effect: RemedyEffect }[] = [];
  for (const { way, links } of ways) {
    const reasons = links.flatMap(({ holds, reason }) => (holds ? [] : reason!));
    const changes: (object | undefined)[] = [];
    for (const reason of reasons) changes.push(await changeFor(context, target, way, reason));
    const keys = changes.map((change) => JSON.stringify(change));
    // what does more than another that would do is not the smallest
    const isMore = found.some((other) => other.keys.every((key) => keys.includes(key)));
    if (changes.includes(undefined) || isMore) continue;
    const effect = await readRemedyEffect(context, target, way, reasons);
    const text = reasons.map((reason) => words[reason](way)).join(' ');
    found.push({ changes: changes as object[], keys, text, effect });
  }
  const best = found.sort(
    ({ effect: one, changes }, { effect: other, changes: otherChanges }) =>
      Number(one.grantsAdministration) - Number(other.grantsAdministration) ||
      one.othersGaining - other.othersGaining ||
      one.gainedBeside - other.gainedBeside ||
      changes.length - otherChanges.length,
  );
  return best
    .slice(0, remediesMax)
    .map(({ changes, text, effect: { othersGaining } }) => ({ changes, text, othersGaining }));
}

const words: Record<AccessReason, (way: Way) => string> = {
  USER_BLOCKED: () => 'Unblock the user.',
  PROFILE_NOT_HELD: ({ profileId }) => `Give the user the profile ${profileId}.`,
  SCOPE_NOT_IN_PROFILE: ({ profileId }) => `Give the profile ${profileId} the access scope.`,
  SCOPE_INACTIVE: () => 'Take the access scope into use.',
  TYPE_INACTIVE: () => 'Take the access scope type into use.',
  MAPPING_STATE: ({ mappingState }) => `Make the mapping active; it is ${mappingState}.`,
  NO_MAPPING: () => 'Map the access scope to the application.',
  APPLICATION_INACTIVE: () => 'Take the application into use.',
};

/** Undefined: nothing that there is would do, such as a profile without any role to hold it in. */
async function changeFor(
  { reads, config }: Context,
  target: Target,
  way: Way,
  reason: AccessReason,
): Promise<object | undefined> {
  const { applicationGuid, userGuid } = target;
  const { profileId, accessScopeGuid, accessScopeTypeGuid } = way;
  const mapped = way.typeMappingId === null ? { accessScopeGuid } : { accessScopeTypeGuid };
  switch (reason) {
    case 'USER_BLOCKED':
      return { updateUser: { userGuid, input: { isBlocked: false } } };
    case 'PROFILE_NOT_HELD': {
      // the role in which most hold it, else the first that there is
      const [role] = await reads.rows<{ roleId: string }>(
        `select role_id as "roleId" from roles left join (
           select role_id, count(*) as holders from user_profiles where profile_id = $1 group by role_id) held using (role_id)
         order by holders desc nulls last, role_id collate "C" limit 1`,
        [profileId],
      );
      return role && { assignProfile: { userGuid, profileId, roleId: role.roleId } };
    }
    case 'SCOPE_NOT_IN_PROFILE': {
      const scopes = await reads.rows<{ guid: string }>(
        `select access_scope_guid as guid from profile_access_scopes join access_scopes using (access_scope_id)
         where profile_id = $1 order by access_scope_id`,
        [profileId],
      );
      return {
        setProfileAccessScopes: { profileId, accessScopeGuids: [...scopes.map(({ guid }) => guid), accessScopeGuid] },
      };
    }
    case 'SCOPE_INACTIVE':
      return { updateAccessScope: { accessScopeGuid, input: { isActive: true } } };
    case 'TYPE_INACTIVE':
      return { updateAccessScopeType: { accessScopeTypeGuid, input: { isActive: true } } };
    case 'APPLICATION_INACTIVE':
      return { updateApplication: { applicationGuid, input: { isActive: true } } };
    default:
      return { mapping: { applicationGuid, ...mapped, from: way.mappingState, to: config.mappingActiveStates[0] } };
  }
}

/** The smallest change sets that would open a way, those first by which the fewest other users would gain something. */
import type { Context } from '../../context.js';
import { openings } from '../portal/openedApplications.js';
import type { AccessReason, ExplainedWay } from './links.js';
import type { Way } from './ways.js';

export interface Remedy {
  /** Members of ChangeInput. */
  changes: object[];
  text: string;
  /** Others who would hold a profile that gains something. */
  othersGaining: number;
}

interface Target {
  userGuid: string;
  applicationGuid: string;
}

const remediesMax = 5;

export async function findRemedies(context: Context, target: Target, ways: readonly ExplainedWay[]): Promise<Remedy[]> {
  const found: { way: Way; reasons: AccessReason[]; changes: object[]; keys: string[] }[] = [];
  for (const { way, links } of ways) {
    if (found.length >= remediesMax) break;
    const reasons = links.flatMap(({ holds, reason }) => (holds ? [] : reason!));
    const changes = await Promise.all(reasons.map((reason) => changeFor(context, target, way, reason)));
    const keys = changes.map((change) => JSON.stringify(change));
    // what does more than another that would do is not the smallest
    const isMore = found.some((other) => other.keys.every((key) => keys.includes(key)));
    if (changes.every((change) => change !== undefined) && !isMore)
      found.push({ way, reasons, changes: changes as object[], keys });
  }
  const remedies = found.map(async ({ way, reasons, changes }) => ({
    changes,
    text: reasons.map((reason) => words[reason](way)).join(' '),
    othersGaining: await countOthers(context, target, way, reasons),
  }));
  return (await Promise.all(remedies)).sort(
    (one, other) => one.othersGaining - other.othersGaining || one.changes.length - other.changes.length,
  );
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

/** Whose profiles gain by a change of that kind: $1 states, $2 user, $3 application, $4 profile, $5 scope, $6 type. */
const gaining: { [reason in AccessReason]?: string } = {
  SCOPE_NOT_IN_PROFILE: 'select $4::text as profile_id',
  SCOPE_INACTIVE: 'select profile_id from profile_access_scopes where access_scope_id = $5::int',
  TYPE_INACTIVE: `select has.profile_id from profile_access_scopes has join access_scopes s using (access_scope_id)
    where s.access_scope_type_id = $6::int and s.is_active`,
  APPLICATION_INACTIVE: `select profile_id from (${openings('m.application_id = (select application_id from applications where application_guid = $3::uuid)')}) opening`,
};
/** By a mapping gain those who do not open the application by another one. */
const unlessOpen = (profiles: string): string =>
  `(${profiles} except select profile_id from (${openings(
    'm.application_id = (select application_id from applications where application_guid = $3::uuid and is_active)',
  )}) opening)`;
const gainingByMapping = unlessOpen('select profile_id from profile_access_scopes where access_scope_id = $5::int');
const gainingByTypeMapping = unlessOpen(gaining.TYPE_INACTIVE!);

async function countOthers(
  { reads, config }: Context,
  target: Target,
  way: Way,
  reasons: readonly AccessReason[],
): Promise<number> {
  const byMapping = way.typeMappingId === null ? gainingByMapping : gainingByTypeMapping;
  const parts = reasons.flatMap((reason) =>
    reason === 'MAPPING_STATE' || reason === 'NO_MAPPING' ? [byMapping] : (gaining[reason] ?? []),
  );
  if (parts.length === 0) return 0;
  const [counted] = await reads.rows<{ users: number }>(
    `select count(distinct u.user_id)::int as users from user_profiles link join users u using (user_id)
     where not u.is_blocked and u.user_guid <> $2::uuid and link.profile_id in (${parts.join(' union ')})
       and $1::text[] is not null and $3::uuid is not null and $4::text is not null and $5::int is not null and $6::int is not null`,
    [
      config.mappingActiveStates,
      target.userGuid,
      target.applicationGuid,
      way.profileId,
      way.accessScopeId,
      way.accessScopeTypeId,
    ],
  );
  return counted!.users;
}

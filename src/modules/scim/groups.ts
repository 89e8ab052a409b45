/** Groups of an identity provider: profiles with an `externalGroup`. Members are the users to whom the connector assigned the profile. */
import { managedBy } from '../../auth/caller.js';
import type { Context, EntityManager } from '../../context.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { startOf } from '../../entities/valueForms.js';
import { GatehouseError, notFound } from '../../errors.js';
import { lasts } from '../../services/access/grants.js';
import { permitProfile } from '../../services/adminScopes/guard.js';
import { execute } from '../../services/execute.js';
import { lockProfiles, raiseProfileRevisions } from '../../services/people/profiles.js';
import { change } from '../../services/records/change.js';
import { deleteRows, insertRows } from '../../services/records/writeRecords.js';
import { endSessionsUnlessHeld } from '../../services/tokens/endSessions.js';
import { timeText } from '../../sql.js';
import { type Filterable, scimConditionSql, scimFault } from './conditions.js';
import { requireConnector } from './connectors.js';
import {
  isUser,
  isVisible,
  type PageRequest,
  type RevisionCondition,
  refusedWith,
  requireCondition,
  shownName,
} from './users.js';

export interface ProvisionedGroup {
  profileId: string;
  externalGroup: string;
  /** ISO 8601. */
  createdDate: string;
  modifiedDate: string | null;
  revision: number;
  /** Absent if they were not read, or are too many. */
  members?: Member[];
}

interface Member {
  userGuid: string;
  shownName: string;
}

/** Maximum number of members in an answer and in a request. */
export const membersMax = 10_000;

const columns = `p.profile_id as "profileId", p.external_group as "externalGroup", ${timeText('p.created_date')} as "createdDate",
  ${timeText('p.modified_date')} as "modifiedDate", p.revision`;

// reads each user by the primary key: the statistics of a new catalogue can mislead the planner of a join
const linkedUsers =
  'user_profiles link cross join lateral (select * from users where user_id = link.user_id offset 0) u';
const links = `${linkedUsers} where link.managed_by = $2 and ${lasts('link')} and ${isVisible('$1')} and link.profile_id`;

const member: Filterable = {
  sql: `(select string_agg(u.user_guid::text, ' ') from ${links} = p.profile_id)`,
  type: 'text',
  equal: `exists (select from user_profiles link join users u using (user_id) where link.managed_by = $2
    and ${lasts('link')} and ${isVisible('$1')} and link.profile_id = p.profile_id and ${isUser})`,
};

/** The attributes that a filter of groups may name, by their SCIM names in lower case. */
const groupAttributes: Readonly<Record<string, Filterable>> = {
  id: { sql: 'p.profile_id', type: 'exact' },
  displayname: { sql: 'p.external_group', type: 'name' },
  members: member,
  'members.value': member,
};

/**
 * Returns a page of groups in the order of their ids, and the total number. If the groups together have too many members, they
 * are returned without members: identity providers look for their groups this way.
 */
export async function listGroups(
  context: Context,
  { condition, skip, count }: PageRequest,
  withMembers: boolean,
): Promise<{ total: number; groups: ProvisionedGroup[] }> {
  const connector = requireConnector(context);
  const values: unknown[] = [connector.idpname, managedBy(connector)];
  const where = condition ? scimConditionSql(condition, groupAttributes, values) : 'true';
  // gives both parameters a type, also if the condition uses neither
  const rows = await context.reads.rows<ProvisionedGroup>(
    `select ${columns} from profiles p
     where p.external_group is not null and $1::text is not null and $2::text is not null and ${where}
     order by p.profile_id`,
    values,
  );
  const groups = rows.slice(skip, skip + count);
  if (withMembers) await addMembers(context, groups);
  return { total: rows.length, groups };
}

/** Returns a group; without its members if they are too many. Throws NOT_FOUND. */
export async function getGroup(context: Context, profileId: string, withMembers: boolean): Promise<ProvisionedGroup> {
  const [group] = await context.reads.rows<ProvisionedGroup>(
    `select ${columns} from profiles p where p.profile_id = $1 and p.external_group is not null`,
    [profileId],
  );
  if (!group) throw notFound('The group');
  if (withMembers) await addMembers(context, [group]);
  return group;
}

export const tooManyMembers = () =>
  scimFault(
    'tooMany',
    `These groups have more than ${membersMax} members. Read them with excludedAttributes=members, or one by one; \`filter=members eq "ID"\` asks for one member.`,
  );

/** Adds the members of the groups; none if they are too many. */
async function addMembers(context: Context, groups: ProvisionedGroup[]): Promise<void> {
  const connector = requireConnector(context);
  if (groups.length === 0) return;
  const rows = await context.reads.rows<Member & { profileId: string }>(
    `select link.profile_id as "profileId", u.user_guid::text as "userGuid", ${shownName} as "shownName"
     from ${links} = any($3::text[]) limit ${membersMax + 1}`,
    [connector.idpname, managedBy(connector), groups.map(({ profileId }) => profileId)],
  );
  if (rows.length > membersMax) return;
  const byGroup = Map.groupBy(rows, ({ profileId }) => profileId);
  for (const group of groups)
    group.members = (byGroup.get(group.profileId) ?? []).map(({ userGuid, shownName }) => ({ userGuid, shownName }));
}

/** A change of a group's members. `keepsOthers`: members who are not named stay. */
export interface MemberChange {
  keepsOthers: boolean;
  /** Whether a user is a member after the change, by guid in lower case. */
  members: ReadonlyMap<string, boolean>;
}

/**
 * Changes the members. Profiles that others assigned stay, and do not make a user a member. Throws NOT_FOUND, CONFLICT,
 * `invalidValue` for a user whom the connector doesn't see, and FORBIDDEN for a profile with administration scopes.
 * @param answersMembers whether to throw `tooMany`, and change nothing, if the answer would have too many members
 */
export async function changeMembers(
  context: Context,
  profileId: string,
  ifRevision: RevisionCondition,
  changeFor: (group: ProvisionedGroup) => MemberChange,
  answersMembers = false,
): Promise<void> {
  const connector = requireConnector(context);
  await change(context, 'admin:write', async (em) => {
    await lockProfiles(em, [profileId]);
    const [group] = await execute<ProvisionedGroup & { administers: boolean }>(
      em,
      `select ${columns}, p.external_group_administers as administers from profiles p
       where p.profile_id = $1 and p.external_group is not null`,
      [profileId],
    );
    if (!group) throw notFound('The group');
    requireCondition(group, ifRevision);
    const { keepsOthers, members } = changeFor(group);
    if (keepsOthers && members.size === 0) return;
    if (!group.administers) await forbidAdministration(em, context, profileId);
    const removed = await removeLinks(em, context, profileId, { keepsOthers, members });
    const added = await addLinks(
      em,
      context,
      profileId,
      [...members].flatMap(([guid, isMember]) => (isMember ? guid : [])),
    );
    if (removed + added > 0) await raiseProfileRevisions(em, [profileId]);
    if (!answersMembers) return;
    const shown = [connector.idpname, managedBy(connector), profileId];
    const rows = await execute(em, `select 1 from ${links} = $3 limit ${membersMax + 1}`, shown);
    if (rows.length > membersMax) throw tooManyMembers();
  });
}

const forbidAdministration = (em: EntityManager, context: Context, profileId: string): Promise<void> =>
  permitProfile(em, context, profileId).catch(
    refusedWith(
      'The profile has administration scopes: an administrator with admin:security may allow connectors to give it (externalGroupAdministers).',
    ),
  );

async function removeLinks(
  em: EntityManager,
  context: Context,
  profileId: string,
  { keepsOthers, members }: MemberChange,
): Promise<number> {
  const connector = requireConnector(context);
  const named = [...members].flatMap(([guid, isMember]) => (isMember === keepsOthers ? [] : guid));
  if (keepsOthers && named.length === 0) return 0;
  // in a large group only the named members are read
  const [from, condition] = keepsOthers
    ? ['users u join user_profiles link using (user_id)', 'u.user_guid = any($4::uuid[])']
    : [linkedUsers, 'u.user_guid <> all($4::uuid[])'];
  const rows = await execute<{ id: number; guid: string }>(
    em,
    `select link.user_profile_id as id, u.user_guid::text as guid from ${from}
     where link.profile_id = $1 and link.managed_by = $2 and u.idpname = $3 and ${condition} order by link.user_profile_id`,
    [profileId, managedBy(connector), connector.idpname, named],
  );
  await deleteRows(
    em,
    UserProfile,
    rows.map(({ id }) => id),
  );
  if (rows.length > 0)
    await endSessionsUnlessHeld(
      em,
      context,
      rows.map(({ guid }) => guid),
      profileId,
    );
  return rows.length;
}

/** Skips users who hold the profile in this role already. The lock makes a concurrent deletion of a user wait. */
async function addLinks(
  em: EntityManager,
  context: Context,
  profileId: string,
  userGuids: readonly string[],
): Promise<number> {
  if (userGuids.length === 0) return 0;
  const connector = requireConnector(context);
  const users = await execute<{ user_id: number; holds: boolean }>(
    em,
    `select u.user_id, exists (select from user_profiles link
       where link.user_id = u.user_id and link.profile_id = $3 and link.role_id = $4 and ${lasts('link')}) as holds
     from users u where u.user_guid = any($2::uuid[]) and ${isVisible('$1')} order by u.user_id for key share of u`,
    [connector.idpname, userGuids, profileId, connector.roleId],
  );
  if (users.length < userGuids.length)
    throw scimFault(
      'invalidValue',
      `${userGuids.length - users.length} of the members are no users of this connector.`,
    );
  const rows = users.filter(({ holds }) => !holds).map(({ user_id }) => user_id);
  // an assignment that has ended is replaced
  await execute(
    em,
    'delete from user_profiles where user_id = any($1::int[]) and profile_id = $2 and role_id = $3 and valid_until <= now()',
    [rows, profileId, connector.roleId],
  );
  await insertRows(
    em,
    UserProfile,
    rows.map((user_id) => ({
      user_id,
      profile_id: profileId,
      role_id: connector.roleId,
      managed_by: managedBy(connector),
    })),
  );
  return rows.length;
}

/** Throws FORBIDDEN: groups are profiles, which only administrators create. */
export function refuseNewGroup(displayName: string): never {
  throw new GatehouseError(
    'FORBIDDEN',
    `No profile has the externalGroup ${JSON.stringify(startOf(displayName, 255))}: an administrator sets it.`,
  );
}

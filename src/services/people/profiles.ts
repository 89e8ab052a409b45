/** Creates, changes and removes profiles, their access scopes and their holders. */
import type { Context, EntityManager } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import type { RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { Role } from '../../entities/Role.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { badInput, conflict, GatehouseError, notFound } from '../../errors.js';
import { endHasPassed, lasts } from '../access/grants.js';
import { guardedNames, permitPower, permitProfile, permitScopeLinks } from '../adminScopes/guard.js';
import { execute } from '../execute.js';
import { nameKey } from '../nameKey.js';
import { permit } from '../permit.js';
import {
  alreadyThere,
  change,
  changeBy,
  changedMeanwhile,
  locked,
  remove,
  requireOwner,
  requireRecord,
  requireRevision,
  type Update,
  unknownReference,
} from '../records/change.js';
import { type InputField, type InputValues, inputFields, throwAll } from '../records/input.js';
import { endSessionsOfProfile, endSessionsUnlessHeld } from '../tokens/endSessions.js';

/** Maximum number of access scopes of one profile. */
const accessScopesMax = 10_000;

export const profileInput = (mode: 'create' | 'update'): InputField[] => inputFields(Profile, { mode });

/** Throws BAD_USER_INPUT, CONFLICT for an id that exists already. */
export function createProfile(context: Context, input: unknown): Promise<Profile> {
  return changeBy(context, profileInput('create'), input, async (em, values) => {
    const { profileId } = values as { profileId: string };
    if (values.externalGroupAdministers === true) permitPower(context);
    if (await em.findOne(Profile, { profileId })) throw conflict('A profile with this id exists already.');
    await requireFreeGroup(em, values, profileId);
    await requireOwner(em, values, profileId);
    return em.create(Profile, values as never, { partial: true });
  });
}

/** Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT. */
export const updateProfile: Update<Profile> = (context, profileId, input, ifRevision) =>
  changeBy(context, profileInput('update'), input, async (em, values) => {
    const profile = await requireRecord(em, Profile, { profileId }, 'profile', ifRevision);
    await permitFields(em, context, profile, values);
    if (values.externalGroup !== profile.externalGroup) await requireFreeGroup(em, values, profileId);
    await requireOwner(em, values);
    return em.assign(profile, values as never);
  });

/** Throws CONFLICT if another profile has the group, as SCIM compares its name. */
async function requireFreeGroup(em: EntityManager, { externalGroup }: InputValues, profileId: string): Promise<void> {
  if (typeof externalGroup !== 'string') return;
  const statement = `select from profiles where profile_id <> $1 and ${nameKey('external_group')} = ${nameKey('$2::text')}`;
  const others = await execute(em, statement, [profileId, externalGroup]);
  const message = 'Another profile has this externalGroup.';
  if (others.length > 0) throw new GatehouseError('CONFLICT', message, { problems: { externalGroup: [message] } });
}

/** Requires `admin:security` to let connectors give administration scopes, and to change who gets and who owns a profile with them. */
async function permitFields(
  em: EntityManager,
  context: Context,
  profile: Profile,
  values: Partial<Profile>,
): Promise<void> {
  const isChanged = (name: string) =>
    name in values && values[name as keyof Profile] !== profile[name as keyof Profile];
  if (guardedNames(Profile, 'every').some(isChanged)) permitPower(context);
  if (guardedNames(Profile, 'administration').some(isChanged)) await permitProfile(em, context, profile.profileId);
}

/** Removes a profile with its links, and returns its id. The sessions of its holders end. Throws NOT_FOUND, CONFLICT. */
export function deleteProfile(context: Context, profileId: string, ifRevision?: number | null): Promise<string> {
  return remove(context, 'profile', async (em) => {
    const profile = await requireRecord(em, Profile, { profileId }, 'profile', ifRevision, locked);
    await permitProfile(em, context, profileId);
    await endSessionsOfProfile(em, context, profileId);
    em.remove(profile);
    return profileId;
  });
}

/**
 * Gives a profile exactly these access scopes. Those that it has keep their ends; one that has ended is given again. The
 * revision of the profile changes with its scopes and its holders, so a caller can grant to exactly the holders that were read.
 * Throws BAD_USER_INPUT for a repeated access scope, NOT_FOUND, CONFLICT.
 */
export async function setProfileAccessScopes(
  context: Context,
  profileId: string,
  accessScopeGuids: readonly string[],
  ifRevision?: number | null,
): Promise<void> {
  permit(context, 'admin:write');
  if (accessScopeGuids.length > accessScopesMax)
    throw badInput({ accessScopeGuids: [`A profile has at most ${accessScopesMax} access scopes.`] });
  requireOnce('accessScopeGuids', accessScopeGuids);
  await change(context, 'admin:write', async (em) => {
    await lockProfiles(em, [profileId]);
    const profile = await em.findOneOrFail(
      Profile,
      { profileId },
      { populate: ['profileAccessScopes'], refresh: true, failHandler: () => notFound('The profile') },
    );
    requireRevision(profile, ifRevision);
    const scopes = await em.find(AccessScope, { accessScopeGuid: { $in: [...accessScopeGuids] } });
    const existingGuids = new Set(scopes.map(({ accessScopeGuid }) => accessScopeGuid));
    requireEach('accessScopeGuids', 'access scope', accessScopeGuids, existingGuids);
    const added = new Map(scopes.map((scope) => [scope.accessScopeId, scope]));
    const removed = profile.profileAccessScopes.filter((link) => !added.delete(link.accessScope.accessScopeId));
    await permitScopeLinks(em, context, [...added.keys(), ...removed.map((link) => link.accessScope.accessScopeId)]);
    profile.profileAccessScopes.remove(removed);
    for (const accessScope of added.values())
      em.create(ProfileAccessScope, { profile, accessScope } as never, { partial: true });
    await em.flush();
    const renewed = await renewEnded(em, context, profile);
    if (removed.length + added.size + renewed > 0) await raiseRevision(em, profile);
  });
}

/** Gives those of the profile's access scopes that have ended again, without an end, and returns how many. */
async function renewEnded(
  em: EntityManager,
  context: Context,
  { profileId, profileAccessScopes }: Profile,
): Promise<number> {
  if (profileAccessScopes.getItems().every(({ validUntil }) => !validUntil)) return 0;
  const renewed = await execute<{ id: number }>(
    em,
    `update profile_access_scopes set valid_until = null where profile_id = $1 and valid_until <= now()
     returning access_scope_id as id`,
    [profileId],
  );
  const ids = renewed.map(({ id }) => id);
  await permitScopeLinks(em, context, ids);
  return ids.length;
}

/**
 * SQL: locks the scopes and holders of the profiles that meet the condition until the transaction ends, in an order that all keep,
 * and before it locks users. Read the profiles afterwards.
 */
export const lockedProfiles = (condition: string): string =>
  `select profile_id from profiles where ${condition} order by profile_id for no key update`;

export const lockProfiles = (em: EntityManager, profileIds: readonly string[]): Promise<unknown> =>
  execute(em, lockedProfiles('profile_id = any($1)'), [profileIds]);

/** Raises the revision of a profile; its other fields and its stamps do not change. */
async function raiseRevision(em: EntityManager, profile: Profile): Promise<void> {
  await raiseProfileRevisions(em, [profile.profileId]);
  await em.refresh(profile);
}

/** Raises the revisions of profiles, in the transaction that changes their scopes or holders. */
export const raiseProfileRevisions = (em: EntityManager, profileIds: readonly string[]): Promise<unknown> =>
  execute(
    em,
    `update profiles set revision = revision + 1
     from (${lockedProfiles('profile_id = any($1)')}) held where profiles.profile_id = held.profile_id`,
    [profileIds],
  );

/**
 * Does what the removal of grants entails: ends the sessions of users who no longer hold a profile, and raises the revisions of
 * the profiles.
 * @param others access scopes that profiles no longer have
 * @param by what ends the sessions; absent: the author of the change
 */
export async function applyEnds(
  em: EntityManager,
  context: Context,
  assignments: readonly { profile_id: string; guid: string }[],
  others: readonly { profile_id: string }[] = [],
  by?: string,
): Promise<void> {
  for (const [profileId, holders] of Map.groupBy(assignments, ({ profile_id }) => profile_id)) {
    const guids = [...new Set(holders.map(({ guid }) => guid))];
    await endSessionsUnlessHeld(em, context, guids, profileId, by);
  }
  const profileIds = new Set([...assignments, ...others].map(({ profile_id }) => profile_id));
  await raiseProfileRevisions(em, [...profileIds]);
}

function requireOnce(field: string, guids: readonly string[]): void {
  const firsts = new Map<string, number>();
  const problems = guids.flatMap((guid, index) => {
    const first = firsts.get(guid);
    if (first === undefined) firsts.set(guid, index);
    return first === undefined ? [] : [[`${field}[${index}]`, [`The same as in [${first}].`]]];
  });
  if (problems.length > 0) throw badInput(Object.fromEntries(problems));
}

/** Throws NOT_FOUND with the place of each unknown guid. */
function requireEach(field: string, what: string, guids: readonly string[], existingGuids: ReadonlySet<string>): void {
  const message = `There is no such ${what}.`;
  const problems = guids.flatMap((guid, index) => (existingGuids.has(guid) ? [] : [[`${field}[${index}]`, [message]]]));
  if (problems.length > 0) throw new GatehouseError('NOT_FOUND', message, { problems: Object.fromEntries(problems) });
}

interface Assignment {
  userGuid: string;
  profileId: string;
  roleId: string;
}

/** When a grant ends, ISO 8601; null: never; undefined: unchanged, or never for a new one. */
type GrantEnd = string | null | undefined;

/**
 * Assigns the profile to the user in the role; returns the link's number. One that is assigned already gets the end. Throws
 * NOT_FOUND, BAD_USER_INPUT for an end that has passed, and CONFLICT when it is assigned already and no end is given.
 */
export function assignProfile(
  context: Context,
  { userGuid, profileId, roleId, validUntil }: Assignment & { validUntil?: GrantEnd },
): Promise<number> {
  return change(context, 'admin:write', async (em) => {
    await requireFutureEnd(em, validUntil);
    const user = await em.findOneOrFail(User, { userGuid }, unknown('userGuid', 'user'));
    const { profile, role } = await requireGranted(em, context, profileId, roleId);
    const link = await grant(em, UserProfile, { user, profile, role }, validUntil);
    return link.userProfileId;
  });
}

const unknown = (field: string, what: string) => ({ failHandler: () => unknownReference(field, what) });

/** Locks the profile and reads it. Throws NOT_FOUND. */
async function getLocked(em: EntityManager, profileId: string): Promise<Profile> {
  await lockProfiles(em, [profileId]);
  return em.findOneOrFail(Profile, { profileId }, { ...unknown('profileId', 'profile'), refresh: true });
}

/** The locked profile and the role; throws NOT_FOUND and FORBIDDEN. */
async function requireGranted(em: EntityManager, context: Context, profileId: string, roleId: string) {
  const profile = await getLocked(em, profileId);
  const role = await em.findOneOrFail(Role, { roleId }, unknown('roleId', 'role'));
  await permitProfile(em, context, profileId);
  return { profile, role };
}

interface Assignments extends Omit<Assignment, 'userGuid'> {
  userGuids: readonly string[];
  validUntil?: GrantEnd;
  /** Without an end, a user who holds it already is a conflict. */
  isEachNew?: boolean;
}

/** SQL: the places of the users $1 who hold it. */
const lastingPlaces = `select asked.place::int - 1 as place from unnest($1::uuid[]) with ordinality asked (guid, place)
  join users u on u.user_guid = asked.guid join user_profiles link using (user_id)
  where link.profile_id = $2 and link.role_id = $3 and ${lasts('link')} order by 1`;

/** SQL: grants of the users $1 that get the end $4, because the request has one ($5) or because they have ended. */
const endings = `update user_profiles link set valid_until = $4::timestamptz(3)
  from users u where u.user_id = link.user_id and u.user_guid = any($1::uuid[]) and link.profile_id = $2::text and link.role_id = $3::text
    and link.valid_until is distinct from $4::timestamptz(3) and ($5::boolean or link.valid_until <= now()) returning 1`;

const newGrants = `insert into user_profiles (user_id, profile_id, role_id, valid_until)
  select u.user_id, $2::text, $3::text, $4::timestamptz(3) from users u
  where u.user_guid = any($1::uuid[]) and not exists (
    select from user_profiles link where link.user_id = u.user_id and link.profile_id = $2::text and link.role_id = $3::text)
  order by array_position($1::uuid[], u.user_guid) returning 1`;

/**
 * Assigns the profile to many users in the role; returns how many assignments are new or have another end. Users who hold it
 * already get the end; without one their assignments stay as they are. Throws BAD_USER_INPUT, NOT_FOUND, and CONFLICT with the
 * place of each user who must not hold it.
 */
export function assignProfiles(
  context: Context,
  { userGuids, profileId, roleId, validUntil, isEachNew = false }: Assignments,
): Promise<number> {
  return change(context, 'admin:write', async (em) => {
    requireOnce('userGuids', userGuids);
    await requireFutureEnd(em, validUntil);
    const statement = 'select user_guid::text as guid from users where user_guid = any($1::uuid[])';
    const users = await execute<{ guid: string }>(em, statement, [userGuids]);
    requireEach('userGuids', 'user', userGuids, new Set(users.map(({ guid }) => guid)));
    const { profile } = await requireGranted(em, context, profileId, roleId);
    if (isEachNew && validUntil === undefined) {
      const held = await execute<{ place: number }>(em, lastingPlaces, [userGuids, profileId, roleId]);
      throwAll('CONFLICT', alreadyThere, placesOf(held));
    }
    const values = [userGuids, profileId, roleId, validUntil ?? null];
    const ended = await execute(em, endings, [...values, validUntil !== undefined]);
    const inserted = await execute(em, newGrants, values);
    if (ended.length + inserted.length > 0) await raiseRevision(em, profile);
    return ended.length + inserted.length;
  });
}

/** Throws BAD_USER_INPUT for an end that has passed, by the database's clock. */
async function requireFutureEnd(em: EntityManager, validUntil: GrantEnd): Promise<void> {
  if (typeof validUntil !== 'string') return;
  const passed = await execute(em, 'select 1 where $1::timestamptz(3) <= now()', [validUntil]);
  if (passed.length > 0) throw badInput({ validUntil: [`The end ${endHasPassed}.`] });
}

type Grant = UserProfile | ProfileAccessScope;

/** Gives a grant, or another end to one that exists. Throws CONFLICT. @param parts the records that it links */
async function grant<T extends Grant>(
  em: EntityManager,
  record: RecordClass<T>,
  parts: { profile: Profile } & Partial<T>,
  end: GrantEnd,
): Promise<T> {
  // a copy, since the search replaces the records in it by their keys
  const existing: T | null = await em.findOne(record, { ...parts } as never, { refresh: true });
  if (existing) await requireOtherEnd(em, existing, end);
  const link: T = existing ?? em.create(record, parts as never, { partial: true });
  const isOther = setEnd(link, end) || !existing;
  await em.flush();
  if (isOther) await raiseRevision(em, parts.profile);
  return link;
}

/** An ended grant is given again, and an active one can get another end; anything else is a conflict. */
async function requireOtherEnd(em: EntityManager, { validUntil }: Grant, end: GrantEnd): Promise<void> {
  if (end !== undefined) return;
  const lasting = await execute(em, 'select 1 where $1::timestamptz is null or $1 > now()', [validUntil]);
  if (lasting.length > 0) throw conflict(alreadyThere);
}

/** Whether the end changed. */
function setEnd(link: Grant, end: GrantEnd): boolean {
  const validUntil = typeof end === 'string' ? new Date(end) : null;
  if ((link.validUntil ?? null)?.getTime() === validUntil?.getTime()) return false;
  link.validUntil = validUntil;
  return true;
}

interface ScopeGrant {
  profileId: string;
  accessScopeGuid: string;
  validUntil?: GrantEnd;
}

/**
 * Gives the profile the access scope; returns the link's number. One that it has already gets the end. Throws NOT_FOUND,
 * BAD_USER_INPUT for an end that has passed, and CONFLICT when the profile has it already and no end is given.
 */
export function assignAccessScope(
  context: Context,
  { profileId, accessScopeGuid, validUntil }: ScopeGrant,
): Promise<number> {
  return change(context, 'admin:write', async (em) => {
    await requireFutureEnd(em, validUntil);
    const orUnknown = unknown('accessScopeGuid', 'access scope');
    const accessScope = await em.findOneOrFail(AccessScope, { accessScopeGuid }, orUnknown);
    const profile = await getLocked(em, profileId);
    await permitScopeLinks(em, context, [accessScope.accessScopeId]);
    const link = await grant(em, ProfileAccessScope, { profile, accessScope }, validUntil);
    return link.profileAccessScopeId;
  });
}

export interface Unassignment extends Assignment {
  ifRevision?: number | null;
}

/** Removes the assignment and the user's sessions for the profile, and returns the link's number; null if there was none. Throws CONFLICT. */
export async function unassignProfile(context: Context, unassignment: Unassignment): Promise<number | null> {
  const [link] = await unassignProfiles(context, [unassignment]);
  return link?.id ?? null;
}

/** The same for many users of one profile; returns the removed links. Throws CONFLICT, with the places of the users if there are several. */
export function unassignProfiles(context: Context, unassignments: readonly Unassignment[]) {
  return change(context, 'admin:write', async (em) => {
    const { profileId } = unassignments[0]!;
    await lockProfiles(em, [profileId]);
    await permitProfile(em, context, profileId);
    const links = await execute<{ place: number; id: number; revision: number; guid: string }>(
      em,
      `select asked.place::int - 1 as place, link.user_profile_id as id, link.revision, u.user_guid::text as guid
       from unnest($2::uuid[], $3::text[]) with ordinality asked (guid, role_id, place)
       join users u on u.user_guid = asked.guid
       join user_profiles link on link.user_id = u.user_id and link.profile_id = $1 and link.role_id = asked.role_id
       order by link.user_profile_id for update of link`,
      [profileId, unassignments.map(({ userGuid }) => userGuid), unassignments.map(({ roleId }) => roleId)],
    );
    requireRevisions(links, unassignments);
    if (links.length === 0) return links;
    const ids = links.map(({ id }) => id);
    await execute(em, 'delete from user_profiles where user_profile_id = any($1::int[])', [ids]);
    const ended = links.map(({ guid }) => ({ guid, profile_id: profileId }));
    await applyEnds(em, context, ended);
    return links;
  });
}

function requireRevisions(links: readonly { place: number; revision: number }[], asked: readonly Unassignment[]): void {
  const changed = links.filter(({ place, revision }) => (asked[place]!.ifRevision ?? revision) !== revision);
  if (changed.length === 0) return;
  if (asked.length > 1) throwAll('CONFLICT', changedMeanwhile, placesOf(changed));
  throw conflict(changedMeanwhile);
}

const placesOf = (items: readonly { place: number }[]): string[] => items.map(({ place }) => `[${place}]`);

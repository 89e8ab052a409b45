/** Creates, changes and removes profiles, their access scopes and their holders. */
import type { Context, EntityManager } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { Profile } from '../../entities/Profile.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { Role } from '../../entities/Role.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { badInput, conflict, GatehouseError, notFound } from '../../errors.js';
import { permitPower, permitProfile, permitScopeLinks } from '../adminScopes/guard.js';
import { execute } from '../execute.js';
import { permit } from '../permit.js';
import {
  change,
  changeBy,
  locked,
  remove,
  requireOwner,
  requireRecord,
  requireRevision,
  unknownReference,
} from '../records/change.js';
import { type InputField, inputFields } from '../records/input.js';
import { endSessionsOfProfile, endSessionsUnlessHeld } from '../tokens/endSessions.js';

/** The most access scopes of one profile. */
const accessScopesMax = 10_000;

export const profileInput = (mode: 'create' | 'update'): InputField[] => inputFields(Profile, { mode });

/** Throws BAD_USER_INPUT, CONFLICT for an id that is taken. */
export function createProfile(context: Context, input: unknown): Promise<Profile> {
  return changeBy(context, profileInput('create'), input, async (em, values) => {
    const { profileId } = values as { profileId: string };
    if (values.externalGroupAdministers === true) permitPower(context);
    if (await em.findOne(Profile, { profileId })) throw conflict('There is a profile of this id already.');
    await requireOwner(em, values, profileId);
    return em.create(Profile, values as never, { partial: true });
  });
}

/** Changes the fields that are present; null clears. Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT. */
export function updateProfile(
  context: Context,
  profileId: string,
  input: unknown,
  ifRevision?: number | null,
): Promise<Profile> {
  return changeBy(context, profileInput('update'), input, async (em, values) => {
    const profile = await requireRecord(em, Profile, { profileId }, 'profile', ifRevision);
    await permitGroup(em, context, profile, values);
    await requireOwner(em, values);
    return em.assign(profile, values as never);
  });
}

/** Requires `admin:security` to let connectors give a profile with administration scopes, or to choose to whom. */
async function permitGroup(
  em: EntityManager,
  context: Context,
  profile: Profile,
  values: Partial<Profile>,
): Promise<void> {
  const { externalGroup, externalGroupAdministers } = profile;
  if (values.externalGroupAdministers === true && !externalGroupAdministers) permitPower(context);
  if (values.externalGroup !== undefined && values.externalGroup !== externalGroup)
    await permitProfile(em, context, profile.profileId);
}

/** Removes a profile with its links, and gives its id; the sessions of its holders end. Throws NOT_FOUND, CONFLICT. */
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
 * Gives a profile exactly these access scopes. Its revision changes with its scopes and with its holders, so who grants
 * can say: to those whom I have seen, and nobody else. Throws BAD_USER_INPUT for one named twice, NOT_FOUND, CONFLICT.
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
  requireOnce(accessScopeGuids);
  await change(context, 'admin:write', async (em) => {
    await lockProfile(em, profileId);
    const profile = await em.findOneOrFail(
      Profile,
      { profileId },
      { populate: ['profileAccessScopes'], refresh: true, failHandler: () => notFound('The profile') },
    );
    requireRevision(profile, ifRevision);
    const scopes = await em.find(AccessScope, { accessScopeGuid: { $in: [...accessScopeGuids] } });
    requireFound(accessScopeGuids, scopes);
    const wanted = new Map(scopes.map((scope) => [scope.accessScopeId, scope]));
    const gone = profile.profileAccessScopes.filter((link) => !wanted.delete(link.accessScope.accessScopeId));
    await permitScopeLinks(em, context, [...wanted.keys(), ...gone.map((link) => link.accessScope.accessScopeId)]);
    profile.profileAccessScopes.remove(gone);
    for (const accessScope of wanted.values())
      em.create(ProfileAccessScope, { profile, accessScope } as never, { partial: true });
    if (gone.length + wanted.size > 0) await raiseRevision(em, profile);
  });
}

/** Locks the profile's scopes and holders until the transaction ends. Read the profile afterwards. */
export const lockProfile = (em: EntityManager, profileId: string): Promise<unknown> =>
  execute(em, 'select from profiles where profile_id = $1 for no key update', [profileId]);

/** The record itself stays as it is, and who changed it last. */
async function raiseRevision(em: EntityManager, profile: Profile): Promise<void> {
  await raiseProfileRevisions(em, [profile.profileId]);
  await em.refresh(profile);
}

/** Raises the revisions of profiles, in the transaction that changes their scopes or holders. */
export const raiseProfileRevisions = (em: EntityManager, profileIds: readonly string[]): Promise<unknown> =>
  execute(em, 'update profiles set revision = revision + 1 where profile_id = any($1)', [profileIds]);

function requireOnce(guids: readonly string[]): void {
  const firsts = new Map<string, number>();
  const problems = guids.flatMap((guid, index) => {
    const first = firsts.get(guid);
    if (first === undefined) firsts.set(guid, index);
    return first === undefined ? [] : [[`accessScopeGuids[${index}]`, [`The same as in [${first}].`]]];
  });
  if (problems.length > 0) throw badInput(Object.fromEntries(problems));
}

function requireFound(guids: readonly string[], scopes: readonly AccessScope[]): void {
  const known = new Set(scopes.map(({ accessScopeGuid }) => accessScopeGuid));
  const message = 'There is no such access scope.';
  const problems = guids.flatMap((guid, index) => (known.has(guid) ? [] : [[`accessScopeGuids[${index}]`, [message]]]));
  if (problems.length > 0) throw new GatehouseError('NOT_FOUND', message, { problems: Object.fromEntries(problems) });
}

interface Assignment {
  userGuid: string;
  profileId: string;
  roleId: string;
}

/** Assigns the profile to the user in the role; returns the link's number. Throws NOT_FOUND, CONFLICT when it is assigned already. */
export function assignProfile(context: Context, { userGuid, profileId, roleId }: Assignment): Promise<number> {
  return change(context, 'admin:write', async (em) => {
    const unknown = (field: string, what: string) => ({ failHandler: () => unknownReference(field, what) });
    const user = await em.findOneOrFail(User, { userGuid }, unknown('userGuid', 'user'));
    await lockProfile(em, profileId);
    const profile = await em.findOneOrFail(
      Profile,
      { profileId },
      { ...unknown('profileId', 'profile'), refresh: true },
    );
    const role = await em.findOneOrFail(Role, { roleId }, unknown('roleId', 'role'));
    await permitProfile(em, context, profileId);
    const link = em.create(UserProfile, { user, profile, role } as never, { partial: true });
    await em.flush();
    await raiseRevision(em, profile);
    return link.userProfileId;
  });
}

/** Ends it, with the user's sessions for the profile, and gives the link's number; null when it wasn't so. Throws CONFLICT. */
export function unassignProfile(
  context: Context,
  { userGuid, profileId, roleId }: Assignment,
  ifRevision?: number | null,
): Promise<number | null> {
  return change(context, 'admin:write', async (em) => {
    await lockProfile(em, profileId);
    await permitProfile(em, context, profileId);
    const link = await em.findOne(
      UserProfile,
      { user: { userGuid }, profile: { profileId }, role: { roleId } },
      { populate: ['profile'], refresh: true },
    );
    if (!link) return null;
    requireRevision(link, ifRevision);
    em.remove(link);
    await em.flush();
    await endSessionsUnlessHeld(em, context, [userGuid], profileId);
    await raiseRevision(em, link.profile);
    return link.userProfileId;
  });
}

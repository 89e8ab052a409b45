/** Creates and changes users and roles, blocks users and removes roles. */
import type { Context } from '../../context.js';
import { Role } from '../../entities/Role.js';
import { User } from '../../entities/User.js';
import { conflict } from '../../errors.js';
import { guardedNames, permitUser } from '../adminScopes/guard.js';
import { changeBy, locked, remove, requireRecord, type Update } from '../records/change.js';
import { type InputField, inputFields } from '../records/input.js';
import { endSessionsOfUsers } from '../tokens/endSessions.js';

export const roleInput = (mode: 'create' | 'update'): InputField[] => inputFields(Role, { mode });

/** Throws BAD_USER_INPUT, CONFLICT for an id that exists already. */
export function createRole(context: Context, input: unknown): Promise<Role> {
  return changeBy(context, roleInput('create'), input, async (em, values) => {
    const { roleId } = values as { roleId: string };
    if (await em.findOne(Role, { roleId })) throw conflict('A role with this id exists already.');
    return em.create(Role, values as never, { partial: true });
  });
}

/** Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT. */
export const updateRole: Update<Role> = (context, roleId, input, ifRevision) =>
  changeBy(context, roleInput('update'), input, async (em, values) =>
    em.assign(await requireRecord(em, Role, { roleId }, 'role', ifRevision), values as never),
  );

/** Removes an unused role, and returns its id. Throws NOT_FOUND, CONFLICT. */
export function deleteRole(context: Context, roleId: string, ifRevision?: number | null): Promise<string> {
  return remove(context, 'role', async (em) => {
    em.remove(await requireRecord(em, Role, { roleId }, 'role', ifRevision, locked));
    return roleId;
  });
}

export const userInput = (mode: 'create' | 'update'): InputField[] =>
  inputFields(User, { mode, also: mode === 'create' ? ['userGuid'] : [] });

/** Throws BAD_USER_INPUT, CONFLICT for a guid or an identity that another user has. */
export function createUser(context: Context, input: unknown): Promise<User> {
  return changeBy(context, userInput('create'), input, async (em, values) =>
    em.create(User, values as never, { partial: true }),
  );
}

/** Blocking ends all sessions of the user. Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT. */
export const updateUser: Update<User> = (context, userGuid, input, ifRevision) =>
  changeBy(context, userInput('update'), input, async (em, values) => {
    const user = await requireRecord(em, User, { userGuid }, 'user', ifRevision);
    if (guardedNames(User).some((name) => name in values)) await permitUser(em, context, user.userId);
    if (values.isBlocked === true) await endSessionsOfUsers(em, context, [user.userGuid]);
    return em.assign(user, values as never);
  });

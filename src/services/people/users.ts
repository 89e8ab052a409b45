/** Users: made, changed and blocked. Who signs in as an administrator is `admin:security`'s to say. */
import type { Context } from '../../context.js';
import { User } from '../../entities/User.js';
import { permitUser } from '../adminScopes/guard.js';
import { changeBy, requireRecord } from '../records/crud.js';
import { type InputField, inputFields } from '../records/input.js';
import { endSessionsOfUsers } from '../tokens/endSessions.js';

/** Fields that decide who signs in as the user, and whether. */
const identity = ['idpname', 'idpid', 'isBlocked'];

export const userInput = (mode: 'create' | 'update'): InputField[] =>
  inputFields(User, { mode, also: mode === 'create' ? ['userGuid'] : [] });

/** Throws BAD_USER_INPUT, CONFLICT for a guid or an identity that another user has. */
export function createUser(context: Context, input: unknown): Promise<User> {
  return changeBy(context, userInput('create'), input, async (em, values) =>
    em.create(User, values as never, { partial: true }),
  );
}

/** Changes the fields that are present; null clears. Blocking ends all sessions of the user. Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT. */
export function updateUser(
  context: Context,
  userGuid: string,
  input: unknown,
  ifRevision?: number | null,
): Promise<User> {
  return changeBy(context, userInput('update'), input, async (em, values) => {
    const user = await requireRecord(em, User, { userGuid }, 'user', ifRevision);
    if (identity.some((field) => field in values)) await permitUser(em, context, user.userId);
    if (values.isBlocked === true) await endSessionsOfUsers(em, context, [user.userGuid]);
    return em.assign(user, values as never);
  });
}

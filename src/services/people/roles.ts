/** Roles: made, changed, removed. */
import type { Context } from '../../context.js';
import { Role } from '../../entities/Role.js';
import { conflict } from '../../errors.js';
import { changeBy, locked, remove, requireRecord } from '../records/crud.js';
import { type InputField, inputFields } from '../records/input.js';

export const roleInput = (mode: 'create' | 'update'): InputField[] => inputFields(Role, { mode });

/** Throws BAD_USER_INPUT, CONFLICT for an id that is taken. */
export function createRole(context: Context, input: unknown): Promise<Role> {
  return changeBy(context, roleInput('create'), input, async (em, values) => {
    const { roleId } = values as { roleId: string };
    if (await em.findOne(Role, { roleId })) throw conflict('There is a role of this id already.');
    return em.create(Role, values as never, { partial: true });
  });
}

/** Changes the fields that are present; null clears. Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT. */
export function updateRole(
  context: Context,
  roleId: string,
  input: unknown,
  ifRevision?: number | null,
): Promise<Role> {
  return changeBy(context, roleInput('update'), input, async (em, values) =>
    em.assign(await requireRecord(em, Role, { roleId }, 'role', ifRevision), values as never),
  );
}

/** Removes a role that nobody has, and gives its id. Throws NOT_FOUND, CONFLICT. */
export function deleteRole(context: Context, roleId: string, ifRevision?: number | null): Promise<string> {
  return remove(context, 'role', async (em) => {
    em.remove(await requireRecord(em, Role, { roleId }, 'role', ifRevision, locked));
    return roleId;
  });
}

/** Access scope types: made, changed and taken out of use. The type `admin` is reserved. */
import type { Context } from '../../context.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { badInput } from '../../errors.js';
import { permitType } from '../adminScopes/guard.js';
import { findTypeNameProblem } from '../adminScopes/reserved.js';
import { changeBy, requireRecord } from '../records/crud.js';
import { type InputField, inputFields } from '../records/input.js';
import { findTextFlaw, textRule } from '../scopeEntry.js';

export const accessScopeTypeInput = (mode: 'create' | 'update'): InputField[] =>
  inputFields(AccessScopeType, { mode, also: mode === 'create' ? ['accessScopeTypeGuid'] : [] });

/** Throws BAD_USER_INPUT, CONFLICT for a name or guid that is taken. */
export function createAccessScopeType(context: Context, input: unknown): Promise<AccessScopeType> {
  return changeBy(context, accessScopeTypeInput('create'), input, async (em, values) => {
    const { accessScopeTypeGuid, name } = values as { accessScopeTypeGuid?: string; name: string };
    requireName(accessScopeTypeGuid, name);
    permitType(context, accessScopeTypeGuid, name);
    return em.create(AccessScopeType, values as never, { partial: true });
  });
}

/** Changes the fields that are present; null clears. Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT. */
export function updateAccessScopeType(
  context: Context,
  accessScopeTypeGuid: string,
  input: unknown,
  ifRevision?: number | null,
): Promise<AccessScopeType> {
  return changeBy(context, accessScopeTypeInput('update'), input, async (em, values) => {
    const type = await requireRecord(em, AccessScopeType, { accessScopeTypeGuid }, 'access scope type', ifRevision);
    if (values.name !== type.name) requireName(accessScopeTypeGuid, values.name);
    permitType(context, accessScopeTypeGuid, type.name, values.name as string | undefined);
    return em.assign(type, values as never);
  });
}

function requireName(accessScopeTypeGuid: string | undefined, name: unknown): void {
  if (typeof name !== 'string') return;
  const problem = findTypeNameProblem(accessScopeTypeGuid, name) ?? (findTextFlaw(name) && textRule);
  if (problem) throw badInput({ name: [`The name field ${problem}.`] });
}

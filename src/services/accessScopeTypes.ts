/** Access scope types: made, changed and taken out of use. The type `admin` is reserved. */
import type { Context } from '../context.js';
import { AccessScopeType } from '../entities/AccessScopeType.js';
import { badInput } from '../errors.js';
import { permitType } from './escalation.js';
import { type InputField, inputFields } from './inputRules.js';
import { changeBy, requireRecord } from './recordChange.js';
import { findTypeNameProblem } from './reservedScopes.js';

export const accessScopeTypeInput = (mode: 'create' | 'update'): InputField[] => inputFields(AccessScopeType, { mode });

/** Throws BAD_USER_INPUT, CONFLICT for a name that is taken. */
export function createAccessScopeType(context: Context, input: unknown): Promise<AccessScopeType> {
  return changeBy(context, accessScopeTypeInput('create'), input, async (em, values) => {
    requireName(undefined, values.name);
    permitType(context, undefined, values.name as string);
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
    requireName(accessScopeTypeGuid, values.name);
    permitType(context, accessScopeTypeGuid, type.name, values.name as string | undefined);
    return em.assign(type, values as never);
  });
}

function requireName(accessScopeTypeGuid: string | undefined, name: unknown): void {
  const problem = typeof name === 'string' ? findTypeNameProblem(accessScopeTypeGuid, name) : undefined;
  if (problem) throw badInput({ name: [`The name field ${problem}.`] });
}

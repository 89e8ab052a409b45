/** Creates, changes and deactivates access scopes and their types. */
import type { Context, EntityManager } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { badInput } from '../../errors.js';
import { everyKey, everyKeyRule, findTextFlaw, textRule } from '../access/scopeEntry.js';
import { type GuardedScope, permitScope, permitType } from '../adminScopes/guard.js';
import { findScopeProblem, findTypeNameProblem } from '../adminScopes/reservedNames.js';
import { changeBy, requireRecord, type Update, unknownReference } from '../records/change.js';
import { type InputField, type InputValues, inputFields, keyField } from '../records/input.js';

export const accessScopeTypeInput = (mode: 'create' | 'update'): InputField[] =>
  inputFields(AccessScopeType, { mode, also: mode === 'create' ? ['accessScopeTypeGuid'] : [] });

/** Throws BAD_USER_INPUT, CONFLICT for a name or guid that exists already. */
export function createAccessScopeType(context: Context, input: unknown): Promise<AccessScopeType> {
  return changeBy(context, accessScopeTypeInput('create'), input, async (em, values) => {
    const { accessScopeTypeGuid, name } = values as { accessScopeTypeGuid?: string; name: string };
    requireName(accessScopeTypeGuid, name);
    permitType(context, accessScopeTypeGuid, name);
    return em.create(AccessScopeType, values as never, { partial: true });
  });
}

/** Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT. */
export const updateAccessScopeType: Update<AccessScopeType> = (context, accessScopeTypeGuid, input, ifRevision) =>
  changeBy(context, accessScopeTypeInput('update'), input, async (em, values) => {
    const type = await requireRecord(em, AccessScopeType, { accessScopeTypeGuid }, 'access scope type', ifRevision);
    if (values.name !== type.name) requireName(accessScopeTypeGuid, values.name);
    permitType(context, accessScopeTypeGuid, type.name, values.name as string | undefined);
    return em.assign(type, values as never);
  });

function requireName(accessScopeTypeGuid: string | undefined, name: unknown): void {
  if (typeof name !== 'string') return;
  const problem = findTypeNameProblem(accessScopeTypeGuid, name) ?? (findTextFlaw(name) && textRule);
  if (problem) throw badInput({ name: [`The name field ${problem}.`] });
}

export const accessScopeInput = (mode: 'create' | 'update'): InputField[] => [
  ...inputFields(AccessScope, { mode, also: mode === 'create' ? ['accessScopeGuid'] : [] }),
  { ...keyField(AccessScopeType, 'accessScopeTypeGuid'), required: mode === 'create' },
];

/** Throws BAD_USER_INPUT, NOT_FOUND for its type, CONFLICT for a guid that exists already. */
export function createAccessScope(context: Context, input: unknown): Promise<AccessScope> {
  return changeBy(context, accessScopeInput('create'), input, async (em, { accessScopeTypeGuid, ...values }) => {
    const accessScopeType = await requireType(em, accessScopeTypeGuid);
    requireSound(context, undefined, partsOf(values, accessScopeType), values.accessScopeGuid as string | undefined);
    return em.create(AccessScope, { ...values, accessScopeType } as never, { partial: true });
  });
}

/** Throws BAD_USER_INPUT, NOT_FOUND, CONFLICT. */
export const updateAccessScope: Update<AccessScope> = (context, accessScopeGuid, input, ifRevision) =>
  changeBy(context, accessScopeInput('update'), input, async (em, { accessScopeTypeGuid, ...values }) => {
    const scope = await requireRecord(em, AccessScope, { accessScopeGuid }, 'access scope', ifRevision);
    const { accessScopeTypeId } = scope.accessScopeType;
    const before = await em.findOneOrFail(AccessScopeType, { accessScopeTypeId });
    const after = accessScopeTypeGuid === undefined ? before : await requireType(em, accessScopeTypeGuid);
    requireSound(context, partsOf(scope, before), partsOf({ ...scope, ...values }, after), accessScopeGuid);
    return em.assign(scope, { ...values, ...(after !== before && { accessScopeType: after }) } as never);
  });

async function requireType(em: EntityManager, accessScopeTypeGuid: unknown): Promise<AccessScopeType> {
  const type = await em.findOne(AccessScopeType, { accessScopeTypeGuid } as never);
  if (!type) throw unknownReference('accessScopeTypeGuid', 'access scope type');
  return type;
}

const partsOf = (scope: InputValues | AccessScope, type: AccessScopeType): GuardedScope => ({
  accessScopeTypeGuid: type.accessScopeTypeGuid,
  typeName: type.name,
  accessScopeKey: (scope.accessScopeKey as string | null | undefined) ?? null,
  concreteId: (scope.concreteId as number | null | undefined) ?? null,
  isWildcard: scope.isWildcard === true,
});

/** Refuses values that no access scope may have, and requires `admin:security` if it grants administration. */
function requireSound(
  context: Context,
  before: GuardedScope | undefined,
  after: GuardedScope,
  accessScopeGuid: string | undefined,
): void {
  permitScope(context, before, after);
  const problem = findScopeProblem({ accessScopeGuid, ...after }) ?? findKeyProblem(before, after);
  if (problem) throw badInput({ [problem.field]: [`The ${problem.field} field ${problem.problem}.`] });
}

/** An unchanged key may come from an old system. */
function findKeyProblem(before: GuardedScope | undefined, { accessScopeKey: key, accessScopeTypeGuid }: GuardedScope) {
  const isNew = key !== before?.accessScopeKey;
  const isMoved = accessScopeTypeGuid !== before?.accessScopeTypeGuid;
  if (key === everyKey && (isNew || isMoved)) return { field: 'accessScopeKey', problem: everyKeyRule };
  return key !== null && isNew && findTextFlaw(key) ? { field: 'accessScopeKey', problem: textRule } : undefined;
}

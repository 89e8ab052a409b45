/**
 * Mappings of an application, to access scopes and to access scope types: made, changed and removed in bulk, all or
 * nothing. A mapping to a scope of the type `admin` grants nothing (it opens an application to those who hold the scope
 * already), so `admin:write` is enough.
 */
import type { Context, EntityManager } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { type ErrorCode, GatehouseError, notFound, tooLarge } from '../../errors.js';
import { execute } from '../execute.js';
import { permit } from '../permit.js';
import { change } from '../records/change.js';
import {
  checkItems,
  type InputField,
  type InputValues,
  inputFields,
  keyField,
  problemsMax,
  requireGuids,
  revisionField,
} from '../records/input.js';

/** Most items of one bulk. */
export const bulkItemsMax = 10_000;

/** A kind of mapping: its record, what it maps to, and how items name that. */
export interface MappingKind<Mapper extends object = object> {
  mapper: RecordClass<Mapper>;
  target: RecordClass;
  /** The mapper's to-one to the target. */
  relation: string;
  guid: string;
  /** The target, in words. */
  what: string;
}

export const scopeMappings: MappingKind<AccessScopeApplicationsMapper> = {
  mapper: AccessScopeApplicationsMapper,
  target: AccessScope,
  relation: 'accessScope',
  guid: 'accessScopeGuid',
  what: 'access scope',
};
export const typeMappings: MappingKind<AccessScopeTypeApplicationsMapper> = {
  mapper: AccessScopeTypeApplicationsMapper,
  target: AccessScopeType,
  relation: 'accessScopeType',
  guid: 'accessScopeTypeGuid',
  what: 'access scope type',
};

/** The fields of an item. */
export function mappingInput(
  { mapper, target, guid }: MappingKind,
  mode: 'create' | 'update' | 'delete',
): InputField[] {
  return [keyField(target, guid), ...(mode === 'delete' ? [] : inputFields(mapper, { mode }))];
}

/** The same, and `ifRevision` of what is there already; the documented REST operations take none. */
export const lockedMappingInput = (kind: MappingKind, mode: 'create' | 'update' | 'delete'): InputField[] => [
  ...mappingInput(kind, mode),
  ...(mode === 'create' ? [] : [revisionField(kind.mapper)]),
];

/**
 * Makes a mapping per item and gives their numbers in the items' order. Throws BAD_USER_INPUT, TOO_LARGE, NOT_FOUND for
 * the application or a target, CONFLICT for a mapping that exists.
 */
export async function createMappings(
  context: Context,
  kind: MappingKind,
  applicationGuid: unknown,
  items: unknown,
): Promise<number[]> {
  const bulk = requireBulk(context, kind, applicationGuid, items, mappingInput(kind, 'create'));
  return change(context, 'admin:write', async (em) => {
    const found = await lockTargets(em, kind, bulk);
    requireAll(bulk, found, ({ target }) => target !== undefined, 'NOT_FOUND', `There is no such ${kind.what}.`);
    requireAll(bulk, found, ({ mapping }) => mapping === undefined, 'CONFLICT', 'There is such a mapping already.');
    const application = em.getReference(Application, found.applicationId as never);
    const made = bulk.items.map(({ [kind.guid]: _, ...values }, index) => {
      const target = em.getReference(kind.target, found.targets[index]!.target);
      return em.create(
        kind.mapper,
        { ...values, application, [kind.relation]: target },
        { partial: true, persist: false },
      );
    });
    em.persist(made);
    await em.flush();
    return made.map((mapping) => keyOf(kind, mapping));
  });
}

/**
 * Changes the fields that each item has; null clears. Gives the mappings' numbers in the items' order; throws as
 * createMappings, and CONFLICT for one that somebody else changed since its `ifRevision`.
 */
export async function updateMappings(
  context: Context,
  kind: MappingKind,
  applicationGuid: unknown,
  items: unknown,
  fields = mappingInput(kind, 'update'),
): Promise<number[]> {
  const bulk = requireBulk(context, kind, applicationGuid, items, fields);
  return change(context, 'admin:write', async (em) => {
    const mappings = await lockMappings(em, kind, bulk);
    bulk.items.forEach(({ [kind.guid]: _, revision: _read, ...values }, index) => {
      em.assign(mappings[index]!, values);
    });
    return mappings.map((mapping) => keyOf(kind, mapping));
  });
}

/** Removes the mapping of each item and gives their numbers; throws as updateMappings. */
export async function deleteMappings(
  context: Context,
  kind: MappingKind,
  applicationGuid: unknown,
  items: unknown,
  fields = mappingInput(kind, 'delete'),
): Promise<number[]> {
  const bulk = requireBulk(context, kind, applicationGuid, items, fields);
  return change(context, 'admin:write', async (em) => {
    const mappings = await lockMappings(em, kind, bulk);
    for (const mapping of mappings) em.remove(mapping);
    return mappings.map((mapping) => keyOf(kind, mapping));
  });
}

/** Removes one mapping. Throws BAD_USER_INPUT naming the guid that is none, NOT_FOUND. */
export async function deleteMapping(
  context: Context,
  kind: MappingKind,
  applicationGuid: unknown,
  targetGuid: unknown,
): Promise<void> {
  permit(context, 'admin:write');
  const guids = requireGuids({ applicationGuid, [kind.guid]: targetGuid });
  const bulk = { applicationGuid: guids.applicationGuid!, items: [{ [kind.guid]: guids[kind.guid] }], kind };
  await change(context, 'admin:write', async (em) => {
    const found = await lockTargets(em, kind, bulk);
    const { target, mapping } = found.targets[0]!;
    if (target === undefined) throw notFound(`The ${kind.what}`);
    if (mapping === undefined) throw notFound('The mapping');
    em.remove(await em.findOneOrFail(kind.mapper, mapping as never));
  });
}

interface Bulk {
  kind: MappingKind;
  applicationGuid: string;
  items: InputValues[];
}

/** Permission, then size, then everything that is wrong with the application's guid and the items. */
function requireBulk(
  context: Context,
  kind: MappingKind,
  applicationGuid: unknown,
  items: unknown,
  fields: readonly InputField[],
): Bulk {
  permit(context, 'admin:write');
  const isArray = Array.isArray(items);
  if (isArray && items.length > bulkItemsMax) throw tooLarge(`At most ${bulkItemsMax} items are taken at once.`);
  const problems = isArray ? {} : { $: ['An array is expected.'] };
  const checked = checkItems(fields, isArray ? items : [], kind.guid);
  const guids = requireGuids({ applicationGuid }, { ...problems, ...checked.problems });
  return { kind, applicationGuid: guids.applicationGuid, items: checked.values };
}

interface LockedTargets {
  applicationId: number;
  /** Per item: the key of the scope or type, and of its mapping; undefined where there is none. */
  targets: { target?: number; mapping?: number }[];
}

/** Locks the application, so that one bulk at a time changes its mappings, and the targets against being removed. */
async function lockTargets(
  em: EntityManager,
  { mapper, target, guid }: MappingKind,
  bulk: Bulk,
): Promise<LockedTargets> {
  const applications = await execute<{ application_id: number }>(
    em,
    'select application_id from applications where application_guid = $1 for no key update',
    [bulk.applicationGuid],
  );
  const applicationId = applications[0]?.application_id;
  if (applicationId === undefined) throw notFound('The application');
  const { table, primaryKey, fields } = describe(target);
  const guidColumn = fields.find(({ name }) => name === guid)!.column;
  const rows = await execute<{ guid: string; target: number; mapping: number | null }>(
    em,
    `select t.${guidColumn} guid, t.${primaryKey.column} target,
       (select m.${describe(mapper).primaryKey.column} from ${describe(mapper).table} m
        where m.application_id = $1 and m.${primaryKey.column} = t.${primaryKey.column}) mapping
     from ${table} t where t.${guidColumn} = any($2::uuid[]) order by t.${primaryKey.column} for key share of t`,
    [applicationId, bulk.items.map((item) => item[guid])],
  );
  const byGuid = new Map(
    rows.map((row) => [row.guid, { target: row.target, ...(row.mapping && { mapping: row.mapping }) }]),
  );
  return { applicationId, targets: bulk.items.map((item) => byGuid.get(String(item[guid])) ?? {}) };
}

/** The mappings of the items, in their order. Throws NOT_FOUND when one is missing. */
async function lockMappings(em: EntityManager, kind: MappingKind, bulk: Bulk): Promise<object[]> {
  const found = await lockTargets(em, kind, bulk);
  requireAll(bulk, found, ({ target }) => target !== undefined, 'NOT_FOUND', `There is no such ${kind.what}.`);
  requireAll(bulk, found, ({ mapping }) => mapping !== undefined, 'NOT_FOUND', 'There is no such mapping.');
  const keys = found.targets.map(({ mapping }) => mapping!);
  const loaded = await em.find(kind.mapper, { [describe(kind.mapper).primaryKey.name]: { $in: keys } } as never);
  const byKey = new Map(loaded.map((mapping) => [keyOf(kind, mapping), mapping]));
  const mappings = keys.map((key) => byKey.get(key)!);
  requireRevisions(bulk, mappings);
  return mappings;
}

/** Throws one CONFLICT that names the items that somebody else changed since their revision was read. */
function requireRevisions({ items }: Bulk, mappings: readonly { revision?: number }[]): void {
  const message = 'Somebody else changed it meanwhile.';
  const problems = items.flatMap(({ revision }, index) =>
    typeof revision === 'number' && revision !== mappings[index]!.revision
      ? [[`[${index}].ifRevision`, [message]]]
      : [],
  );
  if (problems.length > 0)
    throw new GatehouseError('CONFLICT', message, { problems: Object.fromEntries(problems.slice(0, problemsMax)) });
}

/** Throws one error that names all the items that don't pass. */
function requireAll(
  { kind }: Bulk,
  { targets }: LockedTargets,
  passes: (target: LockedTargets['targets'][number]) => boolean,
  code: ErrorCode,
  message: string,
): void {
  const bad = targets.flatMap((target, index) => (passes(target) ? [] : [[`[${index}].${kind.guid}`, [message]]]));
  if (bad.length > 0)
    throw new GatehouseError(code, message, { problems: Object.fromEntries(bad.slice(0, problemsMax)) });
}

const keyOf = ({ mapper }: MappingKind, mapping: object): number =>
  (mapping as Record<string, number>)[describe(mapper).primaryKey.name]!;

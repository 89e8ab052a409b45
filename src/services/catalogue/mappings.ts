/**
 * Mappings of applications to access scopes and to access scope types. A mapping is a cell of a matrix: bulk operations and
 * cells of a change set lock and write mappings with the same statements. A mapping to a scope of the type `admin` grants
 * nothing (it opens an application to those who already hold the scope), so `admin:write` is enough.
 */
import type { Context, EntityManager } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../entities/AccessScopeTypeApplicationsMapper.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { type ErrorCode, notFound, tooLarge } from '../../errors.js';
import { execute } from '../execute.js';
import { permit } from '../permit.js';
import { change, changedMeanwhile, requireVersion } from '../records/change.js';
import {
  checkItems,
  type InputField,
  type InputValues,
  inputFields,
  keyField,
  problemsMax,
  requireGuids,
  throwAll,
} from '../records/input.js';
import { type Columns, deleteRows, insertRows, updateRows } from '../records/writeRecords.js';

/** Maximum number of items in one bulk operation. */
export const bulkItemsMax = 10_000;

/** A kind of mapping: its record, its target, and how items name the target. */
export interface MappingKind {
  mapper: RecordClass;
  target: RecordClass;
  guid: string;
  /** The target, in words. */
  what: string;
}

export const scopeMappings: MappingKind = {
  mapper: AccessScopeApplicationsMapper,
  target: AccessScope,
  guid: 'accessScopeGuid',
  what: 'access scope',
};
export const typeMappings: MappingKind = {
  mapper: AccessScopeTypeApplicationsMapper,
  target: AccessScopeType,
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

interface Bulk {
  kind: MappingKind;
  items: InputValues[];
}

/**
 * A bulk operation. It returns the numbers of the mappings in the order of the items. Throws BAD_USER_INPUT, TOO_LARGE, and
 * NOT_FOUND for the application or a target.
 * @param requireCells throws for mappings that the operation does not accept
 */
const bulkOf =
  (mode: 'create' | 'update' | 'delete', requireCells: (bulk: Bulk, cells: readonly LockedCell[]) => void) =>
  async (
    context: Context,
    kind: MappingKind,
    applicationGuid: unknown,
    items: unknown,
    fields: readonly InputField[] = mappingInput(kind, mode),
  ): Promise<number[]> => {
    permit(context, 'admin:write');
    const isArray = Array.isArray(items);
    if (isArray && items.length > bulkItemsMax) throw tooLarge(`At most ${bulkItemsMax} items are accepted at once.`);
    const problems = isArray ? {} : { $: ['An array is expected.'] };
    const checked = checkItems(fields, isArray ? items : [], kind.guid);
    const guids = requireGuids({ applicationGuid }, { ...problems, ...checked.problems });
    const bulk: Bulk = { kind, items: checked.values };
    return change(context, 'admin:write', async (em) => {
      await lockApplication(em, guids.applicationGuid);
      const places = bulk.items.map((item) => ({ ...guids, targetGuid: String(item[kind.guid]) }));
      const cells = await lockCells(em, kind, places);
      await requireVersion(context, em);
      requireAll(bulk, cells, ({ target }) => target !== null, 'NOT_FOUND', `There is no such ${kind.what}.`);
      requireCells(bulk, cells);
      const next = bulk.items.map((item) => (mode === 'delete' ? null : columnsOf(kind, item)));
      return writeCells(em, kind, cells, next);
    });
  };

/** Creates a mapping for each item. Throws CONFLICT for a mapping that exists. */
export const createMappings = bulkOf('create', (bulk, cells) =>
  requireAll(bulk, cells, ({ mapping }) => mapping === null, 'CONFLICT', 'The mapping exists already.'),
);

/**
 * Changes the fields that each item has; null clears. Throws NOT_FOUND for a missing mapping, and CONFLICT for one that somebody
 * else changed since its `ifRevision`.
 */
export const updateMappings = bulkOf('update', requirePresent);

/** Removes the mapping of each item. Throws the errors of updateMappings. */
export const deleteMappings = bulkOf('delete', requirePresent);

/** Removes one mapping. Throws BAD_USER_INPUT for a malformed guid, and NOT_FOUND. */
export async function deleteMapping(
  context: Context,
  kind: MappingKind,
  applicationGuid: unknown,
  targetGuid: unknown,
): Promise<void> {
  permit(context, 'admin:write');
  const { applicationGuid: application, ...item } = requireGuids({ applicationGuid, [kind.guid]: targetGuid });
  await change(context, 'admin:write', async (em) => {
    await lockApplication(em, application!);
    const [cell] = await lockCells(em, kind, [{ applicationGuid: application!, targetGuid: item[kind.guid]! }]);
    await requireVersion(context, em);
    if (cell!.target === null) throw notFound(`The ${kind.what}`);
    if (cell!.mapping === null) throw notFound('The mapping');
    await writeCells(em, kind, [cell!], [null]);
  });
}

/** The fields of the mapping itself that an item has. */
function columnsOf({ mapper }: MappingKind, item: InputValues): Columns {
  const fields = describe(mapper).fields.filter(({ name, create }) => create !== undefined && name in item);
  return Object.fromEntries(fields.map(({ name, column }) => [column, item[name]]));
}

async function lockApplication(em: EntityManager, applicationGuid: string): Promise<void> {
  const [application] = await lockApplications(em, [applicationGuid]);
  if (!application) throw notFound('The application');
}

/** Throws NOT_FOUND when a mapping is missing, and CONFLICT when one was changed since its revision was read. */
function requirePresent(bulk: Bulk, cells: readonly LockedCell[]): void {
  requireAll(bulk, cells, ({ mapping }) => mapping !== null, 'NOT_FOUND', 'The mapping does not exist.');
  const moved = bulk.items.flatMap(({ revision }, index) =>
    typeof revision === 'number' && revision !== cells[index]!.mapping!.revision ? [`[${index}].ifRevision`] : [],
  );
  throwAll('CONFLICT', changedMeanwhile, moved.slice(0, problemsMax));
}

/** Throws one error with all items that fail. */
function requireAll(
  { kind }: Bulk,
  cells: readonly LockedCell[],
  passes: (cell: LockedCell) => boolean,
  code: ErrorCode,
  message: string,
): void {
  const places = cells.flatMap((cell, index) => (passes(cell) ? [] : [`[${index}].${kind.guid}`]));
  throwAll(code, message, places.slice(0, problemsMax));
}

/** The keys of an application and a target, and the columns of the mapping between them. */
export interface LockedCell {
  application: number | null;
  target: number | null;
  mapping: Columns | null;
}

/** Locks applications, always in the same order, so that one transaction at a time changes their mappings. */
export const lockApplications = (em: EntityManager, guids: readonly string[]): Promise<unknown[]> =>
  execute(
    em,
    'select 1 from applications where application_guid = any($1::uuid[]) order by application_id for no key update',
    [guids],
  );

/** Returns the cells in their order. Locks the mappings, and protects the targets from removal. */
export async function lockCells(
  em: EntityManager,
  kind: MappingKind,
  places: readonly { applicationGuid: string; targetGuid: string }[],
): Promise<LockedCell[]> {
  const { table, primaryKey, fields } = describe(kind.target);
  const guidColumn = fields.find(({ name }) => name === kind.guid)!.column;
  const mapper = describe(kind.mapper);
  const applications = places.map(({ applicationGuid }) => applicationGuid);
  const targets = places.map(({ targetGuid }) => targetGuid);
  await execute(
    em,
    `select 1 from ${table} where ${guidColumn} = any($1::uuid[]) order by ${primaryKey.column} for key share`,
    [targets],
  );
  return execute<LockedCell>(
    em,
    `with present as materialized (
       select m.* from ${mapper.table} m where (m.application_id, m.${primaryKey.column}) in (
         select a.application_id, t.${primaryKey.column} from unnest($1::uuid[], $2::uuid[]) asked(application_guid, target_guid)
         join applications a on a.application_guid = asked.application_guid join ${table} t on t.${guidColumn} = asked.target_guid)
       order by m.${mapper.primaryKey.column} for no key update of m)
     select a.application_id as application, t.${primaryKey.column} as target, to_jsonb(present) as mapping
     from unnest($1::uuid[], $2::uuid[]) with ordinality asked(application_guid, target_guid, ord)
     left join applications a on a.application_guid = asked.application_guid
     left join ${table} t on t.${guidColumn} = asked.target_guid
     left join present on present.application_id = a.application_id and present.${primaryKey.column} = t.${primaryKey.column}
     order by asked.ord`,
    [applications, targets],
  );
}

/**
 * Removes, changes and creates mappings with one statement each, and returns their numbers in the order of the cells; 0 for a
 * removed one.
 * @param values new values of columns for each cell; null is no mapping
 */
export async function writeCells(
  em: EntityManager,
  { mapper, target }: MappingKind,
  all: readonly LockedCell[],
  values: readonly (Columns | null)[],
): Promise<number[]> {
  const cells = all.map((cell, index) => ({ ...cell, next: values[index]! }));
  const key = describe(mapper).primaryKey.column;
  const targetColumn = describe(target).primaryKey.column;
  const columns = [...new Set(cells.flatMap(({ next }) => Object.keys(next ?? {})))];
  const valuesOf = ({ mapping, next }: (typeof cells)[number]): Columns =>
    Object.fromEntries(columns.map((column) => [column, (column in next! ? next : mapping)?.[column] ?? null]));
  const removed = cells.flatMap(({ mapping, next }) => (mapping && !next ? [mapping[key]] : []));
  const changed = cells.filter(
    ({ mapping, next }) => mapping && next && Object.keys(next).some((column) => next[column] !== mapping[column]),
  );
  const missing = cells.filter(({ mapping, next }) => !mapping && next);
  const newValues = changed.map((cell) => ({ [key]: cell.mapping![key], ...valuesOf(cell) }));
  const rows = missing.map((cell) => {
    return { application_id: cell.application, [targetColumn]: cell.target, ...valuesOf(cell) };
  });
  await deleteRows(em, mapper, removed);
  await updateRows(em, mapper, newValues);
  const inserted = await insertRows(em, mapper, rows);
  const keys = new Map(missing.map((cell, index) => [cell, inserted[index] as number]));
  return cells.map((cell) => (cell.mapping?.[key] as number | undefined) ?? keys.get(cell) ?? 0);
}

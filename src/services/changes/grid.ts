/** Cells of a grid: what was read there is the lock, and what is wanted there is made so. Many cost as few statements as one. */
import type { Context, EntityManager } from '../../context.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import { describe } from '../../entities/fields.js';
import { Translation } from '../../entities/Translation.js';
import { badInput, type ErrorCode, GatehouseError, type Problems } from '../../errors.js';
import { type MappingKind, scopeMappings, typeMappings } from '../catalogue/mappings.js';
import { permit } from '../permit.js';
import { type FieldValue, findProblem, readGuid } from '../records/fieldInput.js';
import { change } from '../records/transaction.js';
import { execute } from '../sql/execute.js';

/** A mapping by its state: as it was read, and as it is wanted; null is no mapping. */
export interface MappingCell {
  applicationGuid: string;
  accessScopeGuid?: string | null;
  accessScopeTypeGuid?: string | null;
  from?: string | null;
  to?: string | null;
  /** Absent: it stays. */
  individualExternalLink?: string | null;
}

/** A text: as it was read, and as it is wanted; null is none. */
export interface TranslationCell {
  translationGroup: string;
  fieldName: string;
  languageCode: string;
  from?: string | null;
  to?: string | null;
}

/** Makes the mappings so; no two may be of one cell. Problems are keyed by `[index]` and the cell's own fields. */
export async function setMappings(context: Context, cells: readonly MappingCell[]): Promise<void> {
  permit(context, 'admin:write');
  requireSound(cells, mappingProblems);
  await change(context, 'admin:write', async (em) => {
    for (const kind of [scopeMappings, typeMappings]) {
      const own = cells.flatMap((cell, index) => (cell[kind.guid as 'accessScopeGuid'] ? [{ cell, index }] : []));
      if (own.length > 0) await setMappingsOf(em, kind, own);
    }
  });
}

/** Makes the texts so; no two may be of one cell. Problems are keyed as those of setMappings. */
export async function setTexts(context: Context, cells: readonly TranslationCell[]): Promise<void> {
  permit(context, 'admin:write');
  requireSound(cells, textProblems);
  await change(context, 'admin:write', async (em) => {
    const groups = [...new Set(cells.map(({ translationGroup }) => translationGroup))].sort();
    // as setTranslations: one change of a group at a time, whether it has texts yet or not
    for (const group of groups)
      await execute(em, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`translations ${group}`]);
    const keyOf = (text: Pick<TranslationCell, 'translationGroup' | 'fieldName' | 'languageCode'>) =>
      JSON.stringify([text.translationGroup, text.fieldName, text.languageCode]);
    const found = await em.find(Translation, { translationGroup: { $in: groups } });
    const stored = new Map(found.map((translation) => [keyOf(translation), translation]));
    const present = cells.map((cell) => stored.get(keyOf(cell)));
    requireAsRead(cells, (index) => present[index]?.translatedText ?? null);
    cells.forEach(({ from: _read, to, ...key }, index) => {
      const translation = present[index];
      if (!translation && to) em.create(Translation, { ...key, translatedText: to } as never, { partial: true });
      else if (translation && to) translation.translatedText = to;
      else if (translation) em.remove(translation);
    });
  });
}

interface Placed {
  cell: MappingCell;
  index: number;
}

interface LockedCell {
  ord: number;
  application: number | null;
  target: number | null;
  mapping: number | null;
}

/** The applications are locked as by a bulk, in one order everywhere, and the targets against being removed. */
async function setMappingsOf(em: EntityManager, kind: MappingKind, own: Placed[]): Promise<void> {
  const guids = own.map(({ cell }) => cell.applicationGuid);
  const targets = own.map(({ cell }) => cell[kind.guid as 'accessScopeGuid']!);
  const { table, primaryKey, fields } = describe(kind.target);
  const guidColumn = fields.find(({ name }) => name === kind.guid)!.column;
  const mapper = describe(kind.mapper);
  await execute(
    em,
    'select 1 from applications where application_guid = any($1::uuid[]) order by application_id for no key update',
    [guids],
  );
  await execute(
    em,
    `select 1 from ${table} where ${guidColumn} = any($1::uuid[]) order by ${primaryKey.column} for key share`,
    [targets],
  );
  const locked = await execute<LockedCell>(
    em,
    `select asked.ord::int as ord, a.application_id as application, t.${primaryKey.column} as target,
       m.${mapper.primaryKey.column} as mapping
     from unnest($1::uuid[], $2::uuid[]) with ordinality asked(application_guid, target_guid, ord)
     left join applications a on a.application_guid = asked.application_guid
     left join ${table} t on t.${guidColumn} = asked.target_guid
     left join ${mapper.table} m on m.application_id = a.application_id and m.${primaryKey.column} = t.${primaryKey.column}
     order by asked.ord`,
    [guids, targets],
  );
  requireKnown(own, kind, locked);
  const keys = locked.flatMap(({ mapping }) => mapping ?? []);
  const loaded = await em.find(kind.mapper, { [mapper.primaryKey.name]: { $in: keys } } as never);
  const byKey = new Map(
    (loaded as (Record<string, number> & AccessScopeApplicationsMapper)[]).map((mapping) => [
      mapping[mapper.primaryKey.name]!,
      mapping,
    ]),
  );
  const present = locked.map(({ mapping }) => (mapping === null ? undefined : byKey.get(mapping)));
  const stateAt = (index: number) => present[index]?.state ?? null;
  requireAsRead(
    own.map(({ cell }) => cell),
    stateAt,
    (index) => own[index]!.index,
  );
  own.forEach(({ cell }, index) => {
    const mapping = present[index];
    const { to, individualExternalLink } = cell;
    const link = individualExternalLink === undefined ? {} : { individualExternalLink };
    if (mapping && to) em.assign(mapping, { state: to, ...link } as never);
    else if (mapping) em.remove(mapping);
    else if (to)
      em.create(
        kind.mapper,
        {
          state: to,
          ...link,
          application: em.getReference(Application, locked[index]!.application as never),
          [kind.relation]: em.getReference(kind.target, locked[index]!.target as never),
        },
        { partial: true },
      );
  });
}

const throwAll = (code: ErrorCode, message: string, problems: [string, string[]][]): void => {
  if (problems.length > 0) throw new GatehouseError(code, message, { problems: Object.fromEntries(problems) });
};

function requireKnown(own: Placed[], kind: MappingKind, locked: readonly LockedCell[]): void {
  const message = 'There is no such record.';
  throwAll(
    'NOT_FOUND',
    message,
    locked.flatMap(({ application, target }, at) => {
      const { index } = own[at]!;
      const missing: [string, string[]][] = [];
      if (application === null) missing.push([`[${index}].applicationGuid`, ['There is no such application.']]);
      if (target === null) missing.push([`[${index}].${kind.guid}`, [`There is no such ${kind.what}.`]]);
      return missing;
    }),
  );
}

/** Throws one CONFLICT that names all the cells in which something else is now than what was read. */
function requireAsRead(
  cells: readonly { from?: string | null }[],
  presentAt: (index: number) => string | null,
  place = (index: number) => index,
): void {
  const message = 'Somebody else changed it meanwhile.';
  const moved = cells.flatMap(({ from = null }, index): [string, string[]][] =>
    presentAt(index) === from ? [] : [[`[${place(index)}].from`, [message]]],
  );
  throwAll('CONFLICT', message, moved);
}

function requireSound<Cell>(cells: readonly Cell[], problemsOf: (cell: Cell) => [string, string | undefined][]): void {
  const problems: Problems = {};
  cells.forEach((cell, index) => {
    for (const [name, problem] of problemsOf(cell))
      if (problem !== undefined) problems[`[${index}].${name}`] = [`The ${name} ${problem}.`];
  });
  if (Object.keys(problems).length > 0) throw badInput(problems);
}

const faultOf = (read: FieldValue): string | undefined => ('problem' in read ? read.problem : undefined);

function mappingProblems({
  applicationGuid,
  accessScopeGuid,
  accessScopeTypeGuid,
  to,
  individualExternalLink,
}: MappingCell) {
  const isOne = Boolean(accessScopeGuid) !== Boolean(accessScopeTypeGuid);
  const target = accessScopeGuid ?? accessScopeTypeGuid;
  const link = individualExternalLink ?? null;
  return [
    ['applicationGuid', faultOf(readGuid(applicationGuid))],
    [
      accessScopeTypeGuid ? 'accessScopeTypeGuid' : 'accessScopeGuid',
      isOne ? faultOf(readGuid(target)) : 'or accessScopeTypeGuid is given, exactly one of them',
    ],
    ['to', to == null ? undefined : findProblem(AccessScopeApplicationsMapper, 'state', to)],
    [
      'individualExternalLink',
      link !== null && accessScopeTypeGuid
        ? 'is of mappings to access scopes alone'
        : findProblem(AccessScopeApplicationsMapper, 'individualExternalLink', link),
    ],
  ] as [string, string | undefined][];
}

const textProblems = ({ translationGroup, fieldName, languageCode, to }: TranslationCell) =>
  [
    ['translationGroup', findProblem(Translation, 'translationGroup', translationGroup)],
    ['fieldName', findProblem(Translation, 'fieldName', fieldName)],
    ['languageCode', findProblem(Translation, 'languageCode', languageCode)],
    ['to', to == null ? undefined : findProblem(Translation, 'translatedText', to)],
  ] as [string, string | undefined][];

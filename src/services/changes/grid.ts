/** The cells of the matrix: mappings locked, made, changed and removed as sets. */
import type { Context, EntityManager } from '../../context.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { describe } from '../../entities/description.js';
import { Translation } from '../../entities/Translation.js';
import { badInput, type ErrorCode, GatehouseError, type Problems } from '../../errors.js';
import { type MappingKind, scopeMappings, typeMappings } from '../catalogue/mappings.js';
import { execute } from '../execute.js';
import { permit } from '../permit.js';
import { change, journalOf } from '../records/change.js';
import { type FieldValue, findProblem, readGuid } from '../records/input.js';

/**
 * Mappings by application and target, locked, removed, changed and made, each with one statement however many there are. The
 * entity manager would take seconds for a thousand.
 */

/** A cell as it is now. */
interface LockedCell {
  application: number | null;
  target: number | null;
  mapping: number | null;
  state: string | null;
  link: string | null;
}

/**
 * Gives the cells in their order. The applications are locked as by a bulk, in one order everywhere, the targets against
 * being removed, and the mappings against whoever knows no such order.
 */
async function lockCells(
  em: EntityManager,
  kind: MappingKind,
  guids: readonly string[],
  targets: readonly string[],
): Promise<LockedCell[]> {
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
  return execute<LockedCell>(
    em,
    `with present as materialized (
       select m.* from ${mapper.table} m where (m.application_id, m.${primaryKey.column}) in (
         select a.application_id, t.${primaryKey.column} from unnest($1::uuid[], $2::uuid[]) asked(application_guid, target_guid)
         join applications a on a.application_guid = asked.application_guid join ${table} t on t.${guidColumn} = asked.target_guid)
       order by m.${mapper.primaryKey.column} for no key update of m)
     select a.application_id as application, t.${primaryKey.column} as target,
       present.${mapper.primaryKey.column} as mapping, present.state, ${hasLink(kind) ? 'present.individual_external_link' : 'null'} as link
     from unnest($1::uuid[], $2::uuid[]) with ordinality asked(application_guid, target_guid, ord)
     left join applications a on a.application_guid = asked.application_guid
     left join ${table} t on t.${guidColumn} = asked.target_guid
     left join present on present.application_id = a.application_id and present.${primaryKey.column} = t.${primaryKey.column}
     order by asked.ord`,
    [guids, targets],
  );
}

const hasLink = ({ mapper }: MappingKind): boolean =>
  describe(mapper).fields.some(({ name }) => name === 'individualExternalLink');

/** The same, with what is wanted there; null is no mapping. */
interface WantedCell extends LockedCell {
  to: string | null;
  newLink: string | null;
}

async function removeMappings(em: EntityManager, kind: MappingKind, wanted: readonly WantedCell[]): Promise<void> {
  const gone = wanted.flatMap(({ mapping, to }) => (mapping !== null && to === null ? mapping : []));
  if (gone.length === 0) return;
  const { table, primaryKey, name } = describe(kind.mapper);
  await execute(em, `delete from ${table} where ${primaryKey.column} = any($1::int[])`, [gone]);
  for (const mapping of gone)
    journalOf(em).entries.push({ action: 'delete', subjectType: name, subjectId: String(mapping) });
}

async function changeMappings(em: EntityManager, kind: MappingKind, wanted: readonly WantedCell[]): Promise<void> {
  const changed = wanted.flatMap((cell) => {
    const fields = [
      ...(cell.state === cell.to ? [] : ['state']),
      ...(cell.link === cell.newLink ? [] : ['individualExternalLink']),
    ];
    return cell.mapping === null || cell.to === null || fields.length === 0 ? [] : [{ ...cell, fields }];
  });
  if (changed.length === 0) return;
  const { table, primaryKey, name } = describe(kind.mapper);
  const { actor, now, entries } = journalOf(em);
  await execute(
    em,
    `update ${table} m set state = wanted.state${hasLink(kind) ? ', individual_external_link = wanted.link' : ''},
       revision = m.revision + 1, modified_date = $4, modified_by = $5
     from unnest($1::int[], $2::text[], $3::text[]) wanted(mapping, state, link)
     where m.${primaryKey.column} = wanted.mapping`,
    [
      changed.map(({ mapping }) => mapping),
      changed.map(({ to }) => to),
      changed.map(({ newLink }) => newLink),
      now,
      actor,
    ],
  );
  for (const { mapping, fields } of changed)
    entries.push({ action: 'update', subjectType: name, subjectId: String(mapping), detail: { fields } });
}

async function makeMappings(em: EntityManager, kind: MappingKind, wanted: readonly WantedCell[]): Promise<void> {
  const made = wanted.filter(({ mapping, to }) => mapping === null && to !== null);
  if (made.length === 0) return;
  const { table, primaryKey, name } = describe(kind.mapper);
  const target = describe(kind.target).primaryKey.column;
  const { actor, now, entries } = journalOf(em);
  const [linkColumn, link] = hasLink(kind) ? [', individual_external_link', ', link'] : ['', ''];
  const rows = await execute<{ mapping: number }>(
    em,
    `insert into ${table} (application_id, ${target}, state${linkColumn}, created_date, created_by)
     select application, target, state${link}, $5, $6
     from unnest($1::int[], $2::int[], $3::text[], $4::text[]) with ordinality wanted(application, target, state, link, ord)
     order by ord returning ${primaryKey.column} as mapping`,
    [
      made.map(({ application }) => application),
      made.map(({ target: key }) => key),
      made.map(({ to }) => to),
      made.map(({ newLink }) => newLink),
      now,
      actor,
    ],
  );
  for (const { mapping } of rows) entries.push({ action: 'create', subjectType: name, subjectId: String(mapping) });
}

/** Cells of a grid: what was read there is the lock, and what is wanted there is made so. Many cost as few statements as one. */

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

async function setMappingsOf(em: EntityManager, kind: MappingKind, own: Placed[]): Promise<void> {
  const cells = await lockCells(
    em,
    kind,
    own.map(({ cell }) => cell.applicationGuid),
    own.map(({ cell }) => cell[kind.guid as 'accessScopeGuid']!),
  );
  requireKnown(own, kind, cells);
  requireAsRead(
    own.map(({ cell }) => cell),
    (index) => cells[index]!.state,
    (index) => own[index]!.index,
  );
  const wanted = own.map(({ cell: { to = null, individualExternalLink: link } }, index) => {
    const now = cells[index]!;
    return { ...now, to, newLink: link === undefined ? now.link : link };
  });
  await removeMappings(em, kind, wanted);
  await changeMappings(em, kind, wanted);
  await makeMappings(em, kind, wanted);
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

/** A field, what is wrong with it, and what the text calls it where that is not the field alone. */
type CellProblem = [name: string, problem: string | undefined, subject?: string];

function requireSound<Cell>(cells: readonly Cell[], problemsOf: (cell: Cell) => CellProblem[]): void {
  const problems: Problems = {};
  cells.forEach((cell, index) => {
    for (const [name, problem, subject = `${name} field`] of problemsOf(cell))
      if (problem !== undefined) problems[`[${index}].${name}`] = [`The ${subject} ${problem}.`];
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
    isOne
      ? [accessScopeTypeGuid ? 'accessScopeTypeGuid' : 'accessScopeGuid', faultOf(readGuid(target))]
      : ['accessScopeGuid', 'is given, exactly one of them', 'accessScopeGuid or accessScopeTypeGuid'],
    ['to', to == null ? undefined : findProblem(AccessScopeApplicationsMapper, 'state', to)],
    [
      'individualExternalLink',
      link !== null && accessScopeTypeGuid
        ? 'is of mappings to access scopes alone'
        : findProblem(AccessScopeApplicationsMapper, 'individualExternalLink', link),
    ],
  ] as CellProblem[];
}

const textProblems = ({ translationGroup, fieldName, languageCode, to }: TranslationCell) =>
  [
    ['translationGroup', findProblem(Translation, 'translationGroup', translationGroup)],
    ['fieldName', findProblem(Translation, 'fieldName', fieldName)],
    ['languageCode', findProblem(Translation, 'languageCode', languageCode)],
    ['to', to == null ? undefined : findProblem(Translation, 'translatedText', to)],
  ] as CellProblem[];

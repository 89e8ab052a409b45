/** Cells of a grid: what was read there is the lock, and what is wanted there is made so. Many cost as few statements as one. */
import type { Context, EntityManager } from '../../context.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { Translation } from '../../entities/Translation.js';
import { badInput, type ErrorCode, GatehouseError, type Problems } from '../../errors.js';
import { type MappingKind, scopeMappings, typeMappings } from '../catalogue/mappings.js';
import { permit } from '../permit.js';
import { type FieldValue, findProblem, readGuid } from '../records/fieldInput.js';
import { change } from '../records/transaction.js';
import { execute } from '../sql/execute.js';
import { changeMappings, type LockedCell, lockCells, makeMappings, removeMappings } from './mappingStatements.js';

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

/** Changes translations, of a whole group or as cells of a grid. */
import type { Context, EntityManager } from '../../context.js';
import { Translation } from '../../entities/Translation.js';
import { badInput, type Problems } from '../../errors.js';
import { execute } from '../execute.js';
import { permit } from '../permit.js';
import { change, requireRevision } from '../records/change.js';
import { checkInput, findProblem, type InputField, inputFields, keyField, requireInput } from '../records/input.js';
import { type CellProblem, requireAsRead, requireSoundCells } from './cells.js';

/** Maximum number of texts in one group. */
const translationsMax = 10_000;

export const translationInput = (): InputField[] => inputFields(Translation, { mode: 'create' });

interface Text {
  fieldName: string;
  languageCode: string;
  translatedText: string;
}
const keyOf = ({ fieldName, languageCode }: Text): string => JSON.stringify([fieldName, languageCode]);

/**
 * Replaces the texts of the group, and returns their numbers in the order of the input. Throws BAD_USER_INPUT, and CONFLICT if
 * the group's texts have changed since `ifRevision`; 0 is the revision of a group without texts.
 */
export async function setTranslations(
  context: Context,
  translationGroup: string,
  translations: readonly unknown[],
  ifRevision?: number | null,
): Promise<number[]> {
  permit(context, 'admin:write');
  requireInput([keyField(Translation, 'translationGroup')], { translationGroup });
  const texts = requireTexts(translations);
  return change(context, 'admin:write', async (em) => {
    await lockGroup(em, translationGroup);
    await requireGroupRevision(em, translationGroup, ifRevision);
    const stored = new Map(
      (await em.find(Translation, { translationGroup })).map((translation) => [keyOf(translation), translation]),
    );
    const kept = texts.map((text) => {
      const translation = stored.get(keyOf(text));
      stored.delete(keyOf(text));
      if (translation) return em.assign(translation, { translatedText: text.translatedText });
      return em.create(Translation, { translationGroup, ...text } as never, { partial: true }) as Translation;
    });
    for (const translation of stored.values()) em.remove(translation);
    await em.flush();
    return kept.map(({ translationId }) => translationId);
  });
}

async function requireGroupRevision(em: EntityManager, translationGroup: string, ifRevision?: number | null) {
  if (typeof ifRevision !== 'number') return;
  const statement = 'select revision from translation_groups where translation_group = $1';
  const [group = { revision: 0 }] = await execute<{ revision: number }>(em, statement, [translationGroup]);
  requireRevision(group, ifRevision);
}

function requireTexts(translations: readonly unknown[]): Text[] {
  if (translations.length > translationsMax)
    throw badInput({ translations: [`A group has at most ${translationsMax} texts.`] });
  const problems: Problems = {};
  const firsts = new Map<string, number>();
  const texts = translations.map((translation, index) => {
    const path = `translations[${index}]`;
    const checked = checkInput(translationInput(), translation, path);
    if (checked.problems) Object.assign(problems, checked.problems);
    const text = checked.values as unknown as Text;
    const first = checked.problems ? undefined : firsts.get(keyOf(text));
    if (first !== undefined) problems[path] = [`The same field and language as in [${first}].`];
    else if (!checked.problems) firsts.set(keyOf(text), index);
    return text;
  });
  if (Object.keys(problems).length > 0) throw badInput(problems);
  return texts;
}

/** Locks a group, with or without texts, so that one transaction at a time changes it. */
const lockGroup = (em: EntityManager, group: string): Promise<unknown> =>
  execute(em, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`translations ${group}`]);

/** A text as a cell of a grid: the text that was read and the new one; null is no text. */
export interface TranslationCell {
  translationGroup: string;
  fieldName: string;
  languageCode: string;
  from?: string | null;
  to?: string | null;
}

const cellKey = ({ translationGroup, ...text }: Pick<Translation, 'translationGroup' | 'fieldName' | 'languageCode'>) =>
  JSON.stringify([translationGroup, text.fieldName, text.languageCode]);

/** Writes the texts; no two may be of the same cell. Problems are keyed by `[index]` and the cell's fields. */
export async function setTexts(context: Context, cells: readonly TranslationCell[]): Promise<void> {
  permit(context, 'admin:write');
  requireSoundCells(cells, textProblems);
  await change(context, 'admin:write', async (em) => {
    const groups = [...new Set(cells.map(({ translationGroup }) => translationGroup))].sort();
    for (const group of groups) await lockGroup(em, group);
    const translations = await em.find(Translation, { translationGroup: { $in: groups } });
    const stored = new Map(translations.map((translation) => [cellKey(translation), translation]));
    const present = cells.map((cell) => stored.get(cellKey(cell)));
    const texts = present.map((translation) => translation?.translatedText ?? null);
    requireAsRead(cells, texts);
    cells.forEach(({ from: _read, to, ...key }, index) => {
      const translation = present[index];
      if (!translation && to) em.create(Translation, { ...key, translatedText: to } as never, { partial: true });
      else if (translation && to) translation.translatedText = to;
      else if (translation) em.remove(translation);
    });
  });
}

const textProblems = ({ translationGroup, fieldName, languageCode, to }: TranslationCell): CellProblem[] => [
  ['translationGroup', findProblem(Translation, 'translationGroup', translationGroup)],
  ['fieldName', findProblem(Translation, 'fieldName', fieldName)],
  ['languageCode', findProblem(Translation, 'languageCode', languageCode)],
  ['to', to == null ? undefined : findProblem(Translation, 'translatedText', to)],
];

/** Cells of the grid of texts: what is there, what is drafted, and what a pasted sheet puts where. */
import { type Draft, dropDrafts, putDrafts } from '../../drafts';
import type { ApplicationTextsQuery } from '../../operations/generated/graph';
import { textDraft, textKey } from '../../textDraft';

/** A row of an application, an access scope or a type; the requests are alike. */
export type TextRow = ApplicationTextsQuery['records']['nodes'][number];

/** Those that any row has, and the one that is asked for, sorted. */
export function languagesOf(rows: readonly TextRow[], language: string | undefined): string[] {
  const found = rows.flatMap(({ translations }) => translations.nodes.map(({ languageCode }) => languageCode));
  return [...new Set([...found, ...(language ? [language] : [])])].sort();
}

export const textOf = (row: TextRow, field: string, language: string): string | null =>
  row.translations.nodes.find(({ fieldName, languageCode }) => fieldName === field && languageCode === language)
    ?.translatedText ?? null;

/** The text that the cell shows: the draft's, else the one that is there. */
export function shownText(
  row: TextRow,
  field: string,
  language: string,
  drafts: ReadonlyMap<string, Draft>,
): { text: string; isChanged: boolean } {
  const draft = row.translationGroup
    ? drafts.get(textKey({ translationGroup: row.translationGroup, fieldName: field, languageCode: language }))
    : undefined;
  if (draft) return { text: draft.change.translation?.to ?? '', isChanged: true };
  return { text: textOf(row, field, language) ?? '', isChanged: false };
}

interface Typed {
  row: TextRow;
  field: string;
  language: string;
  text: string;
}

/** Drafts what was typed or pasted, as one step; what is as it was loses its draft. */
export function draftTexts(typed: readonly Typed[]): void {
  const puts: Draft[] = [];
  const drops: string[] = [];
  for (const { row, field: fieldName, language: languageCode, text } of typed) {
    const { translationGroup, name: subjectName } = row;
    if (!translationGroup) continue;
    const place = { translationGroup, fieldName, languageCode };
    const from = textOf(row, fieldName, languageCode);
    const to = text.trim() === '' ? null : text;
    if (from === to) drops.push(textKey(place));
    else puts.push(textDraft({ ...place, subjectName }, from, to));
  }
  if (drops.length > 0) dropDrafts(drops);
  if (puts.length > 0) putDrafts(puts);
}

/** Cells of a sheet: lines of the clipboard, parted by tabs; undefined for a text that is none. */
export function sheetOf(clipboard: string): string[][] | undefined {
  const lines = clipboard.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  const cells = lines.map((line) => line.split('\t'));
  return cells.length > 1 || cells[0]!.length > 1 ? cells : undefined;
}

/** Reads mappings and texts by the cells that changes name: each cell has one at most, so the number of cells is the limit. */
import { ask } from '../graph';
import type { MappingChangeInput, MappingsNowQuery, PresentTextsQuery } from '../operations/generated/graph';
import { presentTexts } from '../operations/generated/present';
import { mappingsNow } from '../operations/generated/review';

/** Most cells of one request: with the people of each, below GRAPHQL_COMPLEXITY_MAX. */
const cellsMax = 10_000;

/** The rows, in parts of which each has at most `cellsMax` cells. */
function inParts<Row>(rows: readonly Row[], columns: number): Row[][] {
  const size = Math.max(1, Math.floor(cellsMax / Math.max(1, columns)));
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, part) => rows.slice(part * size, (part + 1) * size));
}

const distinct = (ids: readonly (string | null | undefined)[]): string[] => [...new Set(ids.flatMap((id) => id ?? []))];

type MappedApplication = MappingsNowQuery['applications']['nodes'][number];

/** Applications with their mappings to the scopes and types of the cells. Throws Refusal. */
export async function readMappings(cells: readonly MappingChangeInput[]): Promise<MappedApplication[]> {
  const scopes = distinct(cells.map(({ accessScopeGuid }) => accessScopeGuid));
  const types = distinct(cells.map(({ accessScopeTypeGuid }) => accessScopeTypeGuid));
  const counts = { ofScopes: scopes.length, ofTypes: types.length };
  const rows = distinct(cells.map(({ applicationGuid }) => applicationGuid));
  const parts = await Promise.all(
    inParts(rows, scopes.length + types.length).map((applications) =>
      ask(mappingsNow, { first: applications.length, applications, scopes, types, ...counts }),
    ),
  );
  return parts.flatMap(({ applications }) => applications.nodes);
}

interface TextCell {
  translationGroup: string;
  fieldName: string;
  languageCode: string;
}

type PresentText = PresentTextsQuery['translationGroups']['nodes'][number]['translations']['nodes'][number];

/** Throws Refusal. */
export async function readTexts(cells: readonly TextCell[], signal?: AbortSignal): Promise<(PresentText & TextCell)[]> {
  const fields = distinct(cells.map(({ fieldName }) => fieldName));
  const languages = distinct(cells.map(({ languageCode }) => languageCode));
  const texts = fields.length * languages.length;
  const rows = distinct(cells.map(({ translationGroup }) => translationGroup));
  const parts = await Promise.all(
    inParts(rows, texts).map((groups) =>
      ask(presentTexts, { groups, count: groups.length, fields, languages, texts }, signal),
    ),
  );
  return parts.flatMap(({ translationGroups }) =>
    translationGroups.nodes.flatMap(({ translationGroup, translations }) =>
      translations.nodes.map((text) => ({ ...text, translationGroup })),
    ),
  );
}

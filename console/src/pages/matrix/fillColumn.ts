/** A column's head: gives it to every application found, or where all have it takes it from them, as one step. */
import { draftsMax, putDrafts, readDrafts } from '../../drafts';
import { ask, Refusal } from '../../graph';
import { isGiven } from '../../openingStates';
import type { ApplicationFilter } from '../../operations/generated/graph';
import { columnOfScope, columnOfType } from '../../operations/generated/matrix';
import { type Range, readToEnd } from '../../readToEnd';
import { refuse } from '../../ui/Toasts';
import { cellDraft, type MatrixColumn, type MatrixRow, stateOf } from './cells';

interface Present {
  applicationGuid: string;
  name: string;
  state: string | null;
}

type Filter = { and: ApplicationFilter[] } | null;

/** Not only what is in sight: rows that are not read yet are asked for, in one request; what is drafted meanwhile stays. */
export async function fillColumn(
  column: MatrixColumn,
  rows: readonly MatrixRow[],
  total: number,
  filter: Filter,
  wanted: string,
  signal: AbortSignal,
): Promise<void> {
  if (total > draftsMax)
    return refuse(
      `${total.toLocaleString('en')} applications; ${draftsMax.toLocaleString('en')} fit in one change. Search for some of them.`,
    );
  const before = readDrafts();
  try {
    const isWhole = rows.length === total;
    const present = isWhole
      ? rows.map((row) => ({ applicationGuid: row.applicationGuid, name: row.name, state: stateOf(row, column) }))
      : await readColumn(column, filter, signal);
    const to = present.every(({ state }) => isGiven(state, wanted)) ? null : wanted;
    const then = new Map(before.map((draft) => [draft.key, draft.to]));
    const isAsBefore = new Map(readDrafts().map(({ key, to }) => [key, then.get(key) === to]));
    putDrafts(
      present
        .filter(({ state }) => (to === null ? state !== null : !isGiven(state, to)))
        .map((each) => cellDraft(each, column, each.state, to))
        .filter(({ key }) => isAsBefore.get(key) ?? true),
    );
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refusal)) throw error;
    refuse(error.message);
  }
}

async function readColumn(column: MatrixColumn, filter: Filter, signal: AbortSignal): Promise<Present[]> {
  if (column.isType) {
    const read = (page: Range) => ask(columnOfType, { ...page, filter, type: column.guid }, signal);
    const found = await readToEnd(async (page) => (await read(page)).applications);
    return found.map(({ applicationGuid, name, accessScopeTypeApplicationsMappers: { nodes } }) => ({
      applicationGuid,
      name,
      state: nodes[0]?.state ?? null,
    }));
  }
  const read = (page: Range) => ask(columnOfScope, { ...page, filter, scope: column.guid }, signal);
  const found = await readToEnd(async (page) => (await read(page)).applications);
  return found.map(({ applicationGuid, name, accessScopeApplicationsMappers: { nodes } }) => ({
    applicationGuid,
    name,
    state: nodes[0]?.state ?? null,
  }));
}

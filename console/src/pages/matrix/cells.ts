/** Cells of the matrix: what is there, what is drafted, and how that is said. */
import type { Draft } from '../../drafts';
import { type MappedScope, mappingDraft, mappingKey, typeMappingDraft } from '../../mappingDraft';
import { isAsWanted, isOpening } from '../../openingStates';
import type { MatrixQuery } from '../../operations/generated/graph';

export type MatrixRow = MatrixQuery['applications']['nodes'][number];

/** A column: an access scope, or the type itself, which stands for all of its scopes. */
export interface MatrixColumn extends MappedScope {
  isType: boolean;
  /** Number of the access scope, by which cells name it. */
  id: number;
}

export type Mark = 'none' | 'active' | 'planned' | 'other' | 'by-type' | 'give' | 'take' | 'change';

export interface Cell {
  /** State of the cell's own mapping; null for none. */
  state: string | null;
  mark: Mark;
  words: string;
}

const states = new WeakMap<MatrixRow, Map<number, string>>();

/** States of a row's own mappings by the access scope's number. */
function statesOf(row: MatrixRow): Map<number, string> {
  const known = states.get(row);
  if (known) return known;
  const found = new Map(
    row.accessScopeApplicationsMappers.nodes.map(({ accessScopeId, state }) => [accessScopeId, state]),
  );
  states.set(row, found);
  return found;
}

export function stateOf(row: MatrixRow, column: MatrixColumn): string | null {
  if (column.isType) return row.accessScopeTypeApplicationsMappers.nodes[0]?.state ?? null;
  return statesOf(row).get(column.id) ?? null;
}

export function cellOf(row: MatrixRow, column: MatrixColumn, draft: Draft | undefined): Cell {
  const state = stateOf(row, column);
  if (draft) {
    const to = draft.change.mapping?.to ?? null;
    if (to === null) return { state, mark: 'take', words: 'will be removed' };
    return draft.sign === 'gain'
      ? { state, mark: 'give', words: 'will be given' }
      : { state, mark: 'change', words: `will be ${to}` };
  }
  if (isOpening(state)) return { state, mark: 'active', words: state! };
  if (state === 'planned') return { state, mark: 'planned', words: 'planned' };
  if (state !== null) return { state, mark: 'other', words: state };
  const byType = row.accessScopeTypeApplicationsMappers.nodes[0]?.state ?? null;
  if (!column.isType && isOpening(byType)) return { state, mark: 'by-type', words: 'active by its type' };
  return { state, mark: 'none', words: 'no access' };
}

export const keyOfCell = ({ applicationGuid }: { applicationGuid: string }, { guid }: MatrixColumn): string =>
  mappingKey(applicationGuid, guid);

interface Target {
  applicationGuid: string;
  name: string;
}

/** That the column opens the application, or does so no more. */
export function cellDraft(target: Target, column: MatrixColumn, from: string | null, to: string | null): Draft {
  const make = column.isType ? typeMappingDraft : mappingDraft;
  return make({ guid: target.applicationGuid, name: target.name }, column, from, to);
}

/** What a press of a cell that has no draft wants: what is so already goes, anything else becomes so. */
export const flipped = (state: string | null, wanted: string): string | null =>
  isAsWanted(state, wanted) ? null : wanted;

/** Mappings as cells of a grid in a change set, locked and written with the statements of the bulk operations. */
import type { Context, EntityManager } from '../../context.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { describe } from '../../entities/description.js';
import { GatehouseError } from '../../errors.js';
import { permit } from '../permit.js';
import { change } from '../records/change.js';
import { findProblem, readGuid } from '../records/input.js';
import { type CellProblem, requireAsRead, requireSoundCells } from './cells.js';
import {
  type LockedCell,
  lockApplications,
  lockCells,
  type MappingKind,
  scopeMappings,
  typeMappings,
  writeCells,
} from './mappings.js';

/** A mapping as a cell of a matrix: the state that was read and the new one; null is no mapping. */
export interface MappingCell {
  applicationGuid: string;
  accessScopeGuid?: string | null;
  accessScopeTypeGuid?: string | null;
  from?: string | null;
  to?: string | null;
  /** Absent: it stays. */
  individualExternalLink?: string | null;
}

/** Writes the mappings; no two may be of the same cell. Problems are keyed by `[index]` and the cell's fields. */
export async function setMappings(context: Context, cells: readonly MappingCell[]): Promise<void> {
  permit(context, 'admin:write');
  requireSoundCells(cells, cellProblems);
  await change(context, 'admin:write', async (em) => {
    for (const kind of [scopeMappings, typeMappings]) {
      const own = cells.flatMap((cell, index) => (targetOf(kind, cell) ? [{ cell, index }] : []));
      if (own.length > 0) await setMappingsOf(em, kind, own);
    }
  });
}

const targetOf = ({ guid }: MappingKind, cell: MappingCell) => cell[guid as 'accessScopeGuid'];

async function setMappingsOf(em: EntityManager, kind: MappingKind, own: { cell: MappingCell; index: number }[]) {
  const asked = own.map(({ cell }) => cell);
  const indexes = own.map(({ index }) => index);
  const places = asked.map((cell) => ({ ...cell, targetGuid: targetOf(kind, cell)! }));
  const guids = asked.map(({ applicationGuid }) => applicationGuid);
  await lockApplications(em, guids);
  const cells = await lockCells(em, kind, places);
  requireKnown(kind, cells, indexes);
  const states = cells.map(({ mapping }) => (mapping?.state as string | undefined) ?? null);
  requireAsRead(asked, states, indexes);
  const next = asked.map(({ to: state = null, individualExternalLink: link }) =>
    state === null ? null : { state, ...(link !== undefined && hasLink(kind) && { individual_external_link: link }) },
  );
  await writeCells(em, kind, cells, next);
}

const hasLink = ({ mapper }: MappingKind): boolean =>
  describe(mapper).fields.some(({ name }) => name === 'individualExternalLink');

function requireKnown(kind: MappingKind, cells: readonly LockedCell[], indexes: readonly number[]): void {
  const problems = cells.flatMap(({ application, target }, at) => {
    const missing: [string, string[]][] = [];
    if (application === null) missing.push([`[${indexes[at]}].applicationGuid`, ['There is no such application.']]);
    if (target === null) missing.push([`[${indexes[at]}].${kind.guid}`, [`There is no such ${kind.what}.`]]);
    return missing;
  });
  if (problems.length > 0)
    throw new GatehouseError('NOT_FOUND', 'There is no such record.', { problems: Object.fromEntries(problems) });
}

function cellProblems(cell: MappingCell): CellProblem[] {
  const { applicationGuid, accessScopeGuid, accessScopeTypeGuid, to, individualExternalLink } = cell;
  const isOne = Boolean(accessScopeGuid) !== Boolean(accessScopeTypeGuid);
  const link = individualExternalLink ?? null;
  return [
    ['applicationGuid', guidProblem(applicationGuid)],
    isOne
      ? [
          accessScopeTypeGuid ? 'accessScopeTypeGuid' : 'accessScopeGuid',
          guidProblem(accessScopeGuid ?? accessScopeTypeGuid),
        ]
      : ['accessScopeGuid', 'is given, exactly one of them', 'accessScopeGuid or accessScopeTypeGuid'],
    ['to', to == null ? undefined : findProblem(AccessScopeApplicationsMapper, 'state', to)],
    [
      'individualExternalLink',
      link !== null && accessScopeTypeGuid
        ? 'is accepted only for mappings to access scopes'
        : findProblem(AccessScopeApplicationsMapper, 'individualExternalLink', link),
    ],
  ];
}

function guidProblem(guid: unknown): string | undefined {
  const read = readGuid(guid);
  return 'problem' in read ? read.problem : undefined;
}

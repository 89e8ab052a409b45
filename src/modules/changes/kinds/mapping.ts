/** One mapping as a cell of a grid: the state that was read, and the new one. */

import { AccessScope } from '../../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../../entities/AccessScopeType.js';
import { Application } from '../../../entities/Application.js';
import { fieldOf } from '../../../entities/description.js';
import { type MappingCell, setMappings } from '../../../services/catalogue/mappingCells.js';
import { mapped, typeMapped } from '../ways.js';
import { distinct, enumerate, findLabel, joinedMax, numbered, type Words } from '../words.js';
import { argument, type Kind, onAccess } from './kind.js';

const ofMapping = (name: string) => fieldOf(AccessScopeApplicationsMapper, name);

export const mapping: Kind<MappingCell> = {
  name: 'mapping',
  family: 'mapping',
  input: {
    type: 'MappingChangeInput',
    doc: 'A change of one mapping: the state that was read and the new state.',
    does: 'Adds, changes or removes a mapping of an application to an access scope or an access scope type.',
    fields: [
      argument('applicationGuid', fieldOf(Application, 'applicationGuid'), {
        doc: 'Guid of the application.',
        required: true,
      }),
      argument('accessScopeGuid', fieldOf(AccessScope, 'accessScopeGuid'), {
        doc: 'Guid of the access scope. Exactly one of `accessScopeGuid` and `accessScopeTypeGuid` is required.',
      }),
      argument('accessScopeTypeGuid', fieldOf(AccessScopeType, 'accessScopeTypeGuid'), {
        doc: 'Guid of the access scope type.',
      }),
      argument('from', ofMapping('state'), {
        doc: 'The state that was read, or null if there was no mapping. If the current state differs, the request fails with CONFLICT.',
      }),
      argument('to', ofMapping('state'), { doc: 'The new state, or null to remove the mapping.' }),
      argument('individualExternalLink', ofMapping('individualExternalLink')),
    ],
  },
  does: {
    set: setMappings,
    keyOf: ({ applicationGuid, accessScopeGuid, accessScopeTypeGuid }) =>
      JSON.stringify([applicationGuid, accessScopeGuid ?? null, accessScopeTypeGuid ?? null]),
    groupOf: () => '',
    writes: (_cell, { application = null, scope, type }) =>
      scope === undefined
        ? { table: typeMapped, applicationId: application, typeIds: type === undefined ? [] : [type] }
        : { table: mapped, applicationId: application, scopeId: scope },
  },
  title: {
    differsIn: ['applicationGuid', 'from'],
    sentence: describeMappings,
    summary: describeMappings,
    isJoined: true,
    makes: () => null,
  },
  effect: {
    ...onAccess,
    isBesideAccess: ({ from, to }) => (from ?? null) === (to ?? null),
    subject: ({ accessScopeGuid, accessScopeTypeGuid, to }) =>
      `${accessScopeGuid ?? accessScopeTypeGuid} ${to ?? 'none'}`,
  },
  ownedBy: ({ applicationGuid }) => ({ application: applicationGuid }),
  endingAt: null,
};

/** Mappings of one access scope, of one application, or of several of both. */
function describeMappings(words: Words, cells: readonly MappingCell[]): string {
  const scopes = distinct(
    cells.map(({ accessScopeGuid, accessScopeTypeGuid }) =>
      accessScopeGuid
        ? findLabel(words, 'accessScopeGuid', accessScopeGuid)
        : `All of ${findLabel(words, 'accessScopeTypeGuid', accessScopeTypeGuid)}`,
    ),
  );
  const applicationGuids = distinct(cells.map(({ applicationGuid }) => applicationGuid));
  const applications =
    applicationGuids.length === 1
      ? findLabel(words, 'applicationGuid', applicationGuids[0])
      : numbered(applicationGuids.length, 'application');
  const subject = scopes.length === 1 ? scopes[0]! : numbered(scopes.length, 'access scope');
  const verb = (ofOne: string, ofMany: string) => (scopes.length === 1 ? ofOne : ofMany);
  const active = words.config.mappingActiveStates;
  const states = distinct(cells.map(({ to }) => to ?? null));
  const links = distinct(cells.flatMap(({ individualExternalLink: link }) => (link === undefined ? [] : [link])));
  const before = cells.length === 1 && typeof cells[0]!.from === 'string' ? `; before: “${cells[0]!.from}”` : '';
  const linkWords = links.map((link) => (link === null ? 'without an own link' : `with the link ${link}`));
  const more =
    linkWords.length === 0
      ? ''
      : linkWords.length > joinedMax
        ? ', with several links'
        : `, ${enumerate(linkWords, linkWords.length, 'or')}`;
  if (states.every((state) => state === null))
    return `${subject} no longer ${verb('opens', 'open')} ${applications}${before && ` (${before.slice(2)})`}${more}`;
  const stateWords = `state: ${enumerate(
    states.map((state) => (state === null ? 'none' : `“${state}”`)),
    states.length,
    'or',
  )}`;
  const said = `(${stateWords}${before})${more}`;
  if (states.every((state) => active.includes(String(state))))
    return `${subject} ${verb('opens', 'open')} ${applications} ${active.length > 1 || before ? said : more.slice(2)}`.trimEnd();
  return `Change ${numbered(cells.length, 'mapping')} of ${subject} for ${applications} ${said}`;
}

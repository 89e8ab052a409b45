/** Drafts of the matrix: that an access scope, or all of a type, opens an application, or does so no more. */
import type { Draft } from './drafts';
import { isOpening } from './openingStates';

export interface Named {
  guid: string;
  name: string;
}

export interface MappedScope extends Named {
  isActive: boolean;
}

export const noAccess = 'no access';

export const mappingKey = (applicationGuid: string, scopeGuid: string): string =>
  `mapping ${applicationGuid} ${scopeGuid}`;

/** `from` as it was read, null for none; `to` as it is wanted. */
export const mappingDraft = (application: Named, scope: MappedScope, from: string | null, to: string | null): Draft =>
  draftOf(application, scope, from, to, { accessScopeGuid: scope.guid });

/** The same of every access scope of a type. */
export const typeMappingDraft = (
  application: Named,
  type: MappedScope,
  from: string | null,
  to: string | null,
): Draft => draftOf(application, type, from, to, { accessScopeTypeGuid: type.guid });

type Target = { accessScopeGuid: string } | { accessScopeTypeGuid: string };

function draftOf(
  application: Named,
  scope: MappedScope,
  from: string | null,
  to: string | null,
  target: Target,
): Draft {
  return {
    key: mappingKey(application.guid, scope.guid),
    subject: { kind: 'application', id: application.guid, name: application.name },
    label: scope.name,
    from: from ?? noAccess,
    to: to ?? noAccess,
    sign: isOpening(to) === isOpening(from) ? 'change' : isOpening(to) ? 'gain' : 'loss',
    change: { mapping: { applicationGuid: application.guid, ...target, from, to } },
    ...(!scope.isActive &&
      to !== null && { warning: `“${scope.name}” is out of use: it opens nothing until it is in use again.` }),
  };
}

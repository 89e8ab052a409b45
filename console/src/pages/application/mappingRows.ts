/** Mappings of an application as rows: those of types first, for they open the most. */

import type { Draft } from '../../drafts';
import { mappingDraft, type Named, typeMappingDraft } from '../../mappingDraft';
import { entryOf } from '../../words';
import type { ApplicationRecord } from '../records';

export interface MappingRow extends Named {
  isType: boolean;
  isActive: boolean;
  /** As tokens have it. */
  hint: string;
  state: string;
  link: string | null;
  changed: string;
}

export function mappingRows(application: ApplicationRecord): MappingRow[] {
  const types = application.accessScopeTypeApplicationsMappers.nodes.map(
    ({ state, createdDate, modifiedDate, accessScopeType }): MappingRow => ({
      guid: accessScopeType.accessScopeTypeGuid,
      name: `All of ${accessScopeType.name}`,
      isType: true,
      isActive: accessScopeType.isActive,
      hint: 'every access scope of this type',
      state,
      link: null,
      changed: modifiedDate ?? createdDate,
    }),
  );
  const scopes = application.accessScopeApplicationsMappers.nodes.map(
    ({ state, individualExternalLink, createdDate, modifiedDate, accessScope }): MappingRow => ({
      guid: accessScope.accessScopeGuid,
      name: accessScope.name,
      isType: false,
      isActive: accessScope.isActive && accessScope.accessScopeType.isActive,
      hint: entryOf(accessScope.accessScopeType, accessScope),
      state,
      link: individualExternalLink,
      changed: modifiedDate ?? createdDate,
    }),
  );
  return [...types, ...scopes];
}

/** That the mapping becomes so; null is no mapping. */
export const draftOfRow = (application: Named, row: MappingRow, to: string | null): Draft =>
  (row.isType ? typeMappingDraft : mappingDraft)(application, row, row.state, to);

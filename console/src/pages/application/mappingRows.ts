/** Mappings of an application as rows: those of types first, for they open the most. */
import { type ListSearch, useAddress } from '../../address';
import type { Draft } from '../../drafts';
import { useJoined } from '../../joinedPages';
import { mappingDraft, type Named, typeMappingDraft } from '../../mappingDraft';
import type { ScopeMappingRowsQuery, TypeMappingRowsQuery } from '../../operations/generated/graph';
import type { Pages } from '../../pages';
import { useScopesOpening, useTypesOpening } from '../../record/mappingPages';
import { entryOf } from '../../words';

type OfType = TypeMappingRowsQuery['accessScopeTypeApplicationsMappers']['nodes'][number];
type OfScope = ScopeMappingRowsQuery['accessScopeApplicationsMappers']['nodes'][number];
export type Mapping = OfType | OfScope;

interface MappingRow extends Named {
  isType: boolean;
  isActive: boolean;
  /** As tokens have it. */
  hint: string;
  state: string;
  link: string | null;
  changed: string;
}

export function useMappingsOf(applicationGuid: string): Pages<Mapping> {
  const types: Pages<Mapping> = useTypesOpening(applicationGuid);
  const scopes: Pages<Mapping> = useScopesOpening(applicationGuid);
  const [{ q }] = useAddress<ListSearch>();
  const of = { applicationGuid, ...(q && { text: q }) };
  return { ...useJoined(types, scopes), exported: { list: 'openedBy', of } };
}

const isOfType = (mapping: Mapping): mapping is OfType => 'accessScopeType' in mapping;

export function rowOf(mapping: Mapping): MappingRow {
  const { state, createdDate, modifiedDate } = mapping;
  const shared = { state, changed: modifiedDate ?? createdDate };
  if (isOfType(mapping)) {
    const { accessScopeTypeGuid: guid, name, isActive } = mapping.accessScopeType;
    return {
      ...shared,
      guid,
      name: `All of ${name}`,
      isType: true,
      isActive,
      hint: 'every access scope of this type',
      link: null,
    };
  }
  const { accessScope, individualExternalLink: link } = mapping;
  return {
    ...shared,
    guid: accessScope.accessScopeGuid,
    name: accessScope.name,
    isType: false,
    isActive: accessScope.isActive && accessScope.accessScopeType.isActive,
    hint: entryOf(accessScope.accessScopeType, accessScope),
    link,
  };
}

/** That the mapping becomes so; null is no mapping. */
export const draftOfRow = (application: Named, row: MappingRow, to: string | null): Draft =>
  (row.isType ? typeMappingDraft : mappingDraft)(application, row, row.state, to);

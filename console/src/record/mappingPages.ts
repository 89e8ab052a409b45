/** Mappings as lists: of an access scope, of a type, and of an application; narrowed by what is searched for. */
import { type ListSearch, sortOf, useAddress } from '../address';
import { all, applicationWords, scopeWords, typeWords } from '../filters';
import { ask } from '../graph';
import { scopeMappingRows, typeMappingRows } from '../operations/generated/mappings';
import { usePages } from '../pages';

/** Those of a scope or a type are by application; those of an application by scope or type. */
const orderOf = (sort: string, named: 'application' | 'accessScope' | 'accessScopeType') => {
  const { field, direction } = sortOf(sort);
  const byName = { [named]: { name: field === 'name' ? direction : ('ASC' as const) } };
  return field === 'state' ? [{ state: direction }, byName] : [byName];
};

export function useOpenedByScope(accessScopeGuid: string) {
  const [{ q, sort = 'name' }] = useAddress<ListSearch>();
  const of = { accessScope: { accessScopeGuid: { eq: accessScopeGuid } } };
  const filter = all([of, ...applicationWords(q).map((application) => ({ application }))]) ?? null;
  const orderBy = orderOf(sort, 'application');
  return usePages(
    ['mappings', filter, orderBy],
    async (page, signal) =>
      (await ask(scopeMappingRows, { ...page, filter, orderBy }, signal)).accessScopeApplicationsMappers,
    { exported: { list: 'accessScopeApplicationsMappers', filter, orderBy } },
  );
}

export function useOpenedByType(accessScopeTypeGuid: string) {
  const [{ q, sort = 'name' }] = useAddress<ListSearch>();
  const of = { accessScopeType: { accessScopeTypeGuid: { eq: accessScopeTypeGuid } } };
  const filter = all([of, ...applicationWords(q).map((application) => ({ application }))]) ?? null;
  const orderBy = orderOf(sort, 'application');
  return usePages(
    ['mappings of types', filter, orderBy],
    async (page, signal) =>
      (await ask(typeMappingRows, { ...page, filter, orderBy }, signal)).accessScopeTypeApplicationsMappers,
    { exported: { list: 'accessScopeTypeApplicationsMappers', filter, orderBy } },
  );
}

export function useScopesOpening(applicationGuid: string) {
  const [{ q, sort = 'name' }] = useAddress<ListSearch>();
  const of = { application: { applicationGuid: { eq: applicationGuid } } };
  const filter = all([of, ...scopeWords(q).map((accessScope) => ({ accessScope }))]) ?? null;
  const orderBy = orderOf(sort, 'accessScope');
  return usePages(
    ['mappings', filter, orderBy],
    async (page, signal) =>
      (await ask(scopeMappingRows, { ...page, filter, orderBy }, signal)).accessScopeApplicationsMappers,
    { exported: { list: 'accessScopeApplicationsMappers', filter, orderBy } },
  );
}

export function useTypesOpening(applicationGuid: string) {
  const [{ q, sort = 'name' }] = useAddress<ListSearch>();
  const of = { application: { applicationGuid: { eq: applicationGuid } } };
  const filter = all([of, ...typeWords(q).map((accessScopeType) => ({ accessScopeType }))]) ?? null;
  const orderBy = orderOf(sort, 'accessScopeType');
  return usePages(
    ['mappings of types', filter, orderBy],
    async (page, signal) =>
      (await ask(typeMappingRows, { ...page, filter, orderBy }, signal)).accessScopeTypeApplicationsMappers,
    { exported: { list: 'accessScopeTypeApplicationsMappers', filter, orderBy } },
  );
}

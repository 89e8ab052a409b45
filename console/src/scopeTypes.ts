/** The access scope types: few, and asked for by several pages. */
import { useQuery } from '@tanstack/react-query';
import { ask } from './graph';
import { scopeTypes } from './operations/generated/matrix';
import { readToEnd } from './readToEnd';

export const useScopeTypes = () =>
  useQuery({
    queryKey: ['types of scopes'],
    staleTime: 60_000,
    queryFn: ({ signal }) => readToEnd(async (page) => (await ask(scopeTypes, page, signal)).accessScopeTypes),
  });

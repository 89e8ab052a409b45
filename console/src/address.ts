/** The address holds what a view shows, so that every view is a link and back works. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export interface ListSearch {
  q?: string;
  sort?: string;
  view?: string;
  type?: string;
}

/** The address's search members, and how to change some of them; typing replaces, choosing is a step back. */
export function useAddress<Search extends object>(): [Search, (change: Search, how?: 'push' | 'replace') => void] {
  // each page knows its own members: its route has read them
  const search = useSearch({ strict: false } as never) as Search;
  const navigate = useNavigate();
  const change = useCallback(
    (next: Search, how: 'push' | 'replace' = 'push') => {
      const merged = (previous: object) =>
        Object.fromEntries(
          Object.entries({ ...previous, ...next }).filter(([, value]) => value !== '' && value !== undefined),
        );
      void navigate({ to: '.', search: merged as never, replace: how === 'replace' });
    },
    [navigate],
  );
  return [search, change];
}

/** Members of an address that are texts; others, and empty ones, are as if they were not there. */
export const textsOf =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): { [name in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name];
        return typeof value === 'string' && value !== ''
          ? [[name, value]]
          : typeof value === 'number'
            ? [[name, String(value)]]
            : [];
      }),
    ) as { [name in Name]?: string };

/** As the address says it, if the list has such a column to sort by; what it has not is as if it were not there. */
export const sortAmong = (
  columns: readonly { key: string; sorts?: boolean }[],
  sort: string | undefined,
): string | undefined =>
  columns.some(({ key, sorts }) => sorts && key === sort?.replace(/^-/, '')) ? sort : undefined;

/** As the address says it, if the list has such a view; the first one where it hasn't. */
export const viewAmong = <View extends string>(
  views: readonly (readonly [view: View, label: string, count?: number | undefined])[],
  view: string | undefined,
): View => (views.find(([name]) => name === view) ?? views[0]!)[0];

/** `-name` is by name, downwards. */
export const sortOf = (sort: string): { field: string; direction: 'ASC' | 'DESC' } =>
  sort.startsWith('-') ? { field: sort.slice(1), direction: 'DESC' } : { field: sort, direction: 'ASC' };

/** Long lists, read page by page as they are scrolled: the first one small, so that it is there at once. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';

const firstPage = 60;
const nextPages = 500;

export interface Connection<Row> {
  totalCount: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: Row[];
}

export interface Pages<Row, First = unknown> {
  rows: Row[];
  /** What the first page said beside its rows. */
  first: First | undefined;
  total: number;
  /** Nothing was read yet. */
  isLoading: boolean;
  /** The rows are those of the question before. */
  isStale: boolean;
  error: unknown;
  retry: () => void;
  /** Reads on when the row of this index is wanted. */
  want: (index: number) => void;
}

interface Page {
  first: number;
  after: string | null;
}

/** `key` names the list and everything that it depends on. */
export function usePages<Read extends Connection<unknown>>(
  key: readonly unknown[],
  read: (page: Page, signal: AbortSignal) => Promise<Read>,
  { enabled = true, pageSize = nextPages } = {},
): Pages<Read['nodes'][number], Read> {
  const list = useInfiniteQuery({
    queryKey: key,
    enabled,
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      read({ first: pageParam === null ? Math.min(firstPage, pageSize) : pageSize, after: pageParam }, signal),
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
  });
  const rows = useMemo(() => list.data?.pages.flatMap(({ nodes }): Read['nodes'] => nodes) ?? [], [list.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const want = useCallback(
    (index: number) => {
      if (index >= rows.length - 20 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
    [rows.length, hasNextPage, isFetchingNextPage, fetchNextPage],
  );
  return {
    rows,
    first: list.data?.pages[0],
    total: list.data?.pages[0]?.totalCount ?? 0,
    isLoading: list.isPending,
    isStale: list.isPlaceholderData,
    // rows that are there stay, whatever became of the next ones
    error: list.data ? null : list.error,
    retry: () => void list.refetch(),
    want,
  };
}

/** A list that is read part by part, such as a history: it ends with its last item, or says how many there are and reads on. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Exported } from '../pages';
import { Loading } from './Empty';
import { Failure } from './Failure';

interface Part<Row> {
  totalCount?: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: readonly Row[];
}

export interface Parts<Row> {
  rows: readonly Row[];
  /** Undefined: the service does not say. */
  total: number | undefined;
  hasMore: boolean;
  more: () => void;
  isReading: boolean;
  isPending: boolean;
  error: unknown;
  retry: () => void;
  /** The list as the service exports it, whole; absent: it is not saved. */
  exported?: Exported;
}

type Read<Row> = (after: string | null, signal: AbortSignal) => Promise<Part<Row> | null | undefined>;

/** `key` names the list and everything that it depends on. */
export function useParts<Row>(
  key: readonly unknown[],
  read: Read<Row>,
  { enabled = true, exported }: { enabled?: boolean; exported?: Exported } = {},
): Parts<Row> {
  const list = useInfiniteQuery({
    queryKey: key,
    enabled,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => (await read(pageParam, signal)) ?? null,
    getNextPageParam: (last) => (last?.pageInfo.hasNextPage ? last.pageInfo.endCursor : undefined),
  });
  return {
    rows: list.data?.pages.flatMap((part) => part?.nodes ?? []) ?? [],
    total: list.data?.pages[0]?.totalCount,
    hasMore: list.hasNextPage,
    more: () => void list.fetchNextPage(),
    isReading: list.isFetchingNextPage,
    isPending: list.isPending,
    // what was read stays, whatever became of reading on
    error: list.data ? null : list.error,
    retry: () => void list.refetch(),
    ...(exported && { exported }),
  };
}

interface PartListProps<Row> {
  parts: Parts<Row>;
  /** Where all of them are: a link with these words. */
  all?: (words: string) => ReactNode;
  /** In place of no item. */
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}

export function PartList<Row>({ parts, all = (words) => <span>{words}</span>, empty, children }: PartListProps<Row>) {
  const { rows, total, hasMore, more, isReading } = parts;
  if (parts.error) return <Failure error={parts.error} retry={parts.retry} />;
  if (parts.isPending) return <Loading lines={3} />;
  if (rows.length === 0) return empty;
  return (
    <>
      {children(rows)}
      {hasMore && (
        <footer className="rest" aria-busy={isReading}>
          {all(
            `Shown: ${rows.length.toLocaleString('en')}${total === undefined ? '' : ` of ${total.toLocaleString('en')}`}`,
          )}
          <button type="button" className="button small" disabled={isReading} onClick={more}>
            Show more
          </button>
        </footer>
      )}
    </>
  );
}

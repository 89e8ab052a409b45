/**
 * Long lists, read page by page as they are scrolled, from either end: whoever goes to the last row waits for a page and
 * not for all that lie before. The first page is small, so that it is there at once.
 */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';

const firstPage = 60;
const nextPages = 500;
/** Rows beyond those in sight that are read ahead. */
const ahead = 20;

export interface Connection<Row> {
  totalCount: number;
  pageInfo: {
    hasNextPage: boolean;
    endCursor: string | null;
    hasPreviousPage: boolean;
    startCursor: string | null;
  };
  nodes: Row[];
}

/** Of a list that is read as a whole. */
export const noPageInfo: Connection<never>['pageInfo'] = {
  hasNextPage: false,
  endCursor: null,
  hasPreviousPage: false,
  startCursor: null,
};

export interface Pages<Row, First = unknown> {
  /** All that were read, in their order; between those of the one end and of the other some may lack. */
  rows: Row[];
  /** The row of this place in the whole list, if it was read. */
  at: (index: number) => Row | undefined;
  /** What the first page said beside its rows. */
  first: First | undefined;
  total: number;
  /** What was asked: another question is another list, which begins at its top. */
  question: string;
  /** Nothing was read yet. */
  isLoading: boolean;
  /** The rows are those of the question before. */
  isStale: boolean;
  error: unknown;
  retry: () => void;
  /** Reads on when one of these rows, or one near them, was not read yet. */
  want: (from: number, to: number) => void;
}

/** The first so many after a cursor, or the last so many before one. */
export type Page =
  | { first: number; after: string | null; last: null; before: null }
  | { first: null; after: null; last: number; before: string | null };

/** The one that tells what there is beside the rows. */
export const isFirstPage = ({ first, after }: Page): boolean => first !== null && after === null;

type Read<Answer> = (page: Page, signal: AbortSignal) => Promise<Answer>;

/** `key` names the list and everything that it depends on. */
export function usePages<Answer extends Connection<unknown>>(
  key: readonly unknown[],
  read: Read<Answer>,
  { enabled = true, pageSize = nextPages } = {},
): Pages<Answer['nodes'][number], Answer> {
  const sizeAt = (cursor: string | null) => (cursor === null ? Math.min(firstPage, pageSize) : pageSize);
  const head = useInfiniteQuery({
    queryKey: key,
    enabled,
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam: after, signal }) => read({ first: sizeAt(after), after, last: null, before: null }, signal),
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
  });
  const name = JSON.stringify(key);
  const [tailOf, setTailOf] = useState<string>();
  const tail = useInfiniteQuery({
    queryKey: [...key, 'from its end'],
    enabled: enabled && tailOf === name,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam: before, signal }) =>
      read({ first: null, after: null, last: sizeAt(before), before }, signal),
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasPreviousPage ? pageInfo.startCursor : undefined),
  });
  const total = head.data?.pages[0]?.totalCount ?? 0;
  const heads = useMemo(() => head.data?.pages.flatMap(({ nodes }): Answer['nodes'] => nodes) ?? [], [head.data]);
  const tails = useMemo(
    () => (tail.data?.pages ?? []).toReversed().flatMap(({ nodes }): Answer['nodes'] => nodes),
    [tail.data],
  );
  const tailStart = total - tails.length;
  const at = useCallback(
    (index: number) => heads[index] ?? (index >= tailStart ? tails[index - tailStart] : undefined),
    [heads, tails, tailStart],
  );
  const { fetchNextPage: readOn, isFetchingNextPage: isReadingOn } = head;
  const { fetchNextPage: readBack, isFetching: isReadingBack } = tail;
  const want = useCallback(
    (from: number, to: number) => {
      const start = Math.max(from - ahead, heads.length);
      const end = Math.min(to + ahead, tailStart - 1);
      if (start > end || head.isPlaceholderData) return;
      if (start - heads.length <= tailStart - 1 - end) {
        if (!isReadingOn) void readOn();
      } else if (tailOf !== name) setTailOf(name);
      else if (!isReadingBack) void readBack();
    },
    [heads.length, tailStart, head.isPlaceholderData, isReadingOn, readOn, tailOf, name, isReadingBack, readBack],
  );
  return {
    rows: useMemo(() => [...heads, ...tails.slice(Math.max(0, heads.length - tailStart))], [heads, tails, tailStart]),
    at,
    first: head.data?.pages[0],
    total,
    question: name,
    isLoading: head.isPending,
    isStale: head.isPlaceholderData,
    // rows that are there stay, whatever became of the next ones
    error: head.data ? null : head.error,
    retry: () => void head.refetch(),
    want,
  };
}

/** A list that was read as a whole. */
export const wholeList = <Row>(rows: Row[], question: string): Pages<Row> => ({
  rows,
  at: (index) => rows[index],
  first: undefined,
  total: rows.length,
  question,
  isLoading: false,
  isStale: false,
  error: null,
  retry: nothing,
  want: nothing,
});

const nothing = (): void => {};

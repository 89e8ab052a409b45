/** Reads long lists part by part where they are looked at: a jump to any row costs one request. The first part is small, so that it comes fast. */
import { keepPreviousData, type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

const firstPage = 60;
const nextPages = 200;
/** Rows beyond those in sight that are read ahead. */
const ahead = 20;

export interface Connection<Row> {
  totalCount: number;
  nodes: Row[];
}

export interface Pages<Row, First = unknown> {
  /** All that were read, in their order. */
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

/** A part of a list: so many rows after so many others. */
export interface Page {
  first: number;
  offset: number;
}

/** The part that also asks what there is beside the rows. */
export const isFirstPage = ({ offset }: Page): boolean => offset === 0;

type Read<Answer> = (page: Page, signal: AbortSignal) => Promise<Answer>;

/** While a part is read, the next place is asked for when the scrolling rests this long. */
const restMs = 100;
const retryMs = 3_000;
const noParts: readonly Page[] = [];

/** Reads what comes into sight, wherever that is. `key` names the list and everything that it depends on. */
export function usePages<Answer extends Connection<unknown>>(
  key: readonly unknown[],
  read: Read<Answer>,
  { enabled = true, pageSize = nextPages } = {},
): Pages<Answer['nodes'][number], Answer> {
  type Rows = (Answer['nodes'][number] | undefined)[];
  const client = useQueryClient();
  const name = JSON.stringify(key);
  const head = useQuery({
    queryKey: key,
    enabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read({ first: Math.min(firstPage, pageSize), offset: 0 }, signal),
  });
  const isStale = head.isPlaceholderData;
  const [sight, setSight] = useState<{ of: string; parts: readonly Page[] }>({ of: name, parts: noParts });
  const inSight = sight.of === name ? sight.parts : noParts;
  // those that left the sight are read no further, and stay in the cache when they were read
  const parts = useQueries({
    queries: inSight.map((page) => ({
      queryKey: partKey(key, page),
      enabled,
      refetchInterval: ({ state }: { state: { status: string } }) => state.status === 'error' && retryMs,
      queryFn: ({ signal }: { signal: AbortSignal }) => read(page, signal),
    })),
  });
  const isReading = parts.some(({ isFetching }) => isFetching);
  const version = parts.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  const before = useRef<Rows>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is that of the parts in the cache
  const sparse = useMemo(() => {
    if (isStale) return before.current;
    const rows: Rows = [...(head.data?.nodes ?? [])];
    for (const { offset, first, answer } of readParts<Answer>(client, key))
      for (let index = 0; index < first; index++) rows[offset + index] = answer.nodes[index];
    before.current = rows;
    return rows;
  }, [client, name, head.data, isStale, version]);
  const newest = parts.reduce<{ data?: Answer | undefined; dataUpdatedAt: number }>(
    (one, other) => (other.data && other.dataUpdatedAt > one.dataUpdatedAt ? other : one),
    head,
  );
  const total = newest.data?.totalCount ?? 0;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the key
  const want = useCallback(
    (from: number, to: number) => {
      clearTimeout(timer.current);
      if (isStale || total === 0) return;
      const start = Math.max(0, from - ahead);
      const end = Math.min(total - 1, to + ahead);
      const there = readParts(client, key).filter(({ offset, first }) => offset <= end && offset + first > start);
      const gap = gapOf(sparse, start, end, total, pageSize);
      const next = [...there.map(({ offset, first }) => ({ offset, first })), ...(gap ? [gap] : [])];
      const see = () =>
        setSight((now) =>
          now.of === name && JSON.stringify(now.parts) === JSON.stringify(next) ? now : { of: name, parts: next },
        );
      if (gap && isReading) timer.current = setTimeout(see, restMs);
      else see();
    },
    [client, name, sparse, total, isStale, isReading, pageSize],
  );
  return {
    rows: useMemo(() => sparse.filter((row) => row !== undefined), [sparse]),
    at: useCallback((index: number) => sparse[index], [sparse]),
    first: head.data,
    total,
    question: name,
    isLoading: head.isPending,
    isStale,
    // rows that are there stay, whatever became of the next ones
    error: head.data ? null : head.error,
    retry: () => void head.refetch(),
    want,
  };
}

const partKey = (key: readonly unknown[], page: Page) => [...key, 'part', page];

/** The parts of a list that were read and are not forgotten. */
function readParts<Answer>(client: QueryClient, key: readonly unknown[]): (Page & { answer: Answer })[] {
  return client.getQueriesData<Answer>({ queryKey: [...key, 'part'] }).flatMap(([partKey, answer]) => {
    const page = partKey.at(-1) as Page;
    return answer === undefined ? [] : [{ ...page, answer }];
  });
}

/** The rows to read next: the first in sight that were not read, and what was not read around them. */
function gapOf(rows: readonly unknown[], start: number, end: number, total: number, size: number): Page | undefined {
  const isUnread = (index: number) => index >= 0 && index < total && !(index in rows);
  let low = start;
  while (low <= end && !isUnread(low)) low++;
  if (low > end) return undefined;
  let high = low;
  while (high - low + 1 < size && high < end && isUnread(high + 1)) high++;
  // around a place that was jumped to, on both sides; else on from what is there
  for (let grown = true; grown && high - low + 1 < size; ) {
    grown = false;
    if (isUnread(high + 1)) {
      high++;
      grown = true;
    }
    if (high - low + 1 < size && isUnread(low - 1)) {
      low--;
      grown = true;
    }
  }
  return { first: high - low + 1, offset: low };
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

/** Reads long lists part by part where they are looked at: a jump to any row costs one request. The first part is small, so that it comes fast. */
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
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
  /** The list as the service exports it, whole; absent: it is not saved. */
  exported?: Exported;
}

/** A list that the service exports: its name, and which rows in which order. */
export interface Exported {
  list: string;
  filter?: unknown;
  orderBy?: readonly unknown[];
  /** What it is about, such as the id of the review; and the filter of a list that is not one of records. */
  of?: Readonly<Record<string, string>>;
}

/** A part of a list: so many rows after so many others. */
export interface Page {
  first: number;
  offset: number;
}

/** The part that also asks what there is beside the rows. */
export const isFirstPage = ({ offset }: Page): boolean => offset === 0;

interface Sight {
  of: string;
  part?: Page | undefined;
}

type Read<Answer> = (page: Page, signal: AbortSignal) => Promise<Answer>;

/** While a part is read or a scroll bar is dragged, the next place is asked for when the scrolling rests this long. */
const restMs = 150;
/** Jumps of more than a screen that follow each other faster are one drag. */
const dragMs = 500;
const retryMs = 3_000;

interface PagesOptions {
  enabled?: boolean;
  pageSize?: number;
  /** How the service exports the list; absent: it is not saved. */
  exported?: Exported;
}

/** Reads what comes into sight, wherever that is. `key` names the list and everything that it depends on. */
export function usePages<Answer extends Connection<unknown>>(
  key: readonly unknown[],
  read: Read<Answer>,
  { enabled = true, pageSize = nextPages, exported }: PagesOptions = {},
): Pages<Answer['nodes'][number], Answer> {
  type Rows = (Answer['nodes'][number] | undefined)[];
  const client = useQueryClient();
  const name = JSON.stringify(key);
  const head = useQuery<Answer>({
    queryKey: key,
    enabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read({ first: Math.min(firstPage, pageSize), offset: 0 }, signal),
  });
  const isStale = head.isPlaceholderData;
  const [sight, setSight] = useState<Sight>({ of: name });
  const inSight = sight.of === name ? sight.part : undefined;
  // one that left the sight is read no further, and stays in the cache if it was read
  const part = useQuery<Answer>({
    queryKey: partKey(key, inSight),
    enabled: enabled && inSight !== undefined,
    refetchInterval: ({ state }) => state.status === 'error' && retryMs,
    queryFn: ({ signal }) => read(inSight!, signal),
  });
  const isReading = part.isFetching;
  const before = useRef<Rows>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the times say when the cache has other rows
  const sparse = useMemo(() => {
    if (isStale) return before.current;
    const rows: Rows = [...(head.data?.nodes ?? [])];
    for (const { offset, first, answer } of readParts<Answer>(client, key))
      for (let index = 0; index < first; index++) rows[offset + index] = answer.nodes[index];
    before.current = rows;
    return rows;
  }, [client, name, head.dataUpdatedAt, isStale, part.dataUpdatedAt, inSight]);
  const newest = part.data && part.dataUpdatedAt > head.dataUpdatedAt ? part.data : head.data;
  const total = newest?.totalCount ?? 0;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const jump = useRef({ from: 0, at: Number.NEGATIVE_INFINITY, isDrag: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the key
  const want = useCallback(
    (from: number, to: number) => {
      clearTimeout(timer.current);
      const now = performance.now();
      const { at, isDrag, from: before } = jump.current;
      if (Math.abs(from - before) > to - from) jump.current = { from, at: now, isDrag: now - at < dragMs };
      else jump.current = { from, at, isDrag };
      if (isStale || total === 0) return;
      const start = Math.max(0, from - ahead);
      const end = Math.min(total - 1, to + ahead);
      const gap = gapOf(sparse, start, end, total, pageSize);
      const next = gap ?? readParts(client, key).find(({ offset, first }) => offset <= from && offset + first > from);
      if (!next || (inSight?.offset === next.offset && inSight.first === next.first)) return;
      const see = () => setSight({ of: name, part: { first: next.first, offset: next.offset } });
      const isMoving = jump.current.isDrag && now - jump.current.at < restMs;
      if (gap && (isReading || isMoving)) timer.current = setTimeout(see, restMs);
      else see();
    },
    [client, name, sparse, total, isStale, isReading, pageSize, inSight],
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
    ...(exported && { exported }),
  };
}

const partKey = (key: readonly unknown[], page: Page | undefined) => [...key, 'part', page];

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
export const wholeList = <Row>(rows: Row[], question: string, exported?: Exported): Pages<Row> => ({
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
  ...(exported && { exported }),
});

const nothing = (): void => {};

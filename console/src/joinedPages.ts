/** Two long lists as one: the second begins where the first ends. Each is read page by page as it comes into sight. */
import { useCallback, useMemo } from 'react';
import type { Pages } from './pages';

export function useJoined<Row>(one: Pages<Row>, other: Pages<Row>): Pages<Row> {
  const { at: atOne, want: wantOne, total } = one;
  const { at: atOther, want: wantOther } = other;
  return {
    rows: useMemo(() => [...one.rows, ...other.rows], [one.rows, other.rows]),
    at: useCallback(
      (index: number) => (index < total ? atOne(index) : atOther(index - total)),
      [atOne, atOther, total],
    ),
    first: undefined,
    total: total + other.total,
    question: `${one.question} ${other.question}`,
    isLoading: one.isLoading || other.isLoading,
    isStale: one.isStale || other.isStale,
    error: one.error ?? other.error,
    retry: () => {
      one.retry();
      other.retry();
    },
    want: useCallback(
      (from: number, to: number) => {
        if (from < total) wantOne(from, Math.min(to, total - 1));
        if (to >= total) wantOther(Math.max(0, from - total), to - total);
      },
      [wantOne, wantOther, total],
    ),
  };
}

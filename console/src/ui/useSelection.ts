/** Which rows of a list are selected, by key; still so for who opens one of them and comes back. */
import { useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { entryNow, keepSelection, selectionOf } from './places';
import type { Selection } from './Row';

export interface SettableSelection extends Selection {
  set: (keys: ReadonlySet<string>) => void;
}

export function useSelection(): SettableSelection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(() => selectionOf(entryNow()) ?? new Set());
  // another filter is another entry of the history, with the same selection
  const search = useSearch({ strict: false } as never) as object;
  const entry = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the search says when the entry is another one
  useEffect(() => {
    entry.current = entryNow();
  }, [search]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the search says when the entry is another one
  useEffect(() => keepSelection(entry.current, keys), [search, keys]);
  const toggle = useCallback(
    (key: string) => setKeys((present) => new Set(present).symmetricDifference(new Set([key]))),
    [],
  );
  const clear = useCallback(() => setKeys(new Set()), []);
  const set = useCallback((next: ReadonlySet<string>) => setKeys(next), []);
  return useMemo(() => ({ keys, toggle, clear, set }), [keys, toggle, clear, set]);
}

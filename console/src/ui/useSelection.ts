/** Which rows of a list are selected, by key; still so for who opens one of them and comes back. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { entryNow, keepSelection, selectionOf } from './places';
import type { Selection } from './Row';

export function useSelection(): Selection & { set: (keys: Iterable<string>) => void } {
  const [entry] = useState(entryNow);
  const [keys, setKeys] = useState<ReadonlySet<string>>(() => selectionOf(entry) ?? new Set());
  useEffect(() => keepSelection(entry, keys), [entry, keys]);
  const toggle = useCallback(
    (key: string) => setKeys((present) => new Set(present).symmetricDifference(new Set([key]))),
    [],
  );
  const clear = useCallback(() => setKeys(new Set()), []);
  const set = useCallback((next: Iterable<string>) => setKeys(new Set(next)), []);
  return useMemo(() => ({ keys, toggle, clear, set }), [keys, toggle, clear, set]);
}

/** Which rows of a list are selected, by key. */
import { useCallback, useMemo, useState } from 'react';
import type { Selection } from './Row';

export function useSelection(): Selection & { set: (keys: Iterable<string>) => void } {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (key: string) => setKeys((present) => new Set(present).symmetricDifference(new Set([key]))),
    [],
  );
  const clear = useCallback(() => setKeys(new Set()), []);
  const set = useCallback((next: Iterable<string>) => setKeys(new Set(next)), []);
  return useMemo(() => ({ keys, toggle, clear, set }), [keys, toggle, clear, set]);
}

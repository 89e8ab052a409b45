/** What is asked for a place ends with it: an answer that comes late does nothing to another one. */
import { useCallback, useEffect, useRef } from 'react';

/**
 * The signal for what is asked now.
 * @param of what it is asked for: when that is something else, or nobody shows it any more, the signal ends it
 */
export function useSignal(of?: unknown): () => AbortSignal {
  const life = useRef(new AbortController());
  // biome-ignore lint/correctness/useExhaustiveDependencies: each that it is asked for has a life of its own
  useEffect(() => {
    life.current = new AbortController();
    return () => life.current.abort();
  }, [of]);
  return useCallback(() => life.current.signal, []);
}

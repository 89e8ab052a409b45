/** Whether the screen is a small one, as theme/small.css has it. */
import { useSyncExternalStore } from 'react';

const small = matchMedia('(width < 760px)');

function subscribe(listener: () => void): () => void {
  small.addEventListener('change', listener);
  return () => small.removeEventListener('change', listener);
}

export const useIsSmall = (): boolean => useSyncExternalStore(subscribe, () => small.matches);

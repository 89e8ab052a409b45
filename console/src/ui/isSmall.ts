/** Whether the screen is a small one, as theme/small.css has it, or the window short, as theme/list.css has it. */
import { useSyncExternalStore } from 'react';

function watching(query: string): () => boolean {
  const list = matchMedia(query);
  const subscribe = (listener: () => void) => {
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(subscribe, () => list.matches);
}

export const useIsSmall = watching('(width < 760px)');
export const useIsShort = watching('(height < 560px)');

/** Whether the browser has a network at all. */
import { useSyncExternalStore } from 'react';

const events = ['online', 'offline'];

function subscribe(listener: () => void): () => void {
  for (const event of events) addEventListener(event, listener);
  return () => {
    for (const event of events) removeEventListener(event, listener);
  };
}

export const useIsOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

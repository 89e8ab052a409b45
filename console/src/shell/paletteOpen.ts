/** Whether the palette, or the list of keys, is open: keys and buttons say so from different places. */
import { useSyncExternalStore } from 'react';

function openState(): [set: (open: boolean) => void, use: () => boolean] {
  let isOpen = false;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const set = (open: boolean): void => {
    isOpen = open;
    for (const listener of listeners) listener();
  };
  return [set, () => useSyncExternalStore(subscribe, () => isOpen)];
}

export const [setPaletteOpen, usePaletteOpen] = openState();
export const [setHelpOpen, useHelpOpen] = openState();

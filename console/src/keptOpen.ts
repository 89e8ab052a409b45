/** Whether a dialog is open in which something is typed: it is again after a sign-in that it asked for. */
import { useState } from 'react';
import { useKept } from './kept';
import { useViewer } from './session';

interface KeptOpen {
  isOpen: boolean;
  open(): void;
  close(): void;
  /** It stays open, and is not open again after a reload: what was typed has been used. */
  settle(): void;
}

/** @param name of what is kept in this tab */
export function useKeptOpen(name: string): KeptOpen {
  const [isKept, keep] = useKept(`open ${name}`, false);
  const [isHere, setHere] = useState(false);
  // what is kept of somebody else is forgotten as soon as it is known who is here
  const isKnown = useViewer().data !== undefined;
  return {
    isOpen: isKnown && (isKept || isHere),
    open: () => {
      setHere(true);
      keep(true);
    },
    close: () => {
      setHere(false);
      keep(undefined);
    },
    settle: () => {
      setHere(true);
      keep(undefined);
    },
  };
}

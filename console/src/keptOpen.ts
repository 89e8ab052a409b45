/**
 * Which dialog of a page is open: it is again after a sign-in that it asked for. Whoever goes to another page leaves it,
 * and comes back to the page alone.
 */
import { useEffect, useState } from 'react';
import { useKept } from './kept';
import { useViewer } from './session';

interface KeptOpen {
  /** The name that it was opened by. */
  opened: string | undefined;
  open(dialog: string): void;
  close(): void;
  /** It stays open, and is not open again after a reload: what was typed has been used. */
  settle(): void;
}

/** @param place of which one dialog is open at a time, by which it is kept in this tab */
export function useKeptOpen(place: string): KeptOpen {
  const [kept, keep] = useKept<string | undefined>(`open ${place}`, undefined);
  const [here, setHere] = useState<string>();
  // what is kept of somebody else is forgotten as soon as it is known who is here
  const isKnown = useViewer().data !== undefined;
  // leaving for a sign-in ends the document, and no effect runs
  useEffect(() => () => keep(undefined), [keep]);
  return {
    opened: isKnown ? (kept ?? here) : undefined,
    open: (dialog) => {
      setHere(dialog);
      keep(dialog);
    },
    close: () => {
      setHere(undefined);
      keep(undefined);
    },
    settle: () => {
      setHere(kept ?? here);
      keep(undefined);
    },
  };
}

/** Filters beside the search; on small screens and in short windows behind one button, or they would take the place of the list. */
import { type ReactNode, useState } from 'react';
import { useIsShort, useIsSmall } from './isSmall';

interface FiltersProps {
  /** How many hold. */
  count: number;
  children: ReactNode;
}

export function Filters({ count, children }: FiltersProps) {
  const isSmall = [useIsSmall(), useIsShort()].includes(true);
  const [isOpen, setOpen] = useState(false);
  if (!isSmall) return children;
  return (
    <>
      <button type="button" className="button filters-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filters{count > 0 && ` (${count})`}
      </button>
      {isOpen && children}
    </>
  );
}

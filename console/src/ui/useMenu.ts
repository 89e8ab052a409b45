/** A menu below a button: its first entry has the focus; Escape, a click elsewhere and a focus that goes on close it. */
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';

/** `box` is for the element that holds the button (its child) and the menu (`.menu`). */
export function useMenu() {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    ref.current?.querySelector<HTMLElement>('.menu :is(button, a)')?.focus();
    const close = ({ target }: Event) => {
      if (!(target instanceof Node && ref.current?.contains(target))) setOpen(false);
    };
    addEventListener('pointerdown', close);
    return () => removeEventListener('pointerdown', close);
  }, [isOpen]);
  const box = {
    ref,
    // where the focus went on to, the menu would lie over it
    onBlur: ({ relatedTarget }: FocusEvent) => relatedTarget && !ref.current?.contains(relatedTarget) && setOpen(false),
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape' || !isOpen) return;
      // it closes the menu, and not the drawer or sheet around it
      event.stopPropagation();
      setOpen(false);
      ref.current?.querySelector<HTMLElement>(':scope > button')?.focus();
    },
  };
  return { isOpen, setOpen, box };
}

/** What is done seldom, behind ⋯. */
import type { ReactNode } from 'react';
import { Icon } from './icons';
import { useMenu } from './useMenu';

export function More({ label, children }: { label: string; children: ReactNode }) {
  const { isOpen, setOpen, box } = useMenu();
  return (
    <div className="more-acts" {...box}>
      <button
        type="button"
        className="button icon-only"
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="dots" size={18} />
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: its buttons have the keys
        <div className="menu" onClick={() => setOpen(false)}>
          {children}
        </div>
      )}
    </div>
  );
}

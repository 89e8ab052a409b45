/** A sentence that something is done, with what may be done next; it goes by itself, but not from under a pointer or the focus. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Icon } from './icons';

interface Toast {
  text: string;
  /** That something was not done: it has a warning sign. */
  isRefusal?: boolean;
  act?: { label: string; run: () => void };
}

const shownMs = 8_000;
let toast: Toast | undefined;
const listeners = new Set<() => void>();

/** Says why something was not done. */
export const refuse = (text: string): void => say({ text, isRefusal: true });

export function say(next: Toast | undefined): void {
  toast = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toast);
  return (
    <div className="toasts" role="status">
      {shown && <Shown toast={shown} />}
    </div>
  );
}

function Shown({ toast: { text, isRefusal, act } }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another sentence is shown as long
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => say(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [isHeld, text]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done by these, it only stays
    <div
      className={`toast${isRefusal ? ' refusal' : ''}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={isRefusal ? 'alert' : 'check'} size={16} />
      {text}
      {act && (
        <button
          type="button"
          className="button small"
          onClick={() => {
            say(undefined);
            act.run();
          }}
        >
          {act.label}
        </button>
      )}
      <button type="button" className="ghost small" aria-label="Close" onClick={() => say(undefined)}>
        <Icon name="x" size={14} />
      </button>
    </div>
  );
}

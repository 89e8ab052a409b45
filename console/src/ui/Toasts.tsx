/** A sentence that something is done, with what may be done next; it goes by itself. */
import { useEffect, useSyncExternalStore } from 'react';
import { Icon } from './icons';

interface Toast {
  text: string;
  act?: { label: string; run: () => void };
}

const shownMs = 8_000;
let toast: Toast | undefined;
const listeners = new Set<() => void>();

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
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => say(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div className="toasts" role="status">
      {shown && (
        <div className="toast">
          <Icon name="check" size={16} />
          {shown.text}
          {shown.act && (
            <button
              type="button"
              className="button small"
              onClick={() => {
                say(undefined);
                shown.act?.run();
              }}
            >
              {shown.act.label}
            </button>
          )}
          <button type="button" className="ghost small" aria-label="Close" onClick={() => say(undefined)}>
            <Icon name="x" size={14} />
          </button>
        </div>
      )}
    </div>
  );
}

/** What is being reviewed: the pending changes, or the undoing of a change set. */
import { useSyncExternalStore } from 'react';

export type Reviewing = { kind: 'drafts' } | { kind: 'undo'; changeSetGuid: string; title: string };

let reviewing: Reviewing | undefined;
const listeners = new Set<() => void>();

export function review(next: Reviewing | undefined): void {
  reviewing = next;
  for (const listener of listeners) listener();
}

export const reviewDrafts = (): void => review({ kind: 'drafts' });

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useReviewing = (): { reviewing: Reviewing | undefined } => ({
  reviewing: useSyncExternalStore(subscribe, () => reviewing),
});

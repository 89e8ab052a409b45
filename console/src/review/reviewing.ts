/** What is being reviewed: the pending changes, or the undoing of a change set. Kept in the tab: a sign-in comes back to it. */
import { useKept, writeKept } from '../kept';

export type Reviewing = { kind: 'drafts' } | { kind: 'undo'; changeSetGuid: string; title: string };

const kept = 'reviewing';

export const review = (next: Reviewing | undefined): void => writeKept(kept, next);

export const reviewDrafts = (): void => review({ kind: 'drafts' });

export const useReviewing = (): Reviewing | undefined => useKept<Reviewing | undefined>(kept, undefined)[0];

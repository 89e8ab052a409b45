/** Pending changes: one type for the matrix, the dock, forms and the review. Nothing is saved that was not reviewed. */
import { readKept, useKept, writeKept } from './kept';
import type { ChangeInput } from './operations/generated/graph';

/** What a draft is about: the heading under which it is reviewed. */
export interface Subject {
  kind: 'application' | 'user' | 'profile' | 'scope' | 'type' | 'role' | 'texts';
  id: string;
  name: string;
  /** What tells it from others of its name, such as a person's e-mail. */
  hint?: string;
}

export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
  /** For a new record: whether it was preset. */
  isPreset?: boolean;
}

export interface Draft {
  /** Its place; a later draft of the same place takes over. */
  key: string;
  subject: Subject;
  /** What of the subject changes, such as the access scope's name. */
  label: string;
  /** States before and after, in words. */
  from: string;
  to: string;
  /** Whether it gives, takes, or does neither by itself. */
  sign: 'gain' | 'loss' | 'change';
  change: ChangeInput;
  /** Whether it creates its subject. */
  isNew?: boolean;
  /** Field by field, where it changes a record's. */
  fields?: FieldChange[];
  /** The same in words, where fields would say it badly: “+ Harbour”. */
  words?: string[];
  /** What must be put right before it can be saved, such as “name is missing”. */
  lacks?: string;
  /** What else should be known, such as that the scope is out of use. */
  warning?: string;
}

/** Whether a field has the same value, where nothing and the empty text are one. */
export const isSameValue = (one: unknown, other: unknown): boolean => (one ?? '') === (other ?? '');

/** Most changes that the service takes as one. */
export const draftsMax = 1_000;

const kept = 'drafts';
const none: Draft[] = [];
/** What there was before each step, for Ctrl Z; the latest last. */
let before: Draft[][] = [];

export const readDrafts = (): Draft[] => readKept(kept, none);
export const useDrafts = (): Draft[] => useKept(kept, none)[0];

function setDrafts(next: Draft[]): void {
  before = [...before.slice(-99), readDrafts()];
  writeKept(kept, next.length === 0 ? undefined : next);
}

/** The note of their review: it is of these drafts, so the first of others begin without. */
export const useNote = () => useKept('note', '');

/** Adds drafts, as one step. A draft of a place that has one already takes over, and its turn. */
export function putDrafts(drafts: readonly Draft[]): void {
  if (readDrafts().length === 0) writeKept('note', undefined);
  const next = new Map(drafts.map((draft) => [draft.key, draft]));
  const kept = readDrafts().map((draft) => next.get(draft.key) ?? draft);
  const known = new Set(kept.map(({ key }) => key));
  setDrafts([...kept, ...drafts.filter(({ key }) => !known.has(key))]);
}

/** Drops the drafts of these places, as one step; with one that makes a record goes what else is about that record. */
export function dropDrafts(keys: readonly string[]): void {
  const gone = new Set(keys);
  const present = readDrafts();
  const unmade = new Set(present.filter(({ key, change }) => gone.has(key) && isMaking(change)).map(subjectOf));
  const left = present.filter((draft) => !gone.has(draft.key) && !unmade.has(subjectOf(draft)));
  if (left.length < readDrafts().length) setDrafts(left);
}

const isMaking = (change: ChangeInput): boolean => Object.keys(change).some((member) => member.startsWith('create'));

/** Which record it is about. */
export const subjectOf = ({ subject: { kind, id } }: Draft): string => `${kind} ${id}`;

/** Adds drafts that were dropped, but for places that have another one by now; where there are no others, with their note. */
export function putBack(dropped: readonly Draft[]): void {
  const present = readDrafts();
  const known = new Set(present.map(({ key }) => key));
  setDrafts([...present, ...dropped.filter(({ key }) => !known.has(key))]);
}

export const clearDrafts = (): void => setDrafts([]);

/** Forgets what was applied as it was, and the steps before it, because undoing them would restore outdated values. */
export function forgetApplied(applied: readonly Draft[]): void {
  const done = new Set(applied.map((draft) => JSON.stringify(draft)));
  setDrafts(readDrafts().filter((draft) => !done.has(JSON.stringify(draft))));
  before = [];
}

/** Whether there is a step to take back: none after a reload. */
export const hasSteps = (): boolean => before.length > 0;

/** Takes the last step back. */
export function takeBack(): void {
  const last = before.at(-1);
  if (!last) return;
  before = before.slice(0, -1);
  writeKept(kept, last.length === 0 ? undefined : last);
}

/** How many give, how many remove, and how many do neither. */
export function countDrafts(drafts: readonly Draft[]): { given: number; removed: number; changed: number } {
  const count = (wanted: Draft['sign']) => drafts.filter(({ sign }) => sign === wanted).length;
  return { given: count('gain'), removed: count('loss'), changed: count('change') };
}

/** A change of a change set, as it was sent and as it is carried out. */
import type { Context } from '../../context.js';

/** Maximum number of changes in a set, and of items in all of them together. */
export const changesMax = 1_000;
export const changeItemsMax = 10_000;

/** A change as it was sent. */
export interface ChangePart {
  /** Its place in the request. */
  path: string;
  /** Its kind. */
  name: string;
  value: Record<string, unknown>;
}

/** A change to carry out, or several that are carried out together. */
export interface PlannedChange {
  /** The number of changes in the request. */
  changes: number;
  /** How many records it may touch. */
  items: number;
  /** Carries it out. Its problems are keyed by the paths of its own arguments. */
  apply(context: Context): Promise<unknown>;
  /** Guid of the change set that it undoes. */
  undoes?: string | undefined;
  /** The changes as they were sent; absent if they were not sent by a caller. */
  parts?: readonly ChangePart[];
  /** Returns the place of a problem in the request; without path, the place of the change. */
  place(path?: string): string;
}

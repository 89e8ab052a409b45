/** What the checks of the doctor find, and by what they are skipped. */

export interface Finding {
  ok: boolean;
  /** What was looked at. */
  what: string;
  /** What was seen; when it isn't well, in words that say what to do. */
  text: string;
}

/** Whether none of these settings is bad, or missing: what depends on one that is can't be judged. */
export type AreGood = (...names: string[]) => boolean;

/** Findings of the doctor's checks, and the rule that skips a check. */

export interface Finding {
  ok: boolean;
  /** The subject of the check. */
  what: string;
  /** The result; if the check failed, also what to do. */
  text: string;
}

/** Returns whether all these settings are valid and present; a check that depends on a bad one can't run. */
export type AreGood = (...names: string[]) => boolean;

export const passed = (what: string, text: string): Finding => ({ ok: true, what, text });
export const failed = (what: string, text: string): Finding => ({ ok: false, what, text });

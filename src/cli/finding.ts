/** What `doctor` finds. */
import type { Sql } from '../sql.js';

/** The result of a check. */
export interface Finding {
  /** Whether the check passed, perhaps with a warning. */
  ok: boolean;
  /** Something that a start warns of too. */
  isWarning?: true;
  /** The subject of the check. */
  what: string;
  /** The result; if the check failed, also what to do. */
  text: string;
}

/** A check of a module, of a database that has its tables. */
export type Check = (sql: Sql, encryptionKeys: readonly Buffer[]) => Promise<Finding[]>;

export const passed = (what: string, text: string): Finding => ({ ok: true, what, text });
export const warned = (what: string, text: string): Finding => ({ ok: true, isWarning: true, what, text });
export const failed = (what: string, text: string): Finding => ({ ok: false, what, text });

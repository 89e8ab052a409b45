/** The plan of an import, list by list, and what it is made with and reports. */
import type { Faults, Findings } from './faults.js';
import type { ImportList } from './fileLists.js';
import type { Keeping } from './keptHere.js';
import type { ImportRow } from './parseRows.js';
import type { Values } from './statements.js';

/** A record as it will be. */
export interface Merged {
  row: ImportRow;
  values: Values;
  /** Names of the fields that differ; undefined for a new record. */
  changed: string[] | undefined;
  /** Names of those in which the file wins over a change that was made here. */
  resets: string[];
}

export interface Plan {
  list: ImportList;
  inserts: Merged[];
  updates: Merged[];
  /** Records that stay as they are, but for what is remembered of the import. */
  remembered: Merged[];
  unchanged: number;
}

/** What an import is given, and what it reports. */
export interface ImportChecks extends Keeping {
  faults: Faults;
  /** What is taken, and not as it would be if it were new. */
  warnings: Findings;
  /** Whether the file is the catalogue's source in git, which has nothing that old systems alone have. */
  isManaged?: boolean;
  /** Whether records that another file manages become this one's. */
  takesOver?: boolean;
  /** Those that tokens may have. */
  audiences: readonly string[];
  /** Undefined, or why users without an idpname can't sign in. */
  withoutIdpname: string | undefined;
}

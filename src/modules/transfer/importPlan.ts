/** What an import is going to write, and what its checks need. */
import type { Faults, Findings } from './findings.js';
import type { ImportList } from './importLists.js';
import type { Keeping } from './keptValues.js';
import type { ImportRow } from './readRows.js';
import type { Values } from './statements.js';

/** A record with its new values. */
export interface Merged {
  row: ImportRow;
  values: Values;
  /** Names of the fields that differ; undefined for a new record. */
  changed: string[] | undefined;
  /** Names of the fields in which the file replaces a change that was made in Gatehouse. */
  resets: string[];
}

export interface Plan {
  list: ImportList;
  inserts: Merged[];
  updates: Merged[];
  /** Unchanged records, for which only the last imported values are stored. */
  remembered: Merged[];
  unchanged: number;
}

/** The input of an import's checks, and their reports. */
export interface ImportChecks extends Keeping {
  faults: Faults;
  /** Values that are accepted although they would be refused in new records. */
  warnings: Findings;
  /** Whether the file is the catalogue's source in git, where values that only old systems have are refused. */
  isManaged?: boolean;
  /** Whether to take over records that another file manages. */
  takesOver?: boolean;
  /** Ids of profiles that the same transaction removes. */
  leavingProfiles?: ReadonlySet<string>;
  /** The audiences that tokens may have. */
  audiences: readonly string[];
  /** Undefined, or why users without an idpname can't sign in. */
  withoutIdpname: string | undefined;
}

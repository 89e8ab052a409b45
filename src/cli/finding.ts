/** What `doctor` finds. */
import type { ProviderNetwork } from '../auth/providerDocuments.js';
import type { Config } from '../config/config.js';
import type { Sql } from '../sql.js';

/** The result of a check. */
export interface Finding {
  /** Whether the check passed, perhaps with a warning. */
  ok: boolean;
  /** Something to know, with which the service works; a start warns of those of the settings. */
  isWarning?: true;
  /** The subject of the check. */
  what: string;
  /** The result; if the check failed, also what to do. */
  text: string;
}

/** Returns whether all these settings are valid and present; a check that depends on a bad one can't run. */
export type AreGood = (...names: string[]) => boolean;

/** A check of a module, of a database that has its tables. */
export type Check = (checked: {
  sql: Sql;
  config: Config;
  areGood: AreGood;
  /** KEY_ENCRYPTION_KEY. */
  encryptionKeys: readonly Buffer[];
}) => Promise<Finding[]>;

export const passed = (what: string, text: string): Finding => ({ ok: true, what, text });
export const warned = (what: string, text: string): Finding => ({ ok: true, isWarning: true, what, text });
export const failed = (what: string, text: string): Finding => ({ ok: false, what, text });

/** A check of the identity providers, without the database. */
export type SignInCheck = (checked: {
  config: Config;
  network: ProviderNetwork;
  /** What to do about a problem with a provider's documents. */
  advise(problem: string): Promise<string>;
}) => Promise<Finding[]>;

/** Writes control characters and invisible characters as `\u{…}`: they move a terminal, or show another text. */
export const escapeInvisible = (text: string): string =>
  text.replaceAll(
    /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|[^\P{Zs} ]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );

/** Quotes a text, and escapes what is invisible. */
export const printable = (text: string): string => `"${escapeInvisible(text)}"`;

/**
 * One row, raised by each administrative change: feeds ETags and lets a cache be kept without being stale. The number
 * alone is no proof: after a fail-over that lost changes, or a restore, two histories reach the same one. The nonce, which
 * a trigger changes with each number, distinguishes them.
 */
import { Flag, Guid, Key, Record } from './fields.js';

@Record({ table: 'catalogue_version', doc: 'One row, raised by each administrative change.', hidden: true })
export class CatalogueVersion {
  @Key('bigint', { doc: 'The version.' }) version!: string;
  @Guid({ doc: 'Random, new with each version.', default: 'gen_random_uuid()' }) nonce!: string;
  @Flag({ doc: 'Always true: there is one row.', unique: true, default: 'true' }) isOnly!: boolean;
}

/** SQL: the version as text. Equal means the same state of the same history; there is no order between two. */
export const comparableVersion = "catalogue_version.version || '.' || catalogue_version.nonce";
/** A row with it, `version`. */
export const versionStatement = `select ${comparableVersion} as version from catalogue_version`;

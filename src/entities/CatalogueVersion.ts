/**
 * One row, raised by each administrative change; ETags and caches are compared with it. The number is not sufficient, because
 * after a restore or a fail-over that lost changes two histories reach the same number. A trigger changes the nonce with each
 * number to distinguish them.
 */
import { Flag, Guid, Key, Record } from './fields.js';

@Record({ table: 'catalogue_version', doc: 'One row, raised by each administrative change.', hidden: true })
export class CatalogueVersion {
  @Key('bigint', { doc: 'The version.' }) version!: string;
  @Guid({ doc: 'Random, new with each version.', default: 'gen_random_uuid()' }) nonce!: string;
  @Flag({ doc: 'Always true: there is one row.', unique: true, default: 'true' }) isOnly!: boolean;
}

/** SQL: the version as text. Equal texts mean the same state of the same history; texts have no order. */
export const comparableVersion = "catalogue_version.version || '.' || catalogue_version.nonce";
/** A row with the version as `version`. */
export const versionStatement = `select ${comparableVersion} as version from catalogue_version`;

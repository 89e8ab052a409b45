/** The catalogue version, with which ETags and caches are compared, and what it does not cover. */
import { describe, describedRecords } from './description.js';

/** SQL: the version as text. Equal texts mean the same state of the same history; texts have no order. */
export const comparableVersion = "catalogue_version.version || '.' || catalogue_version.nonce";
/** A row with the version as `version`. */
export const versionStatement = `select ${comparableVersion} as version from catalogue_version`;

let names: ReadonlySet<string> | undefined;
/** The names of the fields that change without a new version. */
export function unversionedNames(): ReadonlySet<string> {
  names ??= new Set(
    describedRecords()
      .map(describe)
      .filter(({ isOfCatalogue }) => isOfCatalogue)
      .flatMap(({ fields }) => fields.filter(({ isUnversioned }) => isUnversioned).map(({ name }) => name)),
  );
  return names;
}

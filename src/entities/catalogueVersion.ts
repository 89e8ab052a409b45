/** SQL: reads the catalogue version, with which ETags and caches are compared. */

/** SQL: the version as text. Equal texts mean the same state of the same history; texts have no order. */
export const comparableVersion = "catalogue_version.version || '.' || catalogue_version.nonce";
/** A row with the version as `version`. */
export const versionStatement = `select ${comparableVersion} as version from catalogue_version`;

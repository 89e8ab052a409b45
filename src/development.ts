/**
 * What a start without the settings of production adds: an embedded PostgreSQL, an identity provider, demonstration data. It lies
 * in dev/, which the image has not, and is loaded when it is needed; no other file of src imports it.
 */
import { OperatorError } from './errors.js';

/** The identity provider, the demonstration, and the files of DATA_DIR. Throws OperatorError where dev/ is not installed. */
export const loadDevelopment = () => import('../dev/development.js').catch(explainMissing);

/** Throws OperatorError where dev/ is not installed. */
export const loadEmbeddedPostgres = () => import('../dev/postgres/open.js').catch(explainMissing);

function explainMissing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw new OperatorError(
    'This installation is for production only: set DATABASE_URL, ID_TOKEN_ISSUERS, KEY_ENCRYPTION_KEY and ISSUER_URL.',
  );
}

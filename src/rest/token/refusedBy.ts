/** What is reported of an error that a token endpoint answers with 400, 401 or 404; of others the answer says all. */
import { GatehouseError } from '../../errors.js';
import { type Refused, TokenRefusal } from '../../services/tokens/tokenRefusal.js';
import { OAuthError } from './oauthError.js';

export function refusedBy(error: unknown): Refused | undefined {
  if (error instanceof TokenRefusal) return error;
  if (error instanceof OAuthError) {
    if (error.cause instanceof TokenRefusal) return error.cause;
    return { reason: error.code === 'invalid_request' ? 'invalidRequest' : error.code, detail: error.description };
  }
  if (!(error instanceof GatehouseError) || error.status !== 400) return undefined;
  // without the places: a name may be the caller's
  return {
    reason: 'invalidRequest',
    detail: Object.values(error.more.problems ?? { '': [error.message] })
      .flat()
      .join(' '),
  };
}

/** The bodies of exchanges and renewals: the grant here, client and profile beside it as the test wants them. */

/** The body of an exchange: `{ ...exchangeBody(idToken), profileId, ...client }`. */
export const exchangeBody = <T = string>(id_token: T) => ({ grant_type: 'urn:service:authz:exchange', id_token });

/** The body of a renewal: `{ ...renewalBody(refreshToken), profileId, ...client }`. */
export const renewalBody = <T = string>(refresh_token: T) => ({ grant_type: 'refresh_token', refresh_token });

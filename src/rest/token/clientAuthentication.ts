/**
 * How a client names itself in the OAuth dialect: HTTP Basic, or client_id and client_secret in the form (RFC 6749 §2.3.1), or a
 * JWT that it signed (RFC 7523 §2.2).
 */

import { assertedClient } from '../../auth/clientAssertion.js';
import { decodeForm } from '../../http/decodeForm.js';
import { noteClient } from '../../observability/currentRequest.js';
import type { Credentials } from '../../services/tokens/authenticateClient.js';
import { TokenRefusal } from '../../services/tokens/tokenRefusal.js';
import { OAuthError } from './oauthError.js';

type Parameters = Pick<ReadonlyMap<string, string>, 'get'>;

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const twoWays = 'two ways of client authentication';

/**
 * The credentials of a request, unjudged. Throws TokenRefusal for none or malformed ones, invalid_request for two.
 * @param authorization the lines of the header; node's own `headers` keep the first of several
 */
export function authenticate(authorization: readonly string[], parameters: Parameters): Credentials {
  const credentials = readCredentials(authorization, parameters);
  noteClient(credentials.clientId);
  return credentials;
}

function readCredentials([header, ...others]: readonly string[], parameters: Parameters): Credentials {
  const clientId = parameters.get('client_id');
  const clientSecret = parameters.get('client_secret');
  const assertion = parameters.get('client_assertion');
  if (assertion !== undefined && (header !== undefined || clientSecret !== undefined))
    throw new OAuthError('invalid_request', twoWays);
  if (assertion !== undefined) return readAssertion(assertion, clientId, parameters.get('client_assertion_type'));
  if (others.length > 0) throw new OAuthError('invalid_request', twoWays);
  if (header === undefined) {
    if (clientId === undefined || clientSecret === undefined) throw new TokenRefusal('invalidClient', 'no credentials');
    return { clientId, clientSecret };
  }
  const basic = readBasic(header);
  if (!basic) throw new TokenRefusal('invalidClient', 'no well-formed HTTP Basic');
  // RFC 6749 §2.3: no more than one way in a request
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId))
    throw new OAuthError('invalid_request', twoWays);
  return basic;
}

/** RFC 7521 §4.2, RFC 7523 §2.2: the client may be named beside the assertion, by the same id. */
function readAssertion(assertion: string, clientId: string | undefined, type: string | undefined): Credentials {
  if (type !== assertionType) throw new OAuthError('invalid_request', `client_assertion_type must be ${assertionType}`);
  const asserted = assertedClient(assertion);
  if (asserted === undefined || (clientId ?? asserted) !== asserted)
    throw new TokenRefusal('invalidClient', 'wrong assertion: it names no client, or another one');
  return { clientId: asserted, clientSecret: '', assertion };
}

/** The credentials of HTTP Basic; undefined for any other header, and for a malformed one. */
export function readBasic(header: string): Credentials | undefined {
  const encoded = /^basic {1,99}([A-Za-z0-9+/]{1,16384}={0,2})$/i.exec(header)?.[1];
  const bytes = Buffer.from(encoded ?? '', 'base64');
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || !Buffer.from(text, 'utf8').equals(bytes)) return undefined;
  // both halves are form-encoded before they are joined
  const [clientId, clientSecret] = [text.slice(0, colon), text.slice(colon + 1)].map(decodeForm);
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

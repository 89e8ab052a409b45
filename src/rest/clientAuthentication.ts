/** How a client names itself in the OAuth dialect: HTTP Basic, or client_id and client_secret in the form (RFC 6749 §2.3.1). */
import type { Request } from 'express';
import type { Credentials } from '../services/clientCheck.js';
import { OAuthError } from './oauthError.js';

const twoWays = 'two ways of client authentication';

/** The credentials of a request, unjudged. Throws invalid_client for none or malformed ones, invalid_request for two. */
export function authenticate(request: Request, parameters: Pick<ReadonlyMap<string, string>, 'get'>): Credentials {
  const clientId = parameters.get('client_id');
  const clientSecret = parameters.get('client_secret');
  // node takes the first of several
  const [header, ...others] = request.headersDistinct.authorization ?? [];
  if (others.length > 0) throw new OAuthError('invalid_request', twoWays);
  if (header === undefined) {
    if (clientId === undefined || clientSecret === undefined) throw new OAuthError('invalid_client');
    return { clientId, clientSecret };
  }
  const basic = readBasic(header);
  if (!basic) throw new OAuthError('invalid_client');
  // RFC 6749 §2.3: no more than one way in a request
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId))
    throw new OAuthError('invalid_request', twoWays);
  return basic;
}

function readBasic(header: string): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const bytes = Buffer.from(encoded ?? '', 'base64');
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || !Buffer.from(text, 'utf8').equals(bytes)) return undefined;
  const [clientId, clientSecret] = [text.slice(0, colon), text.slice(colon + 1)].map(decodeForm);
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

/** Both halves are form-encoded before they are joined. */
function decodeForm(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

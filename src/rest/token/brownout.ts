/** Who comes during a brown-out, by what the request presents, which nothing proves, for nothing is judged. */
import { noteClient, noteGrant } from '../../observability/currentRequest.js';
import { readBasic } from './clientAuthentication.js';
import type { TokenRequest } from './tokenRequest.js';

/** Notes client and grant; what can't be read is nobody's. */
export function notePresented({ body, authorization: [header] }: TokenRequest, isOAuth: boolean): void {
  const given = isOAuth ? Object.fromEntries(new URLSearchParams(body.toString())) : parsed(body);
  const clientId = given.client_id ?? (header === undefined ? undefined : readBasic(header)?.clientId);
  if (typeof clientId === 'string') noteClient(clientId);
  noteGrant(given.grant_type);
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}

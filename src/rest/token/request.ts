/** Reads requests to the token endpoints: their members, the client's credentials, and errors of OAuth. */
import { isUtf8 } from 'node:buffer';
import { assertedClient } from '../../auth/clientKeys.js';
import { decodeForm } from '../../http/decodeForm.js';
import { note } from '../../observability/currentRequest.js';
import type { Credentials } from '../../services/tokens/client.js';
import type { PresentedProof } from '../../services/tokens/proofOfPossession.js';
import { TokenRefusal } from '../../services/tokens/tokenRefusal.js';

interface Member {
  doc: string;
  /** Must be present and not empty; other members may be missing or null. */
  required?: true;
  /** Length limit of a useful value, in code points. */
  max?: number;
  /** May be repeated. */
  repeatable?: true;
}
export type Members = Readonly<Record<string, Member>>;

const profileId = { doc: 'Profile that the token is for.', max: 50 };
const clientId = { doc: 'Id of the client application.' };
const clientSecret = { doc: 'Its secret.' };

export const tokenMembers = {
  grant_type: { doc: '`urn:service:authz:exchange` or `refresh_token`.', required: true },
  profileId: { ...profileId, required: true },
  client_id: { ...clientId, required: true },
  client_secret: { ...clientSecret, required: true },
  id_token: { doc: 'Required for the exchange.' },
  refresh_token: { doc: 'Required for the renewal.' },
} as const satisfies Members;

const idToken = { doc: 'The ID token that the identity provider issued to the person.' };

/** Members of /profiles. */
export const profilesMembers = {
  client_id: { ...clientId, required: true },
  client_secret: { ...clientSecret, required: true },
  id_token: idToken,
} as const satisfies Members;

const tokenInQuestion = { doc: 'The token.', required: true } as const;
/** Revocation and validation. `TOKEN_POLICY=hardened` needs the client too. */
export const tokenOnly = { token: tokenInQuestion } as const satisfies Members;

const inPlaceOfBasic = {
  client_assertion: { doc: 'A JWT that the client signed with its own key (RFC 7523), instead of a secret.' },
  client_assertion_type: { doc: 'With `client_assertion`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.' },
  client_id: { doc: `${clientId.doc} Instead of HTTP Basic.` },
  client_secret: { doc: `${clientSecret.doc} Instead of HTTP Basic.` },
};

export const tokenForm = {
  grant_type: {
    doc: '`refresh_token`, `urn:service:authz:exchange`, `urn:ietf:params:oauth:grant-type:token-exchange` (RFC 8693), or `client_credentials` for the client of a connector or a receiver of events.',
    required: true,
  },
  refresh_token: { doc: 'Required for the renewal.' },
  id_token: { doc: 'Required for `urn:service:authz:exchange`.' },
  subject_token: { doc: 'Required for the token exchange: the ID token.' },
  subject_token_type: { doc: 'Required for the token exchange: `urn:ietf:params:oauth:token-type:id_token`.' },
  requested_token_type: { doc: 'For the token exchange: `urn:ietf:params:oauth:token-type:access_token`, or absent.' },
  profileId: { ...profileId, doc: 'Profile that the token is for; optional for a renewal.' },
  scope: {
    doc: 'Scopes of the token, if not all of the profile; renewals cannot have more. The answer then lists them.',
  },
  // RFC 8693 §2.1: these two may be repeated
  audience: { doc: 'Audiences of the token, if not all; renewals cannot have more.', repeatable: true },
  resource: { doc: 'An audience by the address of its API (RFC 8707), see `AUDIENCE_RESOURCES`.', repeatable: true },
  ...inPlaceOfBasic,
} as const satisfies Members;

/** Members of /profiles. */
export const profilesForm = {
  id_token: { ...idToken, required: true },
  ...inPlaceOfBasic,
} as const satisfies Members;

/** Sign-out at an identity provider. */
export const logoutForm = {
  logout_token: { doc: 'The logout token (OpenID Connect Back-Channel Logout 1.0).', required: true },
} as const satisfies Members;

/** Revocation and introspection. */
export const tokenOnlyForm = {
  token: tokenInQuestion,
  token_type_hint: { doc: 'Any (RFC 7009 §2.1).' },
  ...inPlaceOfBasic,
} as const satisfies Members;

const bare = /^[!#-~][!-~]{15,127}$/;
// RFC 8941 §3.3.3, without spaces
const quoted = /^"((?:[!#-[\]-~]|\\["\\]){16,128})"$/;

/** Returns the key of the header. A quoted and a bare key with the same characters are equal. @param malformed makes the error for any other text */
export function requireIdempotencyKey(header: string, malformed: (problem: string) => Error): string {
  const [, text] = quoted.exec(header) ?? [];
  if (text !== undefined) return text.replaceAll(/\\(["\\])/g, '$1');
  if (bare.test(header)) return header;
  throw malformed('Idempotency-Key must be one string of 16 to 128 visible ASCII characters');
}

/** An error of RFC 6749 §5.2 and its extensions. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'invalid_target'
  | 'invalid_scope'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'unsupported_grant_type'
  | 'unsupported_token_type';

export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    readonly description?: string,
    cause?: unknown,
  ) {
    super(code, { cause });
  }

  /** 401 asks for credentials; everything else is 400. */
  get status(): 400 | 401 {
    return this.code === 'invalid_client' ? 401 : 400;
  }

  get headers(): Record<string, string> {
    return this.code === 'invalid_client' ? { 'www-authenticate': 'Basic realm="gatehouse", charset="UTF-8"' } : {};
  }

  get body(): object {
    return { error: this.code, ...(this.description && { error_description: this.description }) };
  }
}

type Parameters = Pick<ReadonlyMap<string, string>, 'get'>;

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const twoWays = 'two ways of client authentication';

/**
 * Returns the client's credentials in a request of the OAuth dialect, unchecked: HTTP Basic, client_id and client_secret in the
 * form (RFC 6749 §2.3.1), or a JWT that the client signed (RFC 7523 §2.2). Throws TokenRefusal if they are missing or malformed,
 * and invalid_request for two ways in one request.
 * @param authorization the lines of the header; Node's `headers` keep only the first of several
 */
export function authenticate(authorization: readonly string[], parameters: Parameters): Credentials {
  const credentials = readCredentials(authorization, parameters);
  note('clientId', credentials.clientId);
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

/** RFC 7521 §4.2, RFC 7523 §2.2: client_id may accompany the assertion, with the same id. */
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
  const text = isUtf8(bytes) ? bytes.toString('utf8') : '';
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  // both halves are form-encoded before they are joined
  const [clientId, clientSecret] = [text.slice(0, colon), text.slice(colon + 1)].map(decodeForm);
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

/** A token request as it was received, before anything is checked. */
export interface TokenRequest {
  body: Buffer;
  /** The lines of the header. */
  authorization: readonly string[];
  /** Several lines are joined by a comma and a space. */
  idempotencyKey: string | undefined;
  /** From the header DPoP. */
  proof: PresentedProof | undefined;
}

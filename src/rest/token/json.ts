/** Answers the documented dialect of the token endpoints: JSON, to the letter of the specification. */
import type { TokenVerdict } from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';
import { badInput, type Problems } from '../../errors.js';
import { type Answer, empty, json, jsonText, textAnswer } from '../../http/answer.js';
import { jsonObjectOf } from '../../http/body.js';
import type { JsonObject } from '../../jsonObject.js';
import { note, noteGrant } from '../../observability/currentRequest.js';
import type { IssuedTokens } from '../../services/tokens/claims.js';
import { type Credentials, noteRememberedClient, requireClient } from '../../services/tokens/client.js';
import { exchange } from '../../services/tokens/exchange.js';
import { listProfiles } from '../../services/tokens/heldProfiles.js';
import { isHardened, rehearseValidation } from '../../services/tokens/policy.js';
import type { RenewalRequest } from '../../services/tokens/refusedRenewal.js';
import { renew } from '../../services/tokens/renew.js';
import { type Asking, revoke } from '../../services/tokens/revoke.js';
import {
  type RefusalReason,
  reportInvalidToken,
  reportRefusal,
  TokenRefusal,
} from '../../services/tokens/tokenRefusal.js';
import { validate, validateFor } from '../../services/tokens/validate.js';
import {
  type Members,
  profilesMembers,
  readBasic,
  requireIdempotencyKey,
  type TokenRequest,
  tokenMembers,
  tokenOnly,
} from './request.js';

const exchangeGrant = 'urn:service:authz:exchange';
const refreshGrant = 'refresh_token';

export async function token(context: Context, read: TokenRequest): Promise<Answer> {
  const body = objectOf(read);
  noteGrant(body.grant_type);
  const { idempotencyKey: header, proof } = read;
  const isKeyed = header !== undefined && body.grant_type === refreshGrant;
  const idempotencyKey = isKeyed ? requireIdempotencyKey(header, malformedKey) : undefined;
  const request = requireStrings(body, tokenMembers);
  note('clientId', request.client_id);
  return json(200, await issue(context, request, { idempotencyKey, proof }));
}

/** Lists the profiles that the person of an ID token holds. */
export async function profiles(context: Context, read: TokenRequest): Promise<Answer> {
  const {
    client_id: clientId,
    client_secret: clientSecret,
    id_token: idToken,
  } = requireStrings(objectOf(read), profilesMembers);
  note('clientId', clientId);
  return json(200, { profiles: await listProfiles(context, { clientId, clientSecret, idToken, proof: read.proof }) });
}

const malformedKey = (problem: string) => badInput({ 'Idempotency-Key': [`The header ${problem}.`] });

async function issue(
  context: Context,
  body: Strings<typeof tokenMembers>,
  { idempotencyKey, proof }: Pick<RenewalRequest, 'idempotencyKey' | 'proof'>,
): Promise<IssuedTokens> {
  const common = { clientId: body.client_id, clientSecret: body.client_secret, dialect: 'documented', proof } as const;
  if (body.grant_type === exchangeGrant)
    return exchange(context, { ...common, idToken: body.id_token, profileId: body.profileId });
  if (body.grant_type === refreshGrant)
    return renew(context, {
      ...common,
      refreshToken: body.refresh_token,
      profileId: body.profileId,
      idempotencyKey,
    });
  await requireClient(context, common);
  throw new TokenRefusal('unsupportedGrantType', 'grant_type is not supported');
}

export async function revocation(context: Context, read: TokenRequest): Promise<Answer> {
  const body = objectOf(read);
  const { token } = requireStrings(body, tokenOnly);
  const asking = await authenticateRequest(context, body);
  let revoked = await revoke(context, token, asking);
  if (revoked === 'clientWanted') revoked = await revoke(context, token, await authenticate(context, body));
  if (revoked === 'revoked') return json(200, { status: 'success' });
  reportRefusal(context, { reason: 'tokenNotFound', detail: 'no active record has the token' });
  return json(404, { status: 'token_not_found_or_already_revoked' });
}

export async function validation(context: Context, read: TokenRequest): Promise<Answer> {
  const body = objectOf(read);
  const { token } = requireStrings(body, tokenOnly);
  const verdict = isHardened(context.config)
    ? await validateFor(context, requireCredentials(body), token)
    : await validateWithoutClient(context, body, token);
  if ('claims' in verdict) return jsonText(200, `{"is_valid":true,"claims":${verdict.claimsJson}}`);
  reportInvalidToken(context, verdict.invalid);
  return invalid;
}

async function validateWithoutClient(context: Context, body: JsonObject, token: string): Promise<TokenVerdict> {
  const asking = unauthenticatedClient(context, body);
  const verdict = await validate(context, token, undefined, asking.clientId);
  if (verdict.isHardened) await authenticate(context, body);
  else rehearseValidation(context, asking, 'claims' in verdict);
  return verdict;
}

const invalid = json(400, { is_valid: false, error: 'Token is invalid or expired' });

/** The sender of a body with optional credentials; authenticated only with TOKEN_POLICY=hardened. */
async function authenticateRequest(context: Context, body: JsonObject): Promise<Asking> {
  if (isHardened(context.config)) return authenticate(context, body);
  return unauthenticatedClient(context, body);
}

/** The named client, not authenticated. Usage is counted for it if its secret is known to be valid. */
function unauthenticatedClient(context: Context, { client_id, client_secret }: JsonObject): Asking {
  const [clientId, clientSecret] = [textOf(client_id), textOf(client_secret)];
  if (clientId !== undefined && clientSecret !== undefined) noteRememberedClient(context, { clientId, clientSecret });
  return { clientId, clientSecret, isAuthenticated: false };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

async function authenticate(context: Context, body: JsonObject): Promise<Asking> {
  const credentials = requireCredentials(body);
  await requireClient(context, credentials);
  return { clientId: credentials.clientId, isAuthenticated: true };
}

/** client_id and client_secret of the body, unchecked. Throws TokenRefusal `invalidClient` if they are missing. */
function requireCredentials({ client_id: clientId, client_secret: clientSecret }: JsonObject): Credentials {
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string')
    throw new TokenRefusal('invalidClient', 'no client credentials');
  note('clientId', clientId);
  return { clientId, clientSecret };
}

/** RFC 9110 §15.5.2 requires a challenge. With this scheme no browser asks for a password (docs/decisions/0052). */
const challenge = { 'www-authenticate': 'Bearer realm="gatehouse"' };
const invalidToken = {
  ...empty(401),
  headers: { 'www-authenticate': 'Bearer realm="gatehouse", error="invalid_token"' },
};

/** Errors of /token, as the specification's table has them. */
const refusals: { [reason in RefusalReason]: Answer } = {
  invalidClient: json(401, { error: 'Invalid client credentials' }, challenge),
  invalidIdToken: invalidToken,
  invalidRenewalToken: invalidToken,
  invalidProfile: textAnswer(400, 'Invalid profile'),
  // the client may have none of AUDIENCES
  invalidTarget: textAnswer(400, 'Invalid profile'),
  invalidScope: textAnswer(400, 'Invalid profile'),
  // after a bad proof, or when client or record need one
  invalidProof: json(400, { error: 'invalid_dpop_proof' }),
  // only in forms
  invalidLogoutToken: json(400, { error: 'invalid_request' }),
  nonceWanted: json(400, { error: 'use_dpop_nonce' }),
  unsupportedGrantType: textAnswer(400, 'Unsupported grant_type'),
};

/** The answer for an error; undefined for one that gets the default. */
export const refuse = (_context: Context, error: unknown): Answer | undefined =>
  error instanceof TokenRefusal ? refusals[error.reason] : undefined;

/** For /validate-token: every 400 has the documented body. */
export const refuseValidation = (context: Context, error: unknown): Answer | undefined =>
  (error as { status?: unknown }).status === 400 ? invalid : refuse(context, error);

/**
 * The body as an object. Throws BAD_USER_INPUT, also if an HTTP Basic header names another client than the body: this dialect
 * ignores the header, but a proxy may have checked it.
 */
function objectOf({ body, authorization }: TokenRequest): JsonObject {
  const json = jsonObjectOf(body);
  const isOther = (header: string) => (readBasic(header)?.clientId ?? json.client_id) !== json.client_id;
  if (typeof json.client_id === 'string' && authorization.some(isOther))
    throw badInput({ client_id: ['The header Authorization names another client.'] });
  return json;
}

type Strings<M extends Members> = {
  [name in keyof M]: M[name] extends { required: true } ? string : string | undefined;
};

/** The listed members of a body. Throws BAD_USER_INPUT with all faults. */
function requireStrings<M extends Members>(body: JsonObject, members: M): Strings<M> {
  const problems: Problems = {};
  const fields: Record<string, unknown> = {};
  for (const [name, { required }] of Object.entries(members)) {
    const value = body[name] ?? undefined;
    if (required && (value === undefined || value === '')) problems[name] = [`The ${name} field is required.`];
    else if (value !== undefined && typeof value !== 'string') problems[name] = [`The ${name} field must be a string.`];
    else fields[name] = value;
  }
  if (Object.keys(problems).length > 0) throw badInput(problems);
  return fields as Strings<M>;
}

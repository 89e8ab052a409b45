/** The OAuth dialect of the token endpoints: forms in, answers and errors of the RFCs, so that any OAuth library works. */
import type { IncomingMessage } from 'node:http';
import type { VerifiedToken } from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';
import { isScopeToken } from '../../entities/valueForms.js';
import { GatehouseError, toGatehouseError } from '../../errors.js';
import { type Answer, empty, json, jsonText } from '../../http/answer.js';
import { decodeUtf8, isForm, isHeldBack } from '../../http/body.js';
import { linesOf } from '../../http/headers.js';
import { noteGrant } from '../../observability/currentRequest.js';
import { scopeText } from '../../services/access/scopeEntry.js';
import {
  allAudiences,
  type IssuedTokens,
  issuedScopes,
  type Narrowing,
  notAmong,
} from '../../services/tokens/claims.js';
import { type Credentials, requireClient } from '../../services/tokens/client.js';
import { exchange } from '../../services/tokens/exchange.js';
import { listProfiles } from '../../services/tokens/heldProfiles.js';
import type { PresentedProof } from '../../services/tokens/proofOfPossession.js';
import { endByLogoutToken } from '../../services/tokens/providerLogout.js';
import { renew } from '../../services/tokens/renew.js';
import { revoke } from '../../services/tokens/revoke.js';
import { type RefusalReason, TokenRefusal } from '../../services/tokens/tokenRefusal.js';
import { introspect, validate } from '../../services/tokens/validate.js';
import { authenticate, OAuthError, requireIdempotencyKey, type TokenRequest, tokenForm } from './request.js';

interface Parameters {
  narrowing?: Narrowing | undefined;
  proof?: PresentedProof | undefined;
  /** Only for a renewal. */
  idempotencyKey?: string | undefined;
  get(name: string): string | undefined;
  /** The values of a repeatable parameter. */
  all(name: string): readonly string[];
}

const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const idTokenType = 'urn:ietf:params:oauth:token-type:id_token';
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

/** The grants of the token endpoint, by grant_type. */
const grants: {
  [grantType: string]: (context: Context, client: Credentials, parameters: Parameters) => Promise<IssuedTokens>;
} = {
  refresh_token: (context, client, parameters) =>
    renew(context, {
      ...client,
      dialect: 'oauth',
      refreshToken: requireParameter(parameters, 'refresh_token'),
      profileId: parameters.get('profileId'),
      idempotencyKey: parameters.idempotencyKey,
      narrowing: parameters.narrowing,
      proof: parameters.proof,
    }),
  'urn:service:authz:exchange': (context, client, parameters) =>
    exchangeFor(context, client, parameters, requireParameter(parameters, 'id_token')),
  [tokenExchangeGrant]: tokenExchange,
};

const clientGrant = 'client_credentials';

export const grantTypes = [...Object.keys(grants), clientGrant];

/** Refuses the client of the header before it sends a body that it holds back (RFC 9110 §10.1.1). */
export async function enter(context: Context, request: IncomingMessage): Promise<Context> {
  if (!isHeldBack(request) || !isForm(request)) return context;
  const authorization = linesOf(request, 'authorization');
  if (authorization.length > 0) await requireClient(context, authenticate(authorization, new Map()));
  return context;
}

export async function token(context: Context, read: TokenRequest): Promise<Answer> {
  const { body, authorization, idempotencyKey: header } = read;
  const parameters = readParameters(body);
  const grantType = requireParameter(parameters, 'grant_type');
  noteGrant(grantType);
  if (header !== undefined && grantType === 'refresh_token')
    parameters.idempotencyKey = requireIdempotencyKey(header, malformed);
  parameters.narrowing = readNarrowing(context, parameters);
  parameters.proof = read.proof;
  const client = authenticate(authorization, parameters);
  if (grantType === clientGrant) return tokenOfClient(context, client, parameters);
  const grant = Object.hasOwn(grants, grantType) ? grants[grantType] : undefined;
  if (!grant) {
    await requireClient(context, client);
    throw new TokenRefusal('unsupportedGrantType', 'grant_type is not supported');
  }
  const tokens = await grant(context, client, parameters);
  // RFC 6749 §3.3, RFC 8693 §2.2.1
  const isScopeAnswered = parameters.get('scope') !== undefined;
  return json(200, isScopeAnswered ? { ...tokens, scope: scopeText(issuedScopes(tokens)) } : tokens, uncached);
}

/** RFC 6749 §5.1 requires it of answers with tokens, beside the Cache-Control that every answer has. */
const uncached = { pragma: 'no-cache' };

/** RFC 6749 §4.4, for the capabilities that a client uses for itself: no other client gets a token without a user. */
async function tokenOfClient(context: Context, client: Credentials, { narrowing, proof }: Parameters): Promise<Answer> {
  const { scopes = [], audiences = [] } = narrowing ?? {};
  const grant =
    context.clientGrants.find((each) => scopes.some((scope) => each.scopes.includes(scope))) ??
    context.clientGrants.find((each) => each.scopes.length === 0);
  if (!grant) await requireClient(context, client);
  const tokens = await grant?.issue(context, client, [...new Set(scopes)]);
  if (!grant || !tokens)
    throw new OAuthError('unauthorized_client', grant?.refusal ?? 'the client may not have these scopes');
  if (proof) throw new OAuthError('invalid_request', 'DPoP is not supported for this grant');
  if (!scopes.every((scope) => grant.scopes.includes(scope)))
    throw new OAuthError('invalid_scope', `such a token has ${listed(grant.scopes)}`);
  const audience = grant.audienceOf(context);
  if (audiences.some((each) => each !== audience))
    throw new OAuthError('invalid_target', `such a token is for ${audience}`);
  return json(200, tokens, uncached);
}

const listed = (scopes: readonly string[]): string =>
  scopes.length === 0 ? 'no scopes' : `the scopes ${scopes.join(' and ')} only`;

/** The requested scopes and audiences (RFC 6749 §3.3, RFC 8693 §2.1, RFC 8707 §2); checks only their syntax. Throws invalid_scope, invalid_target. */
function readNarrowing({ config }: Context, { get, all }: Parameters): Narrowing | undefined {
  const scope = get('scope');
  const scopes = scope?.split(' ').filter(Boolean);
  if (!(scopes ?? []).every(isScopeToken)) throw new OAuthError('invalid_scope', 'scope is malformed');
  const resources = all('resource').map((resource) => config.audienceResources.get(resource) ?? resource);
  const audiences = [...all('audience'), ...resources];
  if (!audiences.every((audience) => /^[!-~]{1,2000}$/.test(audience)))
    throw new OAuthError('invalid_target', 'audience or resource is malformed');
  return scopes || audiences.length > 0
    ? { scopes, audiences: audiences.length > 0 ? audiences : undefined }
    : undefined;
}

const malformed = (problem: string) => new OAuthError('invalid_request', problem);

function exchangeFor(
  context: Context,
  client: Credentials,
  parameters: Parameters,
  idToken: string,
): Promise<IssuedTokens> {
  return exchange(context, {
    ...client,
    dialect: 'oauth',
    idToken,
    profileId: requireParameter(parameters, 'profileId'),
    narrowing: parameters.narrowing,
    proof: parameters.proof,
  });
}

// RFC 8693 §2.1 and §2.2.2: a subject token that is invalid for any reason gets `invalid_request`
async function tokenExchange(
  context: Context,
  client: Credentials,
  parameters: Parameters,
): Promise<IssuedTokens & { issued_token_type: string }> {
  const idToken = requireParameter(parameters, 'subject_token');
  if (requireParameter(parameters, 'subject_token_type') !== idTokenType)
    throw new OAuthError('invalid_request', `subject_token_type must be ${idTokenType}`);
  if ((parameters.get('requested_token_type') ?? accessTokenType) !== accessTokenType)
    throw new OAuthError('invalid_request', `requested_token_type must be ${accessTokenType}`);
  for (const actor of ['actor_token', 'actor_token_type'])
    if (parameters.get(actor) !== undefined) throw new OAuthError('invalid_request', `${actor} is not supported`);
  try {
    return { issued_token_type: accessTokenType, ...(await exchangeFor(context, client, parameters, idToken)) };
  } catch (error) {
    if (error instanceof TokenRefusal && error.reason === 'invalidIdToken')
      throw new OAuthError('invalid_request', withTrace('subject_token is invalid', context.traceId), error);
    throw error;
  }
}

/** Lists the profiles that the person of an ID token holds. */
export async function profiles(context: Context, { body, authorization, proof }: TokenRequest): Promise<Answer> {
  const parameters = readParameters(body);
  const client = authenticate(authorization, parameters);
  const idToken = await requireForClient(context, client, parameters, 'id_token');
  return json(200, { profiles: await listProfiles(context, { ...client, idToken, proof }) });
}

/** RFC 7009: 200 also for an unknown token and for another client's; an error for an access token, which can't be revoked. */
export async function revocation(context: Context, { body, authorization }: TokenRequest): Promise<Answer> {
  const parameters = readParameters(body);
  const client = authenticate(authorization, parameters);
  await requireClient(context, client);
  const presented = requireParameter(parameters, 'token');
  const { clientId } = client;
  const ofClients = context.clientGrants.map(({ audienceOf }) => audienceOf(context));
  if (
    (await revoke(context, presented, { clientId, isAuthenticated: true })) === 'notFound' &&
    'claims' in (await validate(context, presented, [...allAudiences(context.config), ...ofClients]))
  )
    throw new OAuthError('unsupported_token_type', 'an access token cannot be revoked');
  return empty(200);
}

/** Handles the sign-out of a user at an identity provider (OpenID Connect Back-Channel Logout 1.0 §2.5 and §2.8). */
export async function backchannelLogout(context: Context, { body }: TokenRequest): Promise<Answer> {
  await endByLogoutToken(context, requireParameter(readParameters(body), 'logout_token'));
  return empty(200);
}

/** RFC 7662. */
export async function introspection(context: Context, { body, authorization }: TokenRequest): Promise<Answer> {
  const parameters = readParameters(body);
  const client = authenticate(authorization, parameters);
  const presented = await requireForClient(context, client, parameters, 'token');
  const found = await introspect(context, presented, client);
  if (found && 'claims' in found) return jsonText(200, activeText(found));
  return json(200, found ? { active: true, ...found } : { active: false });
}

/** The claims as they stand in the token, behind what RFC 7662 §2.2 adds. */
function activeText({ claims: { scopes, scope, cnf }, claimsJson }: VerifiedToken): string {
  const further = scope === undefined ? `"scope":${JSON.stringify(scopeText(scopes))},` : '';
  return `{"active":true,"token_type":"${cnf ? 'DPoP' : 'Bearer'}",${further}${claimsJson.slice(1)}`;
}

/** Returns the parameter. If it is missing, authenticates first, so that an unknown client doesn't learn about it. */
async function requireForClient(
  context: Context,
  client: Credentials,
  parameters: Parameters,
  name: string,
): Promise<string> {
  if (parameters.get(name) === undefined) await requireClient(context, client);
  return requireParameter(parameters, name);
}

/** RFC 6749 §3.2: a parameter without a value counts as omitted, and none may be repeated, with or without a value. */
function readParameters(body: Buffer): Parameters {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(decodeUtf8(body))) {
    const values = parameters.get(name);
    if (values && !isRepeatable(name)) throw new OAuthError('invalid_request', 'a parameter occurs twice');
    if (!values) parameters.set(name, value === '' ? [] : [value]);
    else if (value !== '') values.push(value);
  }
  return { get: (name) => parameters.get(name)?.[0], all: (name) => parameters.get(name) ?? [] };
}

const isRepeatable = (name: string): boolean =>
  Object.hasOwn(tokenForm, name) && 'repeatable' in tokenForm[name as keyof typeof tokenForm];

function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is required`);
  return value;
}

/** The same for every cause: only an administrator learns which it was. */
const clientWords =
  'the client is unknown or inactive, or its secret, key or assertion is not valid, or not sent as HTTP Basic, client_secret or client_assertion';
const grantWords =
  'the token is unknown, used, expired or revoked, or was issued to another client or audience, or its user may not use it';
const withTrace = (words: string, traceId: string) =>
  `${words}; an administrator finds the cause by the trace id ${traceId}`;

// RFC 6749 §5.2, RFC 8693 §2.2.2
const refusals: { [reason in RefusalReason]: (refusal: TokenRefusal, traceId: string) => OAuthError } = {
  invalidClient: (_refusal, traceId) => new OAuthError('invalid_client', withTrace(clientWords, traceId)),
  invalidIdToken: (_refusal, traceId) => new OAuthError('invalid_grant', withTrace(grantWords, traceId)),
  invalidRenewalToken: (_refusal, traceId) => new OAuthError('invalid_grant', withTrace(grantWords, traceId)),
  invalidProfile: () => new OAuthError('invalid_target', 'the user does not hold this profile'),
  invalidTarget: ({ detail }) =>
    new OAuthError('invalid_target', detail.startsWith(notAmong) ? 'the client may not have this audience' : detail),
  invalidProof: () => new OAuthError('invalid_dpop_proof', 'the DPoP proof is missing or not valid'),
  invalidLogoutToken: (_refusal, traceId) =>
    new OAuthError('invalid_request', withTrace('logout_token is invalid', traceId)),
  nonceWanted: () => new OAuthError('use_dpop_nonce', 'the DPoP proof needs the nonce of the header DPoP-Nonce'),
  invalidScope: () => new OAuthError('invalid_scope', 'the token may not have this scope'),
  unsupportedGrantType: () => new OAuthError('unsupported_grant_type', 'grant_type is not supported'),
};

/** The answer for an error of a form request; undefined for errors of method, media type and size, which get the default. */
export function refuse(context: Context, error: unknown): Answer | undefined {
  const { log, traceId } = context;
  const oauthError = toOAuthError(error, traceId);
  if (oauthError instanceof OAuthError) return json(oauthError.status, oauthError.body, oauthError.headers);
  const { status, message, more } = toGatehouseError(error);
  if (status !== 503 && status !== 429) return undefined;
  if (status === 503) log.error({ traceId, error: more.cause ?? error }, message);
  return json(status, { error: 'temporarily_unavailable', error_description: message }, more.headers);
}

function toOAuthError(error: unknown, traceId: string): unknown {
  if (error instanceof TokenRefusal) return refusals[error.reason](error, traceId);
  const isMalformed = error instanceof GatehouseError && error.status === 400;
  return isMalformed ? new OAuthError('invalid_request', 'the request is malformed') : error;
}

/** Verifies ID tokens and logout tokens of identity providers. */
import type { IdTokenIssuer } from '../config/config.js';
import { isStorable } from '../entities/valueForms.js';
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import { isSeconds, type ParsedJwt, parseJwt } from './jwt.js';
import { fetchPublishedKeys, openProviderFetch, type ProviderNetwork } from './providerDocuments.js';
import { type KeyQuery, openProviderKeys, openStaticKeys, type ProviderKeys } from './providerKeys.js';
import {
  asymmetricAlgorithms,
  isAsymmetricAlgorithm,
  openPublishedKey,
  type PublishedKey,
  verifiesWithOne,
} from './publishedKey.js';

interface ClaimExpectation {
  audiences: readonly string[];
  /** The accepted values of `azp`. */
  authorizedParties: readonly string[];
  /** Maximum age since `iat`, whatever `exp` says; the tolerance is added. */
  maxAgeSeconds: number;
  nowSeconds: number;
}

const toleranceSeconds = 30;
const subLengthMax = 255; // OpenID Connect Core 1.0 §2

/** The first problem of the claims, for the log; undefined when there is none. */
function findClaimProblem(claims: JsonObject, expected: ClaimExpectation): string | undefined {
  return (
    findSubProblem(claims.sub) ??
    findAudienceProblem(claims.aud, expected.audiences) ??
    findPurposeProblem(claims, expected.authorizedParties) ??
    findTimeProblem(claims, expected)
  );
}

function findSubProblem(sub: unknown): string | undefined {
  if (typeof sub !== 'string' || sub === '') return 'sub is missing or not a string';
  if ([...sub].length > subLengthMax) return `sub is longer than ${subLengthMax} characters`;
  if (!isStorable(sub)) return 'sub contains characters that are not allowed';
  return undefined;
}

function findAudienceProblem(aud: unknown, accepted: readonly string[]): string | undefined {
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.every((audience) => typeof audience === 'string'))
    return 'aud is missing or not a string or list of strings';
  return audiences.some((audience) => accepted.includes(audience)) ? undefined : 'aud is another';
}

/** Refuses other tokens that a provider signs with the same keys for the same audience: they don't prove a sign-in here. */
function findPurposeProblem(claims: JsonObject, authorizedParties: readonly string[]): string | undefined {
  // OpenID Connect Back-Channel Logout 1.0 §2.4: only a logout token has it
  if (Object.hasOwn(claims, 'events')) return 'it is a logout token (events)';
  // Amazon Cognito marks its access tokens with it
  if (claims.token_use === 'access') return 'it is an access token (token_use)';
  // and Keycloak its own, whose ID tokens have `ID`
  if (claims.typ === 'Bearer' || claims.typ === 'DPoP') return 'it is an access token (the claim typ)';
  // OpenID Connect Core 1.0 §2: the party to which it was issued
  const { azp } = claims;
  if (azp !== undefined && !(typeof azp === 'string' && authorizedParties.includes(azp))) return 'azp is another';
  return undefined;
}

function findTimeProblem(claims: JsonObject, { nowSeconds, maxAgeSeconds }: ClaimExpectation): string | undefined {
  const { exp, iat, nbf } = claims;
  if (!isSeconds(exp) || !isSeconds(iat)) return 'exp or iat is missing or not a number';
  if (nbf !== undefined && !isSeconds(nbf)) return 'nbf is not a number';
  if (nowSeconds >= exp + toleranceSeconds) return 'expired';
  if (iat > nowSeconds + toleranceSeconds) return 'issued in the future';
  if (nbf !== undefined && nbf > nowSeconds + toleranceSeconds) return 'not valid yet';
  if (nowSeconds - iat > maxAgeSeconds + toleranceSeconds) return 'issued too long ago';
  return undefined;
}

/** When the token expires, in seconds since 1970, for claims without a problem. */
const endOf = ({ exp, iat }: JsonObject, maxAgeSeconds: number): number =>
  Math.min(exp as number, (iat as number) + maxAgeSeconds + 1) + toleranceSeconds;

export { IdentityProviderUnavailable } from './providerKeys.js';

interface IdTokenVerifierOptions {
  /** Receives events of the providers; never a token or a key. */
  log(details: object, message: string): void;
  fetch?: typeof fetch;
  /** The networks in which the providers may be. */
  network?: ProviderNetwork;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** For all fetches of one attempt together; 5,000. */
  timeoutMs?: number;
}

export interface VerifiedIdToken {
  /** Undefined for a logout token without `sub`. */
  sub: string;
  issuer: IdTokenIssuer;
  claims: JsonObject;
  /** What the signature covers. */
  signingInput: string;
  /** When the token expires, in seconds since 1970. */
  endsAtSeconds: number;
}

interface ProviderProbe {
  issuer: string;
  ok: boolean;
  problem?: string;
}

/** The purpose of the token: an exchange by a client, a sign-in to the console, whose ID tokens work nowhere else, a request of a pipeline, or a logout. */
type Purpose = 'exchange' | 'console' | 'pipeline' | 'logout';

export interface IdTokenVerifier {
  /** @param purpose `exchange`. Throws IdTokenInvalid, and IdentityProviderUnavailable when the token could not be checked. */
  verify(token: string, purpose?: Purpose): Promise<VerifiedIdToken>;
  /** Fetches the keys of every provider now, without the cache. */
  probe(): Promise<ProviderProbe[]>;
}

/** The token is refused. The reason is only for the log, never for the caller. */
export class IdTokenInvalid extends Error {
  override readonly name = 'IdTokenInvalid';
  constructor(readonly reason: string) {
    super(`ID token refused: ${reason}`);
  }
}

interface Provider {
  options: IdTokenIssuer;
  algorithms: readonly string[];
  keys: ProviderKeys;
  fetchKeys(): Promise<PublishedKey[]>;
}

const tokenLengthMax = 16_384;
const kidLengthMax = 1024;
const defaultMaxAgeSeconds = 900;
const defaultTimeoutMs = 5_000;

/** How long an ID token of the issuer is accepted after its `iat`, including the tolerance, in seconds. */
export const ageSecondsMax = ({ maxAgeSeconds = defaultMaxAgeSeconds }: IdTokenIssuer): number =>
  endOf({ iat: 0, exp: Number.POSITIVE_INFINITY }, maxAgeSeconds);

/**
 * Opens the verifier of the configured identity providers. Cheap checks come first (form, issuer, algorithm, claims), then the
 * provider's keys and the signature, so that only a token that is otherwise valid can cause a fetch. Throws Error when an issuer
 * is configured twice or lists an algorithm that isn't asymmetric.
 */
export function openIdTokenVerifier(
  issuers: readonly IdTokenIssuer[],
  options: IdTokenVerifierOptions,
): IdTokenVerifier {
  const providers = new Map<string, Provider>();
  for (const issuer of issuers) {
    if (providers.has(issuer.issuer)) throw new Error(`the issuer ${issuer.issuer} is configured twice`);
    providers.set(issuer.issuer, openProvider(issuer, options));
  }
  const now = options.now ?? Date.now;

  return {
    async verify(token, purpose = 'exchange') {
      const jwt = requireForm(token);
      const { header, payload, signingInput } = jwt;
      const provider = typeof payload.iss === 'string' ? providers.get(payload.iss) : undefined;
      if (!provider) throw new IdTokenInvalid('issuer is unknown');
      const query = requireHeader(header, provider, purpose);
      requireClaims(payload, provider.options, purpose, Math.floor(now() / 1000));
      await requireSignature(jwt, query, provider.keys, purpose);
      const { options: issuer } = provider;
      const endsAtSeconds = endOf(payload, issuer.maxAgeSeconds ?? defaultMaxAgeSeconds);
      return { sub: payload.sub as string, issuer, claims: payload, signingInput, endsAtSeconds };
    },
    probe: () => Promise.all([...providers.values()].map(probeProvider)),
  };
}

function openProvider(
  options: IdTokenIssuer,
  { log, fetch: fetchImpl, network, now, timeoutMs }: IdTokenVerifierOptions,
): Provider {
  const algorithms = options.algorithms ?? asymmetricAlgorithms;
  const unfit = algorithms.find((alg) => !isAsymmetricAlgorithm(alg));
  if (unfit !== undefined)
    throw new Error(`the issuer ${options.issuer} lists the algorithm ${unfit}, which is not accepted for ID tokens`);
  if (options.jwks) {
    const keys = options.jwks.keys.map(openPublishedKey);
    return { options, algorithms, keys: openStaticKeys(keys), fetchKeys: async () => keys };
  }
  const source = {
    issuer: options.issuer,
    ...(options.jwksUri === undefined ? {} : { jwksUri: options.jwksUri }),
    fetch: fetchImpl ?? openProviderFetch(options.jwksUri ?? options.issuer, network),
    timeoutMs: timeoutMs ?? defaultTimeoutMs,
  };
  const keys = openProviderKeys({ ...source, log, now: now ?? Date.now });
  return { options, algorithms, keys, fetchKeys: () => fetchPublishedKeys(source) };
}

function requireForm(token: string): ParsedJwt {
  const jwt = parseJwt(token, tokenLengthMax);
  if ('malformed' in jwt) throw new IdTokenInvalid(jwt.malformed);
  return jwt;
}

// jku, x5u, jwk and x5c are ignored: the settings of the issuer decide where its keys come from
function requireHeader({ alg, kid, typ }: JsonObject, provider: Provider, purpose: Purpose): KeyQuery {
  if (typeof alg !== 'string' || !provider.algorithms.includes(alg)) throw new IdTokenInvalid('alg is not accepted');
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > kidLengthMax))
    throw new IdTokenInvalid('kid is unusable');
  // RFC 8725 §3.11: at+jwt, logout+jwt and every further …+jwt mark tokens for another purpose
  const own = purpose === 'logout' ? /^(application\/)?logout\+jwt$/i : /^(application\/)?id_token\+jwt$/i;
  if (typ !== undefined && (typeof typ !== 'string' || (/\+jwt\b/i.test(typ) && !own.test(typ))))
    throw new IdTokenInvalid('typ is another');
  return { kid, alg };
}

function requireClaims(claims: JsonObject, issuer: IdTokenIssuer, purpose: Purpose, nowSeconds: number): void {
  const { maxAgeSeconds = defaultMaxAgeSeconds, console } = issuer;
  const expected = { ...partiesOf(issuer, purpose), maxAgeSeconds, nowSeconds };
  const problem = purpose === 'logout' ? findLogoutProblem(claims, expected) : findClaimProblem(claims, expected);
  if (problem) throw new IdTokenInvalid(problem);
  if (purpose === 'pipeline' && !issuer.pipelines) throw new IdTokenInvalid('the issuer is not for pipelines');
  if (purpose !== 'console' && purpose !== 'logout' && console && [claims.aud].flat().includes(console.clientId))
    throw new IdTokenInvalid('aud is the client of the console');
}

function partiesOf(
  { audience, authorizedParties = [audience].flat(), console }: IdTokenIssuer,
  purpose: Purpose,
): Pick<ClaimExpectation, 'audiences' | 'authorizedParties'> {
  if (purpose === 'logout') return { audiences: [audience, console?.clientId ?? []].flat(), authorizedParties };
  if (purpose !== 'console') return { audiences: [audience].flat(), authorizedParties };
  if (!console) throw new IdTokenInvalid('the issuer is not configured for the console');
  return { audiences: [console.clientId], authorizedParties: [console.clientId] };
}

async function requireSignature(jwt: ParsedJwt, query: KeyQuery, keys: ProviderKeys, purpose: Purpose): Promise<void> {
  const cached = await keys.findKeys(query);
  if (await verifiesWithOne(jwt, query.alg, cached)) return;
  const isNamed = cached.length > 0 && query.kid !== undefined;
  const isAnybodys = purpose === 'logout' || purpose === 'pipeline';
  const keysTried = isNamed ? cached : await keys.refetchKeys(query, isAnybodys);
  if (!isNamed && (await verifiesWithOne(jwt, query.alg, keysTried))) return;
  const reason = keysTried.length > 0 ? 'signature does not verify' : 'the provider has no such key';
  throw new IdTokenInvalid((await keys.findMisfit(query)) ?? reason);
}

async function probeProvider({ options: { issuer }, algorithms, fetchKeys }: Provider): Promise<ProviderProbe> {
  try {
    const keys = await fetchKeys();
    const fitting = keys.flatMap((key) => algorithms.filter((alg) => key.fits(alg)).map((alg) => key.findKey(alg)));
    // a malformed key fits, and verifies nothing
    return (await Promise.all(fitting)).some((key) => key !== undefined)
      ? { issuer, ok: true }
      : { issuer, ok: false, problem: 'publishes no key for the accepted algorithms' };
  } catch (error) {
    return { issuer, ok: false, problem: (error as Error).message };
  }
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const nameLengthMax = 255;

/** The first problem of the claims, for the log; undefined when there is none. */
function findLogoutProblem(claims: JsonObject, expected: ClaimExpectation): string | undefined {
  const { sub, sid, jti, aud } = claims;
  return (
    findAudienceProblem(aud, expected.audiences) ??
    findTimeProblem(claims, expected) ??
    findLogoutPurposeProblem(claims) ??
    (sub === undefined && sid === undefined ? 'sub and sid are both missing' : undefined) ??
    (sub === undefined ? undefined : findSubProblem(sub)) ??
    (sid === undefined || isName(sid) ? undefined : 'sid is unusable') ??
    (isName(jti) ? undefined : 'jti is missing or unusable')
  );
}

/** Refuses other tokens: an ID token must not sign out the user that it signed in. */
function findLogoutPurposeProblem({ events, nonce }: JsonObject): string | undefined {
  const event = isJsonObject(events) && Object.hasOwn(events, logoutEvent) ? events[logoutEvent] : undefined;
  if (!isJsonObject(event)) return 'it is not a logout token (events)';
  return nonce === undefined ? undefined : 'it has a nonce';
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= nameLengthMax && isStorable(value);

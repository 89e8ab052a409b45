/**
 * Judges ID tokens of the configured identity providers. What costs nothing comes first (form, issuer, algorithm, claims),
 * then the provider's keys and the signature; so only a token that would otherwise be good can cause a fetch.
 */
import type { IdTokenIssuer } from '../config/config.js';
import type { JsonObject } from '../jsonObject.js';
import { type ClaimExpectation, endOf, findClaimProblem } from './idTokenClaims.js';
import { type ParsedJwt, parseJwt } from './jwt.js';
import { findLogoutProblem } from './logoutToken.js';
import { fetchPublishedKeys } from './providerDocuments.js';
import { openProviderFetch, type ProviderNetwork } from './providerFetch.js';
import { openProviderKeys, type ProviderKeys, type WantedKey } from './providerKeys.js';
import { isAsymmetricAlgorithm, type PublishedKey, verifiesWithOne } from './publishedKey.js';

export { IdentityProviderUnavailable } from './providerKeys.js';

/** One entry of `ID_TOKEN_ISSUERS`. */
export type IssuerOptions = IdTokenIssuer;

interface IdTokenVerifierOptions {
  /** Receives what happens at the providers; never a token or a key. */
  log(details: object, message: string): void;
  fetch?: typeof fetch;
  /** Where the providers may be. */
  network?: ProviderNetwork;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** For all fetches of one attempt together; 5,000. */
  timeoutMs?: number;
}

export interface VerifiedIdToken {
  /** Of a logout token it may be undefined. */
  sub: string;
  issuer: IssuerOptions;
  claims: JsonObject;
  /** What the signature covers. */
  signingInput: string;
  /** From this second on, since 1970, the token is refused. */
  endsAtSeconds: number;
}

interface ProviderProbe {
  issuer: string;
  ok: boolean;
  problem?: string;
}

/** For whom an ID token was issued: the clients that exchange it, or the console, whose own are good for nothing else. */
type Purpose = 'exchange' | 'console' | 'logout';

export interface IdTokenVerifier {
  /** @param purpose `exchange`. Throws IdTokenInvalid; IdentityProviderUnavailable when the token could not be judged. */
  verify(token: string, purpose?: Purpose): Promise<VerifiedIdToken>;
  /** Asks every provider for its keys now, past the cache. */
  probe(): Promise<ProviderProbe[]>;
}

/** The token is refused; the reason is for the log, never for the caller. */
export class IdTokenInvalid extends Error {
  override readonly name = 'IdTokenInvalid';
  constructor(readonly reason: string) {
    super(`ID token refused: ${reason}`);
  }
}

interface Provider {
  options: IssuerOptions;
  algorithms: readonly string[];
  keys: ProviderKeys;
  fetchKeys(): Promise<PublishedKey[]>;
}

const tokenLengthMax = 16_384;
const kidLengthMax = 1024;
const defaultMaxAgeSeconds = 900;
const defaultTimeoutMs = 5_000;
const defaultAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'RS384', 'RS512', 'PS384', 'PS512', 'ES384', 'ES512'];

/** For how long an ID token of the issuer is taken after its `iat`, by whatever clock, in seconds. */
export const ageSecondsMax = ({ maxAgeSeconds = defaultMaxAgeSeconds }: IssuerOptions): number =>
  endOf({ iat: 0, exp: Number.POSITIVE_INFINITY }, maxAgeSeconds);

/** Throws Error when an issuer is given twice or lists an algorithm that isn't asymmetric. */
export function openIdTokenVerifier(
  issuers: readonly IssuerOptions[],
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
      const wanted = requireHeader(header, provider, purpose);
      requireClaims(payload, provider.options, purpose, Math.floor(now() / 1000));
      await requireSignature(jwt, wanted, provider.keys);
      const { options: issuer } = provider;
      const endsAtSeconds = endOf(payload, issuer.maxAgeSeconds ?? defaultMaxAgeSeconds);
      return { sub: payload.sub as string, issuer, claims: payload, signingInput, endsAtSeconds };
    },
    probe: () => Promise.all([...providers.values()].map(probeProvider)),
  };
}

function openProvider(
  options: IssuerOptions,
  { log, fetch: fetchImpl, network, now, timeoutMs }: IdTokenVerifierOptions,
): Provider {
  const algorithms = options.algorithms ?? defaultAlgorithms;
  const unfit = algorithms.find((alg) => !isAsymmetricAlgorithm(alg));
  if (unfit !== undefined)
    throw new Error(`the issuer ${options.issuer} lists the algorithm ${unfit}, which ID tokens can't have here`);
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

// jku, x5u, jwk and x5c are never looked at: the keys come from where the operator said.
function requireHeader({ alg, kid, typ }: JsonObject, provider: Provider, purpose: Purpose): WantedKey {
  if (typeof alg !== 'string' || !provider.algorithms.includes(alg)) throw new IdTokenInvalid('alg is not accepted');
  if (kid !== undefined && (typeof kid !== 'string' || kid.length > kidLengthMax))
    throw new IdTokenInvalid('kid is unusable');
  // RFC 8725 §3.11: at+jwt, logout+jwt and their like are tokens for something else.
  const isLogout = purpose === 'logout' && typeof typ === 'string' && /^(application\/)?logout\+jwt$/i.test(typ);
  if (typ !== undefined && !isLogout && (typeof typ !== 'string' || /\+jwt$/i.test(typ)))
    throw new IdTokenInvalid('typ is another');
  return { kid, alg };
}

function requireClaims(claims: JsonObject, issuer: IssuerOptions, purpose: Purpose, nowSeconds: number): void {
  const { maxAgeSeconds = defaultMaxAgeSeconds, console } = issuer;
  const problem =
    purpose === 'logout'
      ? findLogoutProblem(claims, {
          audience: [issuer.audience, console?.clientId ?? []].flat(),
          maxAgeSeconds,
          nowSeconds,
        })
      : findClaimProblem(claims, { ...partiesOf(issuer, purpose), maxAgeSeconds, nowSeconds });
  if (problem) throw new IdTokenInvalid(problem);
  if (purpose === 'exchange' && console && [claims.aud].flat().includes(console.clientId))
    throw new IdTokenInvalid('aud is the console');
}

function partiesOf(
  { audience, authorizedParties = [audience].flat(), console }: IssuerOptions,
  purpose: Exclude<Purpose, 'logout'>,
): Pick<ClaimExpectation, 'audience' | 'authorizedParties'> {
  if (purpose === 'exchange') return { audience, authorizedParties };
  if (!console) throw new IdTokenInvalid('the issuer signs nobody in to the console');
  return { audience: console.clientId, authorizedParties: [console.clientId] };
}

async function requireSignature(jwt: ParsedJwt, wanted: WantedKey, keys: ProviderKeys): Promise<void> {
  const cached = await keys.findKeys(wanted);
  if (await verifiesWithOne(jwt, wanted.alg, cached)) return;
  if (cached.length > 0 && wanted.kid !== undefined) throw new IdTokenInvalid('signature does not verify');
  const refetched = await keys.refetchKeys(wanted);
  if (await verifiesWithOne(jwt, wanted.alg, refetched)) return;
  throw new IdTokenInvalid(refetched.length > 0 ? 'signature does not verify' : 'the provider has no such key');
}

async function probeProvider({ options: { issuer }, algorithms, fetchKeys }: Provider): Promise<ProviderProbe> {
  try {
    const keys = await fetchKeys();
    const isUsable = keys.some((key) => algorithms.some((alg) => key.fits(alg)));
    return isUsable
      ? { issuer, ok: true }
      : { issuer, ok: false, problem: 'publishes no key for the accepted algorithms' };
  } catch (error) {
    return { issuer, ok: false, problem: (error as Error).message };
  }
}

/** Signs users in at an identity provider: discovery, authorization request, code. */
import { importJWK } from 'jose';
import * as oidc from 'openid-client';
import type { ConsoleClient, IdTokenIssuer } from '../config/config.js';
import {
  type DocumentSource,
  fetchMetadata,
  findAllowedAddress,
  openProviderFetch,
  type ProviderNetwork,
  readBounded,
} from './providerDocuments.js';
import { IdentityProviderUnavailable } from './providerKeys.js';

interface ProviderMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  end_session_endpoint?: string;
  token_endpoint_auth_methods_supported?: string[];
  authorization_response_iss_parameter_supported?: boolean;
}

interface MetadataOptions extends DocumentSource {
  log(details: object, message: string): void;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

const keptMs = 10 * 60_000;
const failureCooldownMs = 5_000;

/** Returns a function that reads the metadata, and throws IdentityProviderUnavailable. */
export function openProviderMetadata(options: MetadataOptions): () => Promise<ProviderMetadata> {
  const { issuer, log, now = Date.now } = options;
  let cached: { metadata: ProviderMetadata; readAt: number } | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  const load = async () => {
    try {
      cached = { metadata: endpointsOf(await fetchMetadata(options), options), readAt: now() };
    } catch (error) {
      failedAt = now();
      log({ issuer, problem: (error as Error).message }, 'identity provider unavailable');
    } finally {
      underWay = undefined;
    }
  };
  // a clock that was put back must not lengthen a pause
  const isPast = (instant: number, ms: number) => Math.abs(now() - instant) >= ms;
  return async () => {
    if (isPast(cached?.readAt ?? Number.NEGATIVE_INFINITY, keptMs) && isPast(failedAt, failureCooldownMs)) {
      underWay ??= load();
      await underWay;
    }
    // after a failed fetch the old metadata stays in use
    if (cached) return cached.metadata;
    throw new IdentityProviderUnavailable(issuer, failureCooldownMs / 1_000);
  };
}

function endpointsOf(document: Record<string, unknown>, { issuer }: DocumentSource): ProviderMetadata {
  const address = (name: string) => findAllowedAddress(document[name], issuer);
  const [authorization, token] = [address('authorization_endpoint'), address('token_endpoint')];
  if (!authorization || !token) throw new Error(`${issuer} has no usable authorization_endpoint or token_endpoint`);
  const endSession = address('end_session_endpoint');
  const methods = document.token_endpoint_auth_methods_supported;
  return {
    issuer,
    authorization_endpoint: authorization,
    token_endpoint: token,
    ...(endSession && { end_session_endpoint: endSession }),
    ...(Array.isArray(methods) && { token_endpoint_auth_methods_supported: methods.map(String) }),
    authorization_response_iss_parameter_supported: document.authorization_response_iss_parameter_supported === true,
  };
}

/** The state that the browser keeps until it returns from the provider. */
export interface SignInChecks {
  state: string;
  nonce: string;
  verifier: string;
}

export type ProviderSignIn = ReturnType<typeof openProviderSignIn>;

/** The sign-in failed. The reason is for the log. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  constructor(readonly reason: string) {
    super(`sign-in refused: ${reason}`);
  }
}

interface ProviderSignInOptions {
  /** Redirect URI for the browser's return. */
  callback: string;
  log(details: object, message: string): void;
  network?: ProviderNetwork;
}

/** A TypeError, because openid-client passes those through unchanged. */
class ProviderAway extends TypeError {}

const timeoutSeconds = 5;

/** The issuers that sign users in to the console. */
export const openSignIns = (issuers: readonly IdTokenIssuer[], options: ProviderSignInOptions): ProviderSignIn[] =>
  issuers.flatMap((issuer) => {
    const { console } = issuer;
    return console ? [openProviderSignIn({ ...issuer, console }, options)] : [];
  });

function openProviderSignIn(
  provider: IdTokenIssuer & { console: ConsoleClient },
  { callback, log, network }: ProviderSignInOptions,
) {
  const { issuer, console: client } = provider;
  const { askedAt = issuer } = provider;
  const fetch = openProviderFetch(askedAt, network);
  const readMetadata = openProviderMetadata({ issuer, askedAt, fetch, timeoutMs: timeoutSeconds * 1_000, log });
  const configure = async (): Promise<oidc.Configuration> => {
    const metadata = await readMetadata();
    const authentication = await authenticationOf(client, metadata);
    const configuration = new oidc.Configuration({ ...metadata }, client.clientId, {}, authentication);
    if (issuer.startsWith('http:')) oidc.allowInsecureRequests(configuration);
    configuration.timeout = timeoutSeconds;
    configuration[oidc.customFetch] = boundedFetch(fetch, provider);
    return configuration;
  };
  return {
    issuer,
    /** The name that users see. */
    name: client.name ?? new URL(issuer).host,
    /**
     * Returns the address for the browser, and the values to check when it returns. Throws IdentityProviderUnavailable.
     * @param maxAgeSeconds how long ago the user may have authenticated; 0: the provider asks again in any case
     */
    async begin(maxAgeSeconds: number): Promise<{ address: string; checks: SignInChecks }> {
      const checks = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const address = oidc.buildAuthorizationUrl(await configure(), {
        redirect_uri: callback,
        scope: client.scope ?? 'openid',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        // with it the ID token has auth_time (§3.1.2.1)
        max_age: String(maxAgeSeconds),
        ...(maxAgeSeconds === 0 && { prompt: 'login' }),
      });
      return { address: address.href, checks };
    },
    /**
     * Redeems the code for the ID token, which is not yet verified. Throws SignInRefused and IdentityProviderUnavailable.
     * @param search the query with which the browser returned
     */
    async redeem(search: string, { state, nonce, verifier }: SignInChecks): Promise<string> {
      const configuration = await configure();
      try {
        const answer = await oidc.authorizationCodeGrant(configuration, new URL(search, callback), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return answer.id_token!;
      } catch (error) {
        throw toSignInError(error, issuer, log);
      }
    },
    /** Returns the address at which the browser ends its session at the provider, if there is one. Throws IdentityProviderUnavailable. */
    async endSessionAddress(returnTo: string): Promise<string | undefined> {
      const { end_session_endpoint: endpoint } = await readMetadata();
      if (!endpoint) return undefined;
      // OpenID Connect RP-Initiated Logout 1.0 §2: no ID token is kept that could be its hint
      const address = new URL(endpoint);
      address.searchParams.set('client_id', client.clientId);
      address.searchParams.set('post_logout_redirect_uri', returnTo);
      return address.href;
    },
  };
}

async function authenticationOf(
  { clientSecret, privateKeyJwk }: ConsoleClient,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: ProviderMetadata,
): Promise<oidc.ClientAuth> {
  if (privateKeyJwk) {
    const key = (await importJWK({ ...privateKeyJwk }, algorithmOf(privateKeyJwk))) as oidc.CryptoKey;
    return oidc.PrivateKeyJwt(privateKeyJwk.kid === undefined ? key : { key, kid: privateKeyJwk.kid });
  }
  if (clientSecret === undefined) return oidc.None();
  const isBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
  return isBasic ? oidc.ClientSecretBasic(clientSecret) : oidc.ClientSecretPost(clientSecret);
}

function algorithmOf({ alg, kty, crv }: NonNullable<ConsoleClient['privateKeyJwk']>): string {
  if (alg !== undefined) return alg;
  if (kty === 'RSA') return 'RS256';
  if (kty === 'OKP') return 'EdDSA';
  return crv === 'P-384' ? 'ES384' : crv === 'P-521' ? 'ES512' : 'ES256';
}

/** The fetch for openid-client: a whole Response with a bounded body. Throws ProviderAway. */
function boundedFetch(fetch: typeof globalThis.fetch, { issuer, askedAt }: IdTokenIssuer): oidc.CustomFetch {
  return async (address, { method, headers, body, signal }) => {
    const at = askedAt !== undefined && address.startsWith(issuer) ? askedAt + address.slice(issuer.length) : address;
    const text = body === undefined || body === null ? undefined : String(body);
    try {
      const init = { method, headers: { ...headers, connection: 'close' }, signal: signal ?? null };
      const answer = await fetch(at, text === undefined ? init : { ...init, body: text });
      const { status } = answer;
      if (status < 200 || status === 429 || status >= 500) throw new Error(`answers ${status}`);
      const content = await readBounded(answer);
      return new Response([204, 205, 304].includes(status) ? null : content, { status, headers: answer.headers });
    } catch (error) {
      throw new ProviderAway((error as Error).message);
    }
  };
}

/** The codes with which a provider says that it fails itself (RFC 6749 §4.1.2.1). */
const ownFailures = new Set(['server_error', 'temporarily_unavailable']);

/** Translates a failure. Only error codes are taken from the provider. */
function toSignInError(error: unknown, issuer: string, log: ProviderSignInOptions['log']): Error {
  const endpoint = error instanceof oidc.AuthorizationResponseError ? 'authorization endpoint' : 'token endpoint';
  const code =
    error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError
      ? error.error
      : undefined;
  const isAway = error instanceof ProviderAway || (error instanceof oidc.ClientError && error.code === 'OAUTH_TIMEOUT');
  if (isAway || (code !== undefined && ownFailures.has(code))) {
    log({ issuer, problem: `${endpoint}: ${code ?? (error as Error).message}` }, 'identity provider unavailable');
    return new IdentityProviderUnavailable(issuer, 5);
  }
  if (error instanceof oidc.AuthorizationResponseError)
    return new SignInRefused(`the provider says ${word(error.error)}`);
  if (error instanceof oidc.ResponseBodyError)
    return new SignInRefused(`the provider's token endpoint says ${word(error.error)}`);
  return new SignInRefused(
    error instanceof oidc.ClientError ? `${error.code ?? ''} ${error.message}`.trim() : 'unusable',
  );
}

/** The provider's error code (RFC 6749 §4.1.2.1), if it looks like one. */
const word = (code: string): string => (/^[\w.-]{1,60}$/.test(code) ? code : 'an error');

/** Keys of clients, and what they sign: assertions (RFC 7523) and DPoP proofs (RFC 9449). */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import { isSeconds, parseJwt } from './jwt.js';
import { openProviderFetch, type ProviderNetwork, shownAddress } from './providerDocuments.js';
import { type KeyQuery, openProviderKeys, openStaticKeys, type ProviderKeys } from './providerKeys.js';
import { openPublishedKey, type PublishedKey, verifiesWithOne } from './publishedKey.js';

// RFC 9864: older libraries call Ed25519 EdDSA
export const clientAlgorithms = ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA'];
/** Length limit of an assertion or proof, in characters. */
const clientJwtLengthMax = 8_192;

// each is remembered until its JWT expires
const jtiLengthMax = 256;
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const isClientAlgorithm = (alg: unknown): alg is string => typeof alg === 'string' && clientAlgorithms.includes(alg);

/** Returns the problem of the `jti`, in words for the log; undefined if there is none. */
const findJtiProblem = (jti: unknown): string | undefined =>
  typeof jti === 'string' && jti !== '' && jti.length <= jtiLengthMax ? undefined : 'jti is missing or too long';

/** Whether a JWK has members of a private or shared key (RFC 7518 §6): a client that sends one has given its key away. */
export const holdsPrivateKey = (jwk: object): boolean => privateMembers.some((member) => Object.hasOwn(jwk, member));

export interface AssertionExpectation {
  /** `iss` and `sub`. */
  clientId: string;
  /** The issuer, and the addresses of endpoints, which libraries still send. */
  audiences: readonly string[];
  nowSeconds: number;
}

export interface ClientAssertion {
  jti: string;
  /** Until when the `jti` has to be remembered; seconds since the epoch. */
  expiresAt: number;
}

/** How far ahead `exp` may be, and the tolerance for clocks; in seconds. */
const lifetimeMax = 300;
const tolerance = 30;

/** The client that an assertion names, unverified; undefined if it names none. */
export function assertedClient(assertion: string): string | undefined {
  const jwt = parseJwt(assertion, clientJwtLengthMax);
  return 'payload' in jwt && typeof jwt.payload.sub === 'string' ? jwt.payload.sub : undefined;
}

/**
 * The assertion, or why it is invalid, for the log.
 * @param findKeys returns the client's matching keys; called only for an assertion that is valid otherwise
 */
export async function verifyClientAssertion(
  assertion: string,
  expected: AssertionExpectation,
  findKeys: (query: KeyQuery) => Promise<readonly PublishedKey[]>,
): Promise<ClientAssertion | { invalid: string }> {
  const jwt = parseJwt(assertion, clientJwtLengthMax);
  if ('malformed' in jwt) return { invalid: jwt.malformed };
  const { alg, kid } = jwt.header;
  if (!isClientAlgorithm(alg)) return { invalid: 'alg is not accepted' };
  if (kid !== undefined && typeof kid !== 'string') return { invalid: 'kid is unusable' };
  const problem = findAssertionProblem(jwt.payload, expected);
  if (problem) return { invalid: problem };
  const keys = await findKeys({ kid, alg });
  if (keys.length === 0) return { invalid: 'the client has no such key' };
  if (!(await verifiesWithOne(jwt, alg, keys))) return { invalid: 'signature does not verify' };
  return { jti: jwt.payload.jti as string, expiresAt: (jwt.payload.exp as number) + tolerance };
}

function findAssertionProblem(
  { iss, sub, aud, exp, nbf, iat, jti }: JsonObject,
  { clientId, audiences, nowSeconds }: AssertionExpectation,
): string | undefined {
  if (iss !== clientId || sub !== clientId) return 'iss or sub is not the client';
  const named: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!named.some((audience) => typeof audience === 'string' && audiences.includes(audience))) return 'aud is another';
  if (!isSeconds(exp)) return 'exp is missing or not a number';
  if (nowSeconds >= exp + tolerance) return 'expired';
  if (exp > nowSeconds + lifetimeMax + tolerance) return 'exp is too far ahead';
  if (nbf !== undefined && (!isSeconds(nbf) || nbf > nowSeconds + tolerance)) return 'not valid yet';
  if (iat !== undefined && (!isSeconds(iat) || iat > nowSeconds + tolerance)) return 'issued in the future';
  return findJtiProblem(jti);
}

export interface ProofExpectation {
  /** The method of the request. */
  method: string;
  /** Its public address; query and fragment don't count. */
  url: string;
  nowSeconds: number;
  /** The access token that is presented with it; absent at the token endpoints. */
  accessToken?: string;
  /** Thumbprint of the required key; absent: any key. A proof with another key is not verified. */
  jkt?: string;
}

interface DpopProof {
  /** Thumbprint of the key (RFC 7638): what a bound token has in `cnf.jkt`. */
  jkt: string;
  /** Identifies the proof, which is valid once. */
  jti: string;
  /** When the proof expires, in seconds since the epoch: until then its `jti` has to be remembered. */
  expiresAt: number;
  nonce: string | undefined;
}

/** Maximum age of a proof, and how far ahead a device's clock may be; in seconds. */
const ageMax = 60;

/** The proof, or why it is invalid, for the log. */
export async function verifyDpopProof(
  proof: string,
  expected: ProofExpectation,
): Promise<DpopProof | { invalid: string; isOfAnotherKey?: true }> {
  const jwt = parseJwt(proof, clientJwtLengthMax);
  if ('malformed' in jwt) return { invalid: jwt.malformed };
  const { header, payload } = jwt;
  const problem = findHeaderProblem(header) ?? findProofProblem(payload, expected);
  if (problem) return { invalid: problem };
  const jwk = header.jwk as JsonObject;
  const alg = header.alg as string;
  const key = openPublishedKey(jwk);
  if (!key.fits(alg))
    return { invalid: 'jwk does not fit alg, or is an RSA key of an unsupported size: its signature is not verified' };
  const jkt = await calculateJwkThumbprint(jwk as JWK, 'sha256').catch(() => undefined);
  if (jkt === undefined) return { invalid: 'jwk is incomplete' };
  if (expected.jkt !== undefined && jkt !== expected.jkt)
    return { invalid: 'the proof was made with another key', isOfAnotherKey: true };
  if (!(await verifiesWithOne(jwt, alg, [key]))) return { invalid: 'signature does not verify' };
  return {
    jkt,
    jti: payload.jti as string,
    expiresAt: (payload.iat as number) + ageMax,
    nonce: typeof payload.nonce === 'string' ? payload.nonce : undefined,
  };
}

function findHeaderProblem({ typ, alg, jwk }: JsonObject): string | undefined {
  if (typ !== 'dpop+jwt') return 'typ is not dpop+jwt';
  if (!isClientAlgorithm(alg)) return 'alg is not accepted';
  if (!isJsonObject(jwk)) return 'jwk is missing';
  if (holdsPrivateKey(jwk)) return 'jwk contains a private key';
  return undefined;
}

function findProofProblem(
  { jti, htm, htu, iat, ath }: JsonObject,
  { method, url, nowSeconds, accessToken }: ProofExpectation,
): string | undefined {
  const jtiProblem = findJtiProblem(jti);
  if (jtiProblem) return jtiProblem;
  if (htm !== method) return 'htm is not the method of the request';
  if (typeof htu !== 'string' || resourceOf(htu) !== resourceOf(url)) return 'htu is not the address of the request';
  if (!isSeconds(iat)) return 'iat is missing or not a number';
  if (iat - nowSeconds > ageMax) return 'issued in the future';
  if (nowSeconds - iat > ageMax) return 'issued too long ago';
  const hash = accessToken === undefined ? undefined : createHash('sha256').update(accessToken).digest('base64url');
  if (hash !== undefined && ath !== hash) return 'ath belongs to another access token';
  return undefined;
}

/** Returns an address without query and fragment, normalized (RFC 3986 §6.2.2, §6.2.3); undefined for other text. */
const resourceOf = (address: string): string | undefined => {
  const url = URL.parse(address);
  return url ? `${url.origin}${normalizeEncoding(url.pathname)}` : undefined;
};

/** An encoded letter equals the plain one, and the case of hexadecimal digits doesn't matter (RFC 3986 §6.2.2.1, §6.2.2.2). */
const normalizeEncoding = (path: string): string =>
  path.replace(/%[\da-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
  });

/** The keys of a client's record; at most one of the two is set. */
interface ClientKeySource {
  jwks: string | null;
  jwksUri: string | null;
}

export type ClientKeys = ReturnType<typeof openClientKeys>;

interface ClientKeysOptions {
  /** Receives events of key fetches; never a key. */
  log(details: object, message: string): void;
  network?: ProviderNetwork;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

const sourcesMax = 1_000;
const timeoutMs = 5_000;

/**
 * Opens the public keys of clients: stored in their records, or fetched from the address in a record, like identity providers' keys.
 * The caches are keyed by the record's content, so a changed record has its new keys at once.
 */
export function openClientKeys({ log, network, now = Date.now }: ClientKeysOptions) {
  const stored = new LRUCache<string, ProviderKeys>({
    max: sourcesMax,
    memoMethod: (jwks) => openStaticKeys(keysOf(jwks).map(openPublishedKey), 'client'),
  });
  const fetched = new LRUCache<string, ProviderKeys>({
    max: sourcesMax,
    memoMethod(jwksUri) {
      // an administrator wrote the address: it leads inside only where the operator named its host
      const fetch = openProviderFetch(jwksUri, { ...network, isLocalByName: false });
      return openProviderKeys({ issuer: shownAddress(jwksUri), owner: 'client', jwksUri, fetch, timeoutMs, log, now });
    },
  });
  const keysIn = ({ jwks, jwksUri }: ClientKeySource): ProviderKeys | undefined =>
    jwks !== null ? stored.memo(jwks) : jwksUri === null ? undefined : fetched.memo(jwksUri);
  return {
    /**
     * Returns the keys that fit. Throws IdentityProviderUnavailable when they can't be fetched.
     * @param isStale whether the known keys did not verify the signature: those of an address are fetched again, within a rate limit
     */
    async findKeys(source: ClientKeySource, query: KeyQuery, isStale = false): Promise<PublishedKey[]> {
      const keys = keysIn(source);
      return (await (isStale ? keys?.refetchKeys(query) : keys?.findKeys(query))) ?? [];
    },
    /** Why a known key that the query could mean is not used, for the log; undefined if there is none. */
    findMisfit: async (source: ClientKeySource, query: KeyQuery) => keysIn(source)?.findMisfit(query),
  };
}

export const keysOf = (jwks: string): JsonObject[] => (JSON.parse(jwks) as { keys: JsonObject[] }).keys;

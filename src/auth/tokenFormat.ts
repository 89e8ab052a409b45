/** Defines the access token and the renewal token of this service, signs them and verifies them. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../jsonObject.js';
import {
  encodeJson,
  isSeconds,
  isSignedWith,
  type JwsAlgorithm,
  parseJwt,
  readPayload,
  signWithHeader,
  verifySignature,
} from './jwt.js';
import type { KeyRing, RenewalKey } from './keyRing.js';

/** The types of claims. `id` names a record; `seconds` are since 1970; a single audience may be a string (RFC 7519 §4.1.3). */
interface ClaimTypes {
  text: string;
  id: string;
  texts: string[];
  audience: string | string[];
  seconds: number;
  confirmation: { jkt: string };
}

/**
 * The claims of an access token. The authorization service's spec requires some; the others are RFC 9068 §2.2 and the session.
 * Verification, GraphQL and OpenAPI use this list.
 */
export const accessTokenClaims = {
  iss: { type: 'text', required: true, doc: 'Issuer.' },
  sub: { type: 'id', required: true, doc: 'Guid of the user.' },
  aud: { type: 'audience', required: true, doc: 'Audiences.' },
  profileId: { type: 'id', required: true, doc: 'The profile.' },
  roleId: { type: 'id', required: true, doc: 'Role of the user in the profile.' },
  scopes: { type: 'texts', required: true, doc: 'The scopes, sorted.' },
  exp: { type: 'seconds', required: true, doc: 'Expiry, in seconds since 1970.' },
  iat: { type: 'seconds', required: true, doc: 'Issue time, in seconds since 1970.' },
  scope: {
    type: 'text',
    required: false,
    doc: 'The scopes as text (RFC 9068 §2.2.3), if fewer than all were requested.',
  },
  client_id: { type: 'text', required: false, doc: 'Client that it was issued to.' },
  jti: { type: 'text', required: false, doc: 'Id of the token.' },
  cnf: { type: 'confirmation', required: false, doc: 'Thumbprint `jkt` of the key that it is bound to (RFC 9449).' },
  sid: { type: 'text', required: false, doc: 'The session: when it is revoked, the token is no longer valid.' },
} as const satisfies Record<string, { type: keyof ClaimTypes; required: boolean; doc: string }>;

type Claims = typeof accessTokenClaims;
type ClaimsWhere<Required extends boolean> = {
  [name in keyof Claims as Claims[name]['required'] extends Required ? name : never]: ClaimTypes[Claims[name]['type']];
};
export type AccessTokenClaims = ClaimsWhere<true> & Partial<ClaimsWhere<false>>;

/** The claims of a renewal token, from the authorization service's spec; `jti` is `<record's uuid>.<generation>`. Times are ISO 8601. */
export interface RenewalTokenClaims {
  iss: string;
  sub: string;
  created_at: string;
  expires_at: string;
  jti: string;
}

export interface VerifiedToken {
  /** The key that signed it. */
  kid: string;
  /** Frozen: shared by all requests with the token. */
  claims: Readonly<AccessTokenClaims>;
  /** The claims as they stand in the token. */
  claimsJson: string;
}

/** The reason of a refusal is for the log. */
export type TokenVerdict = VerifiedToken | { invalid: string };

export type VerifiedTokens = ReturnType<typeof openVerifiedTokens>;

/**
 * Opens a cache of verified access tokens: an API sends the same token many times in its hour. Tokens are kept as SHA-256, so that
 * a memory dump reveals none. Whether the key is still accepted and the token has not expired is checked at each use.
 * @param charactersMax total length of all cached tokens; the least recently used ones are dropped first
 */
export function openVerifiedTokens(charactersMax = 8_000_000) {
  const verifiedTokens = new LRUCache<string, VerifiedToken>({ maxSize: charactersMax });

  return {
    /** Returns the cached result, or that of `verify`; refusals are not cached. */
    verifyOnce(token: string, verify: () => TokenVerdict): TokenVerdict {
      const name = hash('sha256', token, 'base64');
      const checked = verifiedTokens.get(name);
      if (checked) return checked;
      const verified = verify();
      if ('invalid' in verified) return verified;
      for (const value of Object.values(verified.claims)) Object.freeze(value);
      Object.freeze(verified.claims);
      verifiedTokens.set(name, verified, { size: token.length });
      return verified;
    },
  };
}

interface AccessTokenExpectation {
  issuer: string;
  /** One of them must be in `aud`. */
  audiences: readonly string[];
  nowSeconds: number;
}

/** The reason of a refusal when the ring lacks the token's key. */
export const unknownKid = 'kid is unknown';

const renewalTyp = 'rt+jwt';
/** Equals the limit of a validation's body. A profile with a thousand long scopes gets a token of 60,000 characters. */
const accessLengthMax = 65_536;
const renewalLengthMax = 512; // Limits: "Token column length"

/** `auto`: at+jwt for tokens of the hardened policy, which have the claims that RFC 9068 §2.2 requires and `sid`; JWT for all others. */
type AccessTokenTyp = 'auto' | 'at+jwt' | 'JWT';

/** Signs an access token with the ring's signing key. */
export function signAccessToken(ring: KeyRing, claims: AccessTokenClaims, typ: AccessTokenTyp): string {
  const { kid, alg, privateKey } = ring.signing;
  const header = headerOf(alg, typ === 'auto' ? typOf(claims) : typ, kid);
  return signWithHeader(header, claims, { alg, privateKey });
}

const headers = new Map<string, string>();

/** The encoded header. The cache has at most two entries per key. */
function headerOf(alg: JwsAlgorithm, typ: string, kid: string): string {
  const name = `${typ} ${kid}`;
  const header = headers.get(name) ?? encodeJson({ alg, typ, kid });
  headers.set(name, header);
  return header;
}

const typOf = ({ client_id, jti, sid }: AccessTokenClaims) =>
  client_id === undefined || jti === undefined || sid === undefined ? 'JWT' : 'at+jwt';

/**
 * Checks signature, issuer, audience, lifetime (without tolerance) and claim types. The reason of a refusal is for the log.
 * The signature of a cached token isn't checked again.
 */
export function verifyAccessToken(
  ring: KeyRing,
  token: string,
  expected: AccessTokenExpectation,
  verified?: VerifiedTokens,
): TokenVerdict {
  const open = () => openAccessToken(ring, token);
  const opened = verified ? verified.verifyOnce(token, open) : open();
  if ('invalid' in opened) return opened;
  if (!ring.findVerificationKey(opened.kid)) return { invalid: unknownKid };
  const problem = findMismatch(opened.claims, expected);
  return problem ? { invalid: problem } : opened;
}

/** Verifies the signature and reads the claims of an access token. */
function openAccessToken(ring: KeyRing, token: string): TokenVerdict {
  const jwt = parseJwt(token, accessLengthMax);
  if ('malformed' in jwt) return { invalid: jwt.malformed };
  if (!isAccessTokenTyp(jwt.header.typ)) return { invalid: 'typ is not that of an access token' };
  const key = ring.findVerificationKey(jwt.header.kid);
  if (!key) return { invalid: typeof jwt.header.kid === 'string' ? unknownKid : 'kid is missing' };
  if (!verifySignature(jwt, key.alg, key.publicKey)) return { invalid: 'signature does not verify' };
  if (!hasAccessTokenClaims(jwt.payload)) return { invalid: 'a claim is missing or of the wrong type' };
  return { kid: key.kid, claims: jwt.payload, claimsJson: jwt.payloadJson };
}

/** Signs a renewal token: at most 512 characters for an issuer of 80; the same values and key give the same bytes. */
export const signRenewalToken = (ring: KeyRing, claims: RenewalTokenClaims): string =>
  signRenewalTokenWith(ring.renewal, claims);

/** The token with these claims and this hash, signed with any accepted key; undefined if there is none. */
export function findRenewalToken(ring: KeyRing, claims: RenewalTokenClaims, hash: Buffer): string | undefined {
  return ring
    .renewalKeys()
    .map((key) => signRenewalTokenWith(key, claims))
    .find((token) => renewalTokenHash(token).equals(hash));
}

function signRenewalTokenWith({ kid, secret }: RenewalKey, claims: RenewalTokenClaims): string {
  const { iss, sub, created_at, expires_at, jti } = claims;
  const payload = { iss, sub, created_at, expires_at, jti };
  return signWithHeader(renewalHeaderOf(kid), payload, { alg: 'HS256', privateKey: secret });
}

const renewalHeaderOf = (kid: string): string => headerOf('HS256', renewalTyp, kid);

/** The claims of a renewal token that this service made; it may be expired, revoked or of an older generation. */
export function openRenewalToken(ring: KeyRing, token: string): RenewalTokenClaims | undefined {
  const key = findRenewalKey(ring, token);
  return key && isSignedWith(token, key.secret) ? readRenewalClaims(token) : undefined;
}

/**
 * The claims of a token with the header of one of our keys, unverified. Use it only where the record must have the token's hash
 * anyway: then the signature proves nothing more, and would cost more than reading the rest of the token.
 */
export const readUnproven = (ring: KeyRing, token: string): RenewalTokenClaims | undefined =>
  findRenewalKey(ring, token) && readRenewalClaims(token);

const findRenewalKey = (ring: KeyRing, token: string): RenewalKey | undefined =>
  token.length > renewalLengthMax
    ? undefined
    : ring.renewalKeys().find(({ kid }) => token.startsWith(`${renewalHeaderOf(kid)}.`));

function readRenewalClaims(token: string): RenewalTokenClaims | undefined {
  const claims = readPayload(token);
  if (!claims) return undefined;
  const { iss, sub, created_at, expires_at, jti } = claims;
  const isComplete = [iss, sub, created_at, expires_at, jti].every(isText);
  return isComplete ? (claims as unknown as RenewalTokenClaims) : undefined;
}

/** Whether the token claims to be a renewal token with a key that the ring lacks. */
export function lacksRenewalKey(ring: KeyRing, token: string): boolean {
  const jwt = parseJwt(token, renewalLengthMax);
  if ('malformed' in jwt || jwt.header.typ !== renewalTyp || typeof jwt.header.kid !== 'string') return false;
  return !ring.findRenewalSecret(jwt.header.kid);
}

/** The `jti` of a token that claims to be a renewal token of ours, unverified. */
export function findClaimedJti(token: string): string | undefined {
  const jwt = parseJwt(token, renewalLengthMax);
  if ('malformed' in jwt || jwt.header.typ !== renewalTyp) return undefined;
  return typeof jwt.payload.jti === 'string' ? jwt.payload.jti : undefined;
}

/** The hash that is stored instead of a renewal token: SHA-256, 32 bytes. */
export function renewalTokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

// RFC 9068 §2.1, RFC 7515 §4.1.9: compared without case, `application/` may be left out.
function isAccessTokenTyp(typ: unknown): boolean {
  return typeof typ === 'string' && /^(?:application\/)?(?:at\+jwt|jwt)$/i.test(typ);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const fits: { [type in keyof ClaimTypes]: (value: unknown) => boolean } = {
  text: isText,
  id: isText,
  texts: isTexts,
  audience: (value) => isText(value) || isTexts(value),
  seconds: isSeconds,
  confirmation: (value) => isText((value as { jkt?: unknown } | null)?.jkt),
};

function hasAccessTokenClaims(payload: JsonObject): payload is JsonObject & AccessTokenClaims {
  return Object.entries(accessTokenClaims).every(([name, { type, required }]) =>
    payload[name] === undefined ? !required : fits[type](payload[name]),
  );
}

function findMismatch(claims: Readonly<AccessTokenClaims>, expected: AccessTokenExpectation): string | undefined {
  if (claims.iss !== expected.issuer) return 'issuer is another';
  const audiences = typeof claims.aud === 'string' ? [claims.aud] : claims.aud;
  if (!audiences.some((audience) => expected.audiences.includes(audience))) return 'audience is another';
  if (claims.exp <= expected.nowSeconds) return 'expired';
  return undefined;
}

/**
 * The form of the two tokens this service makes: what stands in their headers, how they are signed, and what makes one
 * genuine. Which values the claims have is the services' matter.
 */
import { createHash } from 'node:crypto';
import { type JsonObject, parseJwt, signJwt, verifySignature } from './jwt.js';
import type { KeyRing } from './keyRing.js';
import type { VerifiedToken, VerifiedTokens } from './verifiedTokens.js';

/** "Access token" of the authorization service's spec; the optional ones are RFC 9068 §2.2 and the hardened policy. */
export interface AccessTokenClaims {
  iss: string;
  sub: string;
  aud: string | string[];
  profileId: string;
  roleId: string;
  scopes: string[];
  /** Seconds since the epoch. */
  exp: number;
  iat: number;
  jti?: string;
  client_id?: string;
  sid?: string;
}

/** "Renewal token" of the authorization service's spec; `jti` is `<record's uuid>.<generation>`. Times are ISO 8601. */
export interface RenewalTokenClaims {
  iss: string;
  sub: string;
  created_at: string;
  expires_at: string;
  jti: string;
}

export interface AccessTokenExpectation {
  issuer: string;
  /** One of them must be in `aud`. */
  audiences: readonly string[];
  nowSeconds: number;
}

/** Why a token is refused whose key the ring lacks. */
export const unknownKid = 'kid is unknown';

const RENEWAL_TYP = 'rt+jwt';
const RENEWAL_LENGTH_MAX = 512; // Limits: "Token column length"
const REQUIRED_STRINGS = ['iss', 'sub', 'profileId', 'roleId'] as const;
const OPTIONAL_STRINGS = ['jti', 'client_id', 'sid'] as const;

/** Signs an access token with the ring's signing key. @param typ `at+jwt` (RFC 9068 §2.1) or `JWT` */
export function signAccessToken(ring: KeyRing, claims: AccessTokenClaims, typ: 'at+jwt' | 'JWT'): string {
  const { kid, alg, privateKey } = ring.signing;
  return signJwt({ alg, typ, kid }, { ...claims }, { alg, privateKey });
}

/**
 * Signature, issuer, audience, lifetime (without tolerance) and claim types; the reason of a refusal is for the log.
 * The signature of a token that was verified before isn't checked again.
 */
export function verifyAccessToken(
  ring: KeyRing,
  token: string,
  expected: AccessTokenExpectation,
  verified?: VerifiedTokens,
): { claims: Readonly<AccessTokenClaims> } | { invalid: string } {
  const known = verified?.recall(token);
  const opened = known ?? openAccessToken(ring, token);
  if ('invalid' in opened) return opened;
  if (!ring.findVerificationKey(opened.kid)) return { invalid: unknownKid };
  if (!known) verified?.remember(token, opened);
  const problem = findMismatch(opened.claims, expected);
  return problem ? { invalid: problem } : { claims: opened.claims };
}

/** What a genuine access token of ours says. */
function openAccessToken(ring: KeyRing, token: string): VerifiedToken | { invalid: string } {
  const jwt = parseJwt(token);
  if ('malformed' in jwt) return { invalid: jwt.malformed };
  if (!isAccessTokenTyp(jwt.header.typ)) return { invalid: 'typ is not that of an access token' };
  const key = ring.findVerificationKey(jwt.header.kid);
  if (!key) return { invalid: typeof jwt.header.kid === 'string' ? unknownKid : 'kid is missing' };
  if (!verifySignature(jwt, key.alg, key.publicKey)) return { invalid: 'signature does not verify' };
  if (!hasAccessTokenClaims(jwt.payload)) return { invalid: 'a claim is missing or of the wrong type' };
  return { kid: key.kid, claims: jwt.payload };
}

/** At most 512 characters for an issuer of 80; the same values and key give the same bytes. */
export function signRenewalToken(ring: KeyRing, claims: RenewalTokenClaims): string {
  const { iss, sub, created_at, expires_at, jti } = claims;
  const header = { alg: 'HS256', typ: RENEWAL_TYP, kid: ring.renewal.kid };
  const key = { alg: 'HS256', privateKey: ring.renewal.secret } as const;
  return signJwt(header, { iss, sub, created_at, expires_at, jti }, key);
}

/** The claims of a renewal token that this service made; it may be expired, revoked or of an older generation. */
export function openRenewalToken(ring: KeyRing, token: string): RenewalTokenClaims | undefined {
  const jwt = parseJwt(token, RENEWAL_LENGTH_MAX);
  if ('malformed' in jwt || jwt.header.typ !== RENEWAL_TYP) return undefined;
  const secret = ring.findRenewalSecret(jwt.header.kid);
  if (!secret || !verifySignature(jwt, 'HS256', secret)) return undefined;
  const claims = jwt.payload;
  const { iss, sub, created_at, expires_at, jti } = claims;
  const isComplete = [iss, sub, created_at, expires_at, jti].every((value) => typeof value === 'string');
  return isComplete ? (claims as unknown as RenewalTokenClaims) : undefined;
}

/** Whether the token says that it is a renewal token of a key that the ring doesn't have. */
export function lacksRenewalKey(ring: KeyRing, token: string): boolean {
  const jwt = parseJwt(token, RENEWAL_LENGTH_MAX);
  if ('malformed' in jwt || jwt.header.typ !== RENEWAL_TYP || typeof jwt.header.kid !== 'string') return false;
  return !ring.findRenewalSecret(jwt.header.kid);
}

/** What is stored in place of a renewal token: SHA-256, 32 bytes. */
export function renewalTokenHash(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

// RFC 9068 §2.1, RFC 7515 §4.1.9: compared without case, `application/` may be left out.
function isAccessTokenTyp(typ: unknown): boolean {
  return typeof typ === 'string' && /^(?:application\/)?(?:at\+jwt|jwt)$/i.test(typ);
}

function hasAccessTokenClaims(payload: JsonObject): payload is JsonObject & AccessTokenClaims {
  const { aud, scopes, exp, iat } = payload;
  return (
    REQUIRED_STRINGS.every((name) => typeof payload[name] === 'string') &&
    OPTIONAL_STRINGS.every((name) => payload[name] === undefined || typeof payload[name] === 'string') &&
    (typeof aud === 'string' || isStringArray(aud)) &&
    isStringArray(scopes) &&
    Number.isFinite(exp) &&
    Number.isFinite(iat)
  );
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function findMismatch(claims: Readonly<AccessTokenClaims>, expected: AccessTokenExpectation): string | undefined {
  if (claims.iss !== expected.issuer) return 'issuer is another';
  const audiences = typeof claims.aud === 'string' ? [claims.aud] : claims.aud;
  if (!audiences.some((audience) => expected.audiences.includes(audience))) return 'audience is another';
  if (claims.exp <= expected.nowSeconds) return 'expired';
  return undefined;
}

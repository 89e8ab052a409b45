/** The access token and the renewal token of this service: claims, signatures, verification. */
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

/** What the two tokens of this service say. */

/** How the values of claims are typed. `id` names a record; `seconds` are since 1970; RFC 7519 §4.1.3 has one audience as a string. */
interface ClaimTypes {
  text: string;
  id: string;
  texts: string[];
  audience: string | string[];
  seconds: number;
  confirmation: { jkt: string };
}

/**
 * The claims of an access token. Required are those of the authorization service's spec; the others are RFC 9068 §2.2
 * and the session. Verification, GraphQL and OpenAPI read them here.
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
  scope: { type: 'text', required: false, doc: 'The same as a text (RFC 9068 §2.2.3), where fewer were asked for.' },
  client_id: { type: 'text', required: false, doc: 'Client that it was issued to.' },
  jti: { type: 'text', required: false, doc: 'Id of the token.' },
  cnf: { type: 'confirmation', required: false, doc: 'Thumbprint `jkt` of the key that it is bound to (RFC 9449).' },
  sid: { type: 'text', required: false, doc: 'The session: a token is no good any more when it is revoked.' },
} as const satisfies Record<string, { type: keyof ClaimTypes; required: boolean; doc: string }>;

type Claims = typeof accessTokenClaims;
type ClaimsWhere<Required extends boolean> = {
  [name in keyof Claims as Claims[name]['required'] extends Required ? name : never]: ClaimTypes[Claims[name]['type']];
};
export type AccessTokenClaims = ClaimsWhere<true> & Partial<ClaimsWhere<false>>;

/** "Renewal token" of the authorization service's spec; `jti` is `<record's uuid>.<generation>`. Times are ISO 8601. */
export interface RenewalTokenClaims {
  iss: string;
  sub: string;
  created_at: string;
  expires_at: string;
  jti: string;
}

/**
 * Access tokens whose signature was checked before: an API shows the same token many times in its hour. Held by SHA-256,
 * so a memory dump tells no token. Whether the key still is one of ours and the token alive is judged at each use.
 */

interface VerifiedToken {
  /** The key that signed it. */
  kid: string;
  /** Not to be changed: the same for all who show the token. */
  claims: Readonly<AccessTokenClaims>;
  /** The claims as they stand in the token. */
  claimsJson: string;
}

/** Why it is refused is for the log. */
export type TokenVerdict = VerifiedToken | { invalid: string };

export interface VerifiedTokens {
  /** What the token says, by what was verified before or else by `verify`; what that refuses is not remembered. */
  verifyOnce(token: string, verify: () => TokenVerdict): TokenVerdict;
}

/** @param charactersMax length of all tokens that are remembered, together; those unused for longest go first */
export function openVerifiedTokens(charactersMax = 8_000_000): VerifiedTokens {
  const known = new LRUCache<string, VerifiedToken>({ maxSize: charactersMax });

  return {
    verifyOnce(token, verify) {
      const name = hash('sha256', token, 'base64');
      const found = known.get(name);
      if (found) return found;
      const verified = verify();
      if ('invalid' in verified) return verified;
      for (const value of Object.values(verified.claims)) Object.freeze(value);
      Object.freeze(verified.claims);
      known.set(name, verified, { size: token.length });
      return verified;
    },
  };
}

/**
 * The form of the two tokens this service makes: what stands in their headers, how they are signed, and what makes one
 * genuine. Which values the claims have is the services' matter.
 */

interface AccessTokenExpectation {
  issuer: string;
  /** One of them must be in `aud`. */
  audiences: readonly string[];
  nowSeconds: number;
}

/** Why a token is refused whose key the ring lacks. */
export const unknownKid = 'kid is unknown';

const renewalTyp = 'rt+jwt';
/** What a body holds that asks whether it is valid; a profile of a thousand long scopes gets one of 60,000 characters. */
const accessLengthMax = 65_536;
const renewalLengthMax = 512; // Limits: "Token column length"

/** `auto`: at+jwt promises the claims that RFC 9068 §2.2 requires, so only tokens that have them are called so. */
type AccessTokenTyp = 'auto' | 'at+jwt' | 'JWT';

/** Signs an access token with the ring's signing key. */
export function signAccessToken(ring: KeyRing, claims: AccessTokenClaims, typ: AccessTokenTyp): string {
  const { kid, alg, privateKey } = ring.signing;
  const header = headerOf(alg, typ === 'auto' ? typOf(claims) : typ, kid);
  return signWithHeader(header, claims, { alg, privateKey });
}

const headers = new Map<string, string>();

/** As it stands in tokens; there are as many as keys, by two. */
function headerOf(alg: JwsAlgorithm, typ: string, kid: string): string {
  const name = `${typ} ${kid}`;
  const known = headers.get(name) ?? encodeJson({ alg, typ, kid });
  headers.set(name, known);
  return known;
}

const typOf = ({ client_id, jti }: AccessTokenClaims) =>
  client_id === undefined || jti === undefined ? 'JWT' : 'at+jwt';

/**
 * Signature, issuer, audience, lifetime (without tolerance) and claim types; the reason of a refusal is for the log.
 * The signature of a token that was verified before isn't checked again.
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

/** What a genuine access token of ours says. */
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

/** At most 512 characters for an issuer of 80; the same values and key give the same bytes. */
export function signRenewalToken(ring: KeyRing, claims: RenewalTokenClaims): string {
  return signRenewalTokenWith(ring.renewal, claims);
}

/** The token of these claims that has the hash, by whichever accepted key it was signed; undefined where there is none. */
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
 * What a token claims whose header is that of one of our keys. Nothing vouches for it but a record that has the token's hash:
 * where that is asked for anyway, the signature says nothing more, and costs more than all else that is read of the token.
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

/** Whether the token says that it is a renewal token of a key that the ring doesn't have. */
export function lacksRenewalKey(ring: KeyRing, token: string): boolean {
  const jwt = parseJwt(token, renewalLengthMax);
  if ('malformed' in jwt || jwt.header.typ !== renewalTyp || typeof jwt.header.kid !== 'string') return false;
  return !ring.findRenewalSecret(jwt.header.kid);
}

/** The `jti` of what says that it is a renewal token of ours, whoever made it. */
export function findClaimedJti(token: string): string | undefined {
  const jwt = parseJwt(token, renewalLengthMax);
  if ('malformed' in jwt || jwt.header.typ !== renewalTyp) return undefined;
  return typeof jwt.payload.jti === 'string' ? jwt.payload.jti : undefined;
}

/** What is stored in place of a renewal token: SHA-256, 32 bytes. */
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

/**
 * Compact JWS (RFC 7515) with node:crypto: signs and verifies this service's own tokens, and parses any token strictly. Nothing
 * here reads claims.
 */
import { isUtf8 } from 'node:buffer';
import {
  constants,
  createHmac,
  sign as cryptoSign,
  verify as cryptoVerify,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { isJsonObject, type JsonObject } from '../jsonObject.js';

/**
 * The two encodings of a P-256 signature: r and s of 32 bytes each in JWS (RFC 7518 §3.4), and DER (RFC 3279 §2.2.3) in OpenSSL.
 * If node:crypto converts, a signature takes twice as long and a verification 1.7 times.
 */
const half = 32;
const sequenceTag = 0x30;
const integerTag = 0x02;

/** Converts the 64 bytes of r and s to DER. */
export function toDer(signature: Buffer): Buffer {
  const r = toInteger(signature.subarray(0, half));
  const s = toInteger(signature.subarray(half));
  return Buffer.concat([Buffer.of(sequenceTag, r.length + s.length), r, s]);
}

/** Converts a signature of OpenSSL to the 64 bytes of r and s. */
export function fromDer(der: Buffer): Buffer {
  const signature = Buffer.alloc(2 * half);
  const rLength = der[3]!;
  writeHalf(signature, 0, der.subarray(4, 4 + rLength));
  writeHalf(signature, half, der.subarray(6 + rLength));
  return signature;
}

/** The shortest two's complement: no leading zeros except the one that keeps it positive. */
function toInteger(bytes: Buffer): Buffer {
  let start = 0;
  while (start < half - 1 && bytes[start] === 0) start++;
  const isNegative = bytes[start]! >= 0x80;
  const head = isNegative ? [integerTag, half - start + 1, 0] : [integerTag, half - start];
  return Buffer.concat([Buffer.from(head), bytes.subarray(start)]);
}

function writeHalf(signature: Buffer, offset: number, integer: Buffer): void {
  const digits = integer.subarray(Math.max(0, integer.length - half));
  digits.copy(signature, offset + half - digits.length);
}

/** The algorithms of access tokens, as `SIGNING_ALG` takes them (RFC 7518 §3.1, RFC 8037 §3.1). */
export type SigningAlgorithm = 'ES256' | 'RS256' | 'PS256' | 'EdDSA';
export type JwsAlgorithm = SigningAlgorithm | 'HS256';
interface JwsKey {
  alg: JwsAlgorithm;
  /** For HS256 the secret. A KeyObject costs an eighth of bytes, which would be converted at each use. */
  privateKey: KeyObject;
}
/** Whether a claim is a NumericDate (RFC 7519 §2). */
export const isSeconds = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** A well-formed token; its signature is not yet verified. */
export interface ParsedJwt {
  header: JsonObject;
  payload: JsonObject;
  /** The payload as it stands in the token. */
  payloadJson: string;
  signature: Buffer;
  /** What the signature covers: the first two parts with their dot. */
  signingInput: string;
}

/** The parts that a verification needs. */
export type SignedParts = Pick<ParsedJwt, 'header' | 'signature' | 'signingInput'>;

interface Signer {
  keyType: string;
  digest: string | null;
  options?: { padding: number; saltLength?: number };
  signatureBytes?: number;
}

const signers: Record<SigningAlgorithm, Signer> = {
  // RFC 7518 §3.4: r and s, 32 bytes each, never DER.
  ES256: { keyType: 'ec', digest: 'sha256', signatureBytes: 64 },
  RS256: { keyType: 'rsa', digest: 'sha256', options: { padding: constants.RSA_PKCS1_PADDING } },
  // RFC 7518 §3.5: the salt is as long as the hash.
  PS256: { keyType: 'rsa', digest: 'sha256', options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } },
  EdDSA: { keyType: 'ed25519', digest: null, signatureBytes: 64 },
};

/** Signs `payload`; the same input gives the same bytes for HS256, RS256, EdDSA. @param header as it stands in tokens; it names the key's algorithm */
export function signWithHeader(header: string, payload: JsonObject, key: JwsKey): string {
  const signingInput = `${header}.${encodeJson(payload)}`;
  return `${signingInput}.${signatureOf(signingInput, key).toString('base64url')}`;
}

/**
 * Splits a compact JWS: three parts, each in the one canonical spelling of base64url, header and payload JSON objects in
 * UTF-8, no `crit`. Otherwise returns the problem as `malformed`, for the log.
 * @param lengthMax in characters
 */
export function parseJwt(token: string, lengthMax = 16_384): ParsedJwt | { malformed: string } {
  if (token.length > lengthMax) return { malformed: `longer than ${lengthMax} characters` };
  const parts = token.split('.');
  if (parts.length !== 3) return { malformed: `${parts.length} parts instead of three` };
  const [headerBytes, payloadBytes, signature] = parts.map(decodeCanonical);
  if (!headerBytes || !payloadBytes || !signature) return { malformed: 'a part is not canonical base64url' };
  const payloadJson = textOf(payloadBytes);
  const header = findJsonObject(textOf(headerBytes));
  const payload = findJsonObject(payloadJson);
  if (!header || !payload) return { malformed: 'header or payload is not a JSON object in UTF-8' };
  // RFC 7515 §4.1.11: an extension that isn't understood refuses the token, and none is understood here.
  if (Object.hasOwn(header, 'crit')) return { malformed: 'header requires an extension (crit)' };
  return { header, payload, payloadJson, signature, signingInput: `${parts[0]}.${parts[1]}` };
}

/** Whether the signature is valid under `alg`, the key's own algorithm; a header that names another is refused. */
export function verifySignature(jwt: SignedParts, alg: SigningAlgorithm, key: KeyObject): boolean {
  if (jwt.header.alg !== alg) return false;
  const { keyType, digest, options, signatureBytes } = signers[alg];
  if (key.asymmetricKeyType !== keyType) return false;
  if (signatureBytes !== undefined && jwt.signature.length !== signatureBytes) return false;
  const signature = alg === 'ES256' ? toDer(jwt.signature) : jwt.signature;
  return cryptoVerify(digest, Buffer.from(jwt.signingInput, 'latin1'), options ? { key, ...options } : key, signature);
}

/**
 * Whether the token was signed with the secret (HS256). Its form needs no check: only a token that was signed here has this
 * signature, and only in this spelling.
 */
export function isSignedWith(token: string, secret: KeyObject): boolean {
  const end = token.lastIndexOf('.');
  const expected = Buffer.from(hmac(token.slice(0, end), secret).toString('base64url'));
  const signature = Buffer.from(token.slice(end + 1));
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

/** The payload, without any check of form or signature; undefined if it is no JSON object. */
export const readPayload = (token: string): JsonObject | undefined =>
  findJsonObject(textOf(Buffer.from(token.slice(token.indexOf('.') + 1, token.lastIndexOf('.')), 'base64url')));

function signatureOf(signingInput: string, key: JwsKey): Buffer {
  if (key.alg === 'HS256') return hmac(signingInput, key.privateKey);
  const { digest, options } = signers[key.alg];
  const { privateKey } = key;
  const signature = cryptoSign(
    digest,
    Buffer.from(signingInput, 'latin1'),
    options ? { key: privateKey, ...options } : privateKey,
  );
  return key.alg === 'ES256' ? fromDer(signature) : signature;
}

function hmac(signingInput: string, secret: KeyObject): Buffer {
  return createHmac('sha256', secret).update(signingInput, 'utf8').digest();
}

export function encodeJson(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');
}

// Decoders ignore padding, foreign characters and unused trailing bits; encoding again detects any other spelling.
function decodeCanonical(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}

/** The empty text, which is no JSON, for bytes that aren't UTF-8. */
const textOf = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString('utf8') : '');

function findJsonObject(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

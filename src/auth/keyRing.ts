/** Holds the signing keys of the service, and encrypts them at rest. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { JsonObject } from '../jsonObject.js';
import type { SigningAlgorithm } from './jwt.js';

const format = 1;
const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + keyIdBytes;

/** The private half of a signing key is unusable. The message names the key and the reason, and contains no secret. */
export class SigningKeyUnusable extends Error {
  override readonly name = 'SigningKeyUnusable';
}

/** The owner of a secret, which can be decrypted only with these values. */
interface SealedFor {
  /** Absent: a signing key. */
  kind?: 'event stream';
  kid: string;
  alg: string;
}

/**
 * Encrypts a private half with AES-256-GCM (NIST SP 800-38D). Layout: format (1 byte) · id of the encryption key (8) · nonce (12) ·
 * ciphertext · tag (16). The id lets the encryption key be replaced: each stored key names the one that decrypts it.
 * @param encryptionKey 32 bytes, KEY_ENCRYPTION_KEY
 */
export function sealPrivateHalf(privateHalf: Buffer, owner: SealedFor, encryptionKey: Buffer): Buffer {
  const head = Buffer.concat([Buffer.of(format), encryptionKeyId(encryptionKey)]);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(head, owner));
  return Buffer.concat([head, nonce, cipher.update(privateHalf), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts a private half with the encryption key that it was encrypted with. Throws SigningKeyUnusable. */
function openPrivateHalf(sealed: Buffer, owner: SealedFor, encryptionKeys: readonly Buffer[]): Buffer {
  if (sealed.length < headBytes + nonceBytes + tagBytes || sealed[0] !== format)
    throw new SigningKeyUnusable(`${kindOf(owner)} ${owner.kid} is stored in a form that this version doesn't know`);
  const encryptionKey = encryptionKeys.find((key) => isSealedWith(sealed, key));
  if (!encryptionKey) throw closed(owner, 'it was encrypted with another key');
  try {
    return decrypt(sealed, owner, encryptionKey);
  } catch {
    throw closed(owner, 'its stored bytes, kid or alg were changed');
  }
}

/** Whether it was encrypted with this key; shows which stored keys still use a replaced one. */
export function isSealedWith(sealed: Buffer, encryptionKey: Buffer): boolean {
  return sealed.subarray(1, headBytes).equals(encryptionKeyId(encryptionKey));
}

function decrypt(sealed: Buffer, owner: SealedFor, encryptionKey: Buffer): Buffer {
  const head = sealed.subarray(0, headBytes);
  const nonce = sealed.subarray(headBytes, headBytes + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData(head, owner));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(headBytes + nonceBytes, -tagBytes)), decipher.final()]);
}

function associatedData(head: Buffer, owner: SealedFor): Buffer {
  return Buffer.concat([head, Buffer.from(JSON.stringify([kindOf(owner), owner.kid, owner.alg]), 'utf8')]);
}

function encryptionKeyId(encryptionKey: Buffer): Buffer {
  if (encryptionKey.length !== 32)
    throw new SigningKeyUnusable(`KEY_ENCRYPTION_KEY has ${encryptionKey.length} bytes; it needs exactly 32`);
  return createHmac('sha256', encryptionKey).update('id of this encryption key').digest().subarray(0, keyIdBytes);
}

function closed(owner: SealedFor, why: string): SigningKeyUnusable {
  return new SigningKeyUnusable(`KEY_ENCRYPTION_KEY doesn't open ${kindOf(owner)} ${owner.kid}: ${why}`);
}

const kindOf = ({ kind }: SealedFor): string => kind ?? 'signing key';

const ofStream = (eventStreamGuid: string): SealedFor => ({
  kind: 'event stream',
  kid: eventStreamGuid,
  alg: 'secret',
});

/** Encrypts the secret of an event stream as private keys are encrypted. */
export const sealStreamSecret = (secret: string, eventStreamGuid: string, encryptionKey: Buffer): Buffer =>
  sealPrivateHalf(Buffer.from(secret, 'utf8'), ofStream(eventStreamGuid), encryptionKey);

/** Throws SigningKeyUnusable. */
export const openStreamSecret = (sealed: Buffer, eventStreamGuid: string, encryptionKeys: readonly Buffer[]): string =>
  openPrivateHalf(sealed, ofStream(eventStreamGuid), encryptionKeys).toString('utf8');

/** `events`: a key that signs security event tokens only; before it is activated, it is published. */
export type SigningKeyState = 'next' | 'active' | 'retired' | 'events';

const hourMs = 3_600_000;
/**
 * How long a retired key is accepted: the longest lifetime of tokens that it may have signed, and an hour for requests under way. Access tokens
 * live one hour, those of `gatehouse admin-token` up to eight, and up to a day when earlier versions made them; renewal tokens 30 days.
 */
export const accessKeyKeptMs = 25 * hourMs;
export const renewalKeyKeptMs = (30 * 24 + 1) * hourMs;

/** A stored key. `next` is published already and signs after the rotation; `retired` verifies until its tokens have expired. */
export interface SigningKeyRow {
  /** RFC 7638 thumbprint; random for HS256. */
  kid: string;
  alg: SigningAlgorithm | 'HS256';
  state: SigningKeyState;
  /** The public half as in the JWKS; null for HS256. Only for display: the ring derives its own. */
  publicJwk: JsonObject | null;
  /** PKCS#8 (asymmetric) or the 32 bytes (HS256), encrypted as above. */
  privateCiphertext: Buffer | null;
  createdAt: Date;
  activatedAt: Date | null;
  retiredAt: Date | null;
}

interface VerificationKey {
  kid: string;
  alg: SigningAlgorithm;
  publicKey: KeyObject;
}

export interface RenewalKey {
  kid: string;
  secret: KeyObject;
}

export type KeyRing = ReturnType<typeof openKeyRing>;

interface Accepted {
  kid: string;
  /** Milliseconds since the epoch. */
  acceptedUntil: number;
}

interface OpenKey extends VerificationKey, Accepted {
  isOfEvents: boolean;
  privateKey: KeyObject;
  publicJwk: JsonObject;
}

/** Encrypts the row's private half again with another encryption key. Throws SigningKeyUnusable. */
export function resealSigningKey(row: SigningKeyRow, encryptionKeys: readonly Buffer[], newKey: Buffer): Buffer {
  return sealPrivateHalf(requirePrivateHalf(row, encryptionKeys), row, newKey);
}

/**
 * Opens the keys of this service's own tokens in memory, ready to sign and verify. Access tokens have asymmetric keys, published as
 * JWKS; renewal tokens have HS256 keys that never leave the service. Each key verifies until its tokens have expired, even if the
 * ring itself is old.
 * @param now milliseconds since the epoch
 * Throws SigningKeyUnusable when a row doesn't open, or no key is active for access tokens or for renewal tokens.
 */
export function openKeyRing(
  rows: readonly SigningKeyRow[],
  encryptionKeys: readonly Buffer[],
  now: () => number = Date.now,
) {
  const newestFirst = rows.toSorted((one, other) => rank(other) - rank(one));
  const symmetric = newestFirst.filter((row) => row.alg === 'HS256').map((row) => openSymmetric(row, encryptionKeys));
  const asymmetric = newestFirst.filter((row) => row.alg !== 'HS256').map((row) => openAsymmetric(row, encryptionKeys));
  const secrets = new Map(symmetric.map((key) => [key.kid, key]));
  const publicKeys = new Map(asymmetric.map((key) => [key.kid, key]));
  const signing = requireActive(newestFirst, (row) => row.alg !== 'HS256', 'access tokens');
  const renewal = requireActive(newestFirst, (row) => row.alg === 'HS256', 'renewal tokens');
  const { kid, alg, privateKey } = publicKeys.get(signing.kid)!;
  const ofEvents = newestFirst.find(({ state, activatedAt }) => state === 'events' && activatedAt);
  const accepted = <Key extends Accepted>(key: Key | undefined) => (key && now() < key.acceptedUntil ? key : undefined);
  return {
    /** Signs access tokens. */
    signing: { kid, alg, privateKey },
    /** Signs security event tokens (RS256); undefined before the first stream of that kind. */
    events: ofEvents && publicKeys.get(ofEvents.kid),
    /** Signs renewal tokens. */
    renewal: { kid: renewal.kid, secret: secrets.get(renewal.kid)!.secret } as RenewalKey,
    /** The keys of renewal tokens that are accepted at this moment, the signing one first. */
    renewalKeys: (): RenewalKey[] => symmetric.filter(accepted),
    /** The key of an access token, in any state; undefined for unknown ids, for renewal keys, and for keys that are no longer accepted. */
    findVerificationKey: (id: unknown): VerificationKey | undefined =>
      typeof id === 'string' ? accepted(publicKeys.get(id)) : undefined,
    /** The secret of a renewal token; undefined for unknown ids and for keys of access tokens. */
    findRenewalSecret: (id: unknown): KeyObject | undefined =>
      typeof id === 'string' ? accepted(secrets.get(id))?.secret : undefined,
    /** RFC 7517 §5: exactly the asymmetric keys that are accepted at this moment, the signing one first. */
    jwks: (): { keys: JsonObject[] } => ({ keys: asymmetric.filter(accepted).map((key) => key.publicJwk) }),
    /** The algorithms of the access tokens that are accepted at this moment, the signing one first. */
    algorithms: (): string[] => [
      ...new Set(asymmetric.filter((key) => !key.isOfEvents && accepted(key)).map((key) => key.alg)),
    ],
  };
}

function openSymmetric(row: SigningKeyRow, encryptionKeys: readonly Buffer[]): Accepted & RenewalKey {
  return { ...acceptance(row), secret: createSecretKey(requirePrivateHalf(row, encryptionKeys)) };
}

function acceptance({ kid, alg, retiredAt }: SigningKeyRow): Accepted {
  const keptMs = alg === 'HS256' ? renewalKeyKeptMs : accessKeyKeptMs;
  return { kid, acceptedUntil: retiredAt ? retiredAt.getTime() + keptMs : Number.POSITIVE_INFINITY };
}

// the public half is derived from the encrypted private one, never read from the row, so that write access to the table can't plant a key
function openAsymmetric(row: SigningKeyRow, encryptionKeys: readonly Buffer[]): OpenKey {
  const alg = row.alg as SigningAlgorithm;
  const privateKey = createPrivateKey({ key: requirePrivateHalf(row, encryptionKeys), type: 'pkcs8', format: 'der' });
  return {
    ...acceptance(row),
    isOfEvents: row.state === 'events',
    alg,
    privateKey,
    publicKey: createPublicKey(privateKey),
    publicJwk: publicJwkOf(privateKey, alg),
  };
}

/** Whether one of the encryption keys decrypts the private half of the row. */
export function opensSigningKey(row: SigningKeyRow, encryptionKeys: readonly Buffer[]): boolean {
  try {
    requirePrivateHalf(row, encryptionKeys);
    return true;
  } catch {
    return false;
  }
}

function requirePrivateHalf(row: SigningKeyRow, encryptionKeys: readonly Buffer[]): Buffer {
  if (!row.privateCiphertext) throw new SigningKeyUnusable(`signing key ${row.kid} has no private half`);
  return openPrivateHalf(row.privateCiphertext, row, encryptionKeys);
}

function requireActive(
  rows: SigningKeyRow[],
  isOfKind: (row: SigningKeyRow) => boolean,
  purpose: string,
): SigningKeyRow {
  const active = rows.find((row) => row.state === 'active' && isOfKind(row));
  if (!active) throw new SigningKeyUnusable(`no signing key for ${purpose} is active`);
  return active;
}

// Active keys first, then by age: all processes choose the same one whatever the order of the rows.
function rank(row: SigningKeyRow): number {
  return (row.state === 'active' ? 1e15 : 0) + (row.activatedAt ?? row.createdAt).getTime();
}

export function publicJwkOf(privateKey: KeyObject, alg: SigningAlgorithm): JsonObject {
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' }) as JsonObject;
  return { ...jwk, kid: thumbprint(jwk), alg, use: 'sig' };
}

// RFC 7638 §3: the required members in lexicographic order, RFC 8037 §2 for OKP.
function thumbprint(jwk: JsonObject): string {
  const members =
    jwk.kty === 'RSA' ? ['e', 'kty', 'n'] : jwk.kty === 'EC' ? ['crv', 'kty', 'x', 'y'] : ['crv', 'kty', 'x'];
  const required = JSON.stringify(Object.fromEntries(members.map((member) => [member, jwk[member]])));
  return createHash('sha256').update(required).digest('base64url');
}

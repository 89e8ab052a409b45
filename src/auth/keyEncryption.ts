/**
 * Keeps private halves of signing keys closed in the database: AES-256-GCM (NIST SP 800-38D) under KEY_ENCRYPTION_KEY.
 * Layout: format (1 byte) · id of the encryption key (8) · nonce (12) · ciphertext · tag (16). The id lets the encryption
 * key be replaced: each stored key tells which one opens it.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const format = 1;
const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + keyIdBytes;

/** The private half of a signing key can't be had: the message names the key and says why, and holds no secret. */
export class SigningKeyUnusable extends Error {
  override readonly name = 'SigningKeyUnusable';
}

/** What a private half belongs to; it opens for these values only. */
interface SealedFor {
  kid: string;
  alg: string;
}

/** Closes a private half. @param encryptionKey 32 bytes */
export function sealPrivateHalf(privateHalf: Buffer, owner: SealedFor, encryptionKey: Buffer): Buffer {
  const head = Buffer.concat([Buffer.of(format), encryptionKeyId(encryptionKey)]);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(head, owner));
  return Buffer.concat([head, nonce, cipher.update(privateHalf), cipher.final(), cipher.getAuthTag()]);
}

/** Opens a private half with whichever of the encryption keys closed it. Throws SigningKeyUnusable. */
export function openPrivateHalf(sealed: Buffer, owner: SealedFor, encryptionKeys: readonly Buffer[]): Buffer {
  if (sealed.length < headBytes + nonceBytes + tagBytes || sealed[0] !== format)
    throw new SigningKeyUnusable(`signing key ${owner.kid} is stored in a form that this version doesn't know`);
  const encryptionKey = encryptionKeys.find((key) => isSealedWith(sealed, key));
  if (!encryptionKey) throw closed(owner, 'it was encrypted with another key');
  try {
    return decrypt(sealed, owner, encryptionKey);
  } catch {
    throw closed(owner, 'its stored bytes, kid or alg were changed');
  }
}

/** Whether this encryption key closed it; tells which stored keys still wait for a replaced encryption key. */
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
  return Buffer.concat([head, Buffer.from(JSON.stringify(['signing key', owner.kid, owner.alg]), 'utf8')]);
}

function encryptionKeyId(encryptionKey: Buffer): Buffer {
  if (encryptionKey.length !== 32)
    throw new SigningKeyUnusable(`KEY_ENCRYPTION_KEY has ${encryptionKey.length} bytes; it needs exactly 32`);
  return createHmac('sha256', encryptionKey).update('id of this encryption key').digest().subarray(0, keyIdBytes);
}

function closed(owner: SealedFor, why: string): SigningKeyUnusable {
  return new SigningKeyUnusable(`KEY_ENCRYPTION_KEY doesn't open signing key ${owner.kid}: ${why}`);
}

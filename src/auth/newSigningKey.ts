/** Makes signing keys. */
import { generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { SigningAlgorithm } from './jwt.js';
import { publicJwkOf, type SigningKeyRow, sealPrivateHalf } from './keyRing.js';

const generatePair = promisify(generateKeyPair);

/** Makes a key in state `next`. @param encryptionKey 32 bytes, KEY_ENCRYPTION_KEY */
export async function generateSigningKey(
  alg: SigningAlgorithm | 'HS256',
  encryptionKey: Buffer,
  createdAt = new Date(),
): Promise<SigningKeyRow> {
  const row = { alg, state: 'next' as const, createdAt, activatedAt: null, retiredAt: null };
  if (alg === 'HS256') {
    const kid = randomBytes(8).toString('base64url');
    return {
      ...row,
      kid,
      publicJwk: null,
      privateCiphertext: sealPrivateHalf(randomBytes(32), { kid, alg }, encryptionKey),
    };
  }
  const privateKey = await generatePrivateKey(alg);
  const publicJwk = publicJwkOf(privateKey, alg);
  const kid = publicJwk.kid as string;
  const privateHalf = privateKey.export({ type: 'pkcs8', format: 'der' });
  return { ...row, kid, publicJwk, privateCiphertext: sealPrivateHalf(privateHalf, { kid, alg }, encryptionKey) };
}

async function generatePrivateKey(alg: SigningAlgorithm): Promise<KeyObject> {
  if (alg === 'ES256') return (await generatePair('ec', { namedCurve: 'P-256' })).privateKey;
  if (alg === 'EdDSA') return (await generatePair('ed25519')).privateKey;
  return (await generatePair('rsa', { modulusLength: 2048 })).privateKey;
}

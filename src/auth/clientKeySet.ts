/** Checks the key set of a client before it is stored. */
import { createPublicKey } from 'node:crypto';
import { isJsonObject } from '../jsonObject.js';
import { holdsPrivateKey, keysOf } from './clientKeys.js';
import { findRsaProblem, openPublishedKey } from './publishedKey.js';

const jwksKeysMax = 8;
const jwksBytesMax = 16 * 1_024;

/** Returns the problem of a text that must be the key set of a client; undefined if there is none. */
export function findJwksProblem(text: string): string | undefined {
  if (Buffer.byteLength(text) > jwksBytesMax) return `must be at most ${jwksBytesMax} bytes long`;
  let keys: unknown;
  try {
    keys = keysOf(text);
  } catch {
    keys = undefined;
  }
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > jwksKeysMax)
    return `must be a JSON Web Key Set with 1 to ${jwksKeysMax} keys`;
  for (const [index, key] of keys.entries()) {
    const problem = findKeyProblem(key);
    if (problem) return `has a key that can't be used: keys[${index}] ${problem}`;
  }
  return undefined;
}

function findKeyProblem(key: unknown): string | undefined {
  if (!isJsonObject(key)) return 'is not an object';
  if (holdsPrivateKey(key)) return 'contains a private key';
  const rsaProblem = findRsaProblem(key);
  if (rsaProblem) return rsaProblem;
  const published = openPublishedKey(key);
  if (!['ES256', 'RS256', 'PS256', 'EdDSA'].some((alg) => published.fits(alg)))
    return 'is not a key for ES256, RS256, PS256 or EdDSA';
  try {
    createPublicKey({ key, format: 'jwk' });
    return undefined;
  } catch {
    return 'is not a public key';
  }
}

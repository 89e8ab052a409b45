/** One key of a provider's JWKS (RFC 7517): which algorithms it may verify, and its import by jose. */
import { type CryptoKey, compactVerify, importJWK, type JWK } from 'jose';
import type { JsonObject } from '../jsonObject.js';

export interface PublishedKey {
  readonly kid: string | undefined;
  /** Whether the key may verify this algorithm, by kty, crv, use, alg and key_ops. */
  fits(alg: string): boolean;
  /** The key for this algorithm; undefined when it is no usable key. Imported once; jose refuses RSA under 2048 bits. */
  findCryptoKey(alg: string): Promise<CryptoKey | undefined>;
}

const rsa = { kty: 'RSA', members: ['n', 'e'] };
const ec = (crv: string) => ({ kty: 'EC', crv, members: ['crv', 'x', 'y'] });
const ed25519 = { kty: 'OKP', crv: 'Ed25519', members: ['crv', 'x'] };

const keyOfAlgorithm = new Map<string, { kty: string; crv?: string; members: string[] }>([
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'].map((alg) => [alg, rsa] as const),
  ['ES256', ec('P-256')],
  ['ES384', ec('P-384')],
  ['ES512', ec('P-521')],
  ['EdDSA', ed25519],
  ['Ed25519', ed25519],
]);

/** Asymmetric algorithms only: with a shared secret, every client of the provider could make ID tokens. */
export function isAsymmetricAlgorithm(alg: string): boolean {
  return keyOfAlgorithm.has(alg);
}

export function openPublishedKey(jwk: JsonObject): PublishedKey {
  const imported = new Map<string, Promise<CryptoKey | undefined>>();
  return {
    kid: typeof jwk.kid === 'string' ? jwk.kid : undefined,
    fits: (alg) => fitsAlgorithm(jwk, alg),
    findCryptoKey(alg) {
      const known = imported.get(alg) ?? importPublicHalf(jwk, alg);
      imported.set(alg, known);
      return known;
    },
  };
}

/** Whether one of the keys made the signature of a compact JWS. */
export async function verifiesWithOne(token: string, alg: string, keys: readonly PublishedKey[]): Promise<boolean> {
  for (const key of keys) {
    const cryptoKey = await key.findCryptoKey(alg);
    if (!cryptoKey) continue;
    const isGenuine = await compactVerify(token, cryptoKey, { algorithms: [alg] }).then(
      () => true,
      () => false,
    );
    if (isGenuine) return true;
  }
  return false;
}

function fitsAlgorithm(jwk: JsonObject, alg: string): boolean {
  const wanted = keyOfAlgorithm.get(alg);
  return (
    wanted !== undefined &&
    jwk.kty === wanted.kty &&
    (wanted.crv === undefined || jwk.crv === wanted.crv) &&
    (jwk.use === undefined || jwk.use === 'sig') &&
    (jwk.alg === undefined || jwk.alg === alg) &&
    (jwk.key_ops === undefined || (Array.isArray(jwk.key_ops) && jwk.key_ops.includes('verify')))
  );
}

async function importPublicHalf(jwk: JsonObject, alg: string): Promise<CryptoKey | undefined> {
  const members = ['kty', ...keyOfAlgorithm.get(alg)!.members];
  const publicHalf = Object.fromEntries(members.map((member) => [member, jwk[member]]));
  try {
    const key = await importJWK(publicHalf as JWK, alg);
    return key instanceof Uint8Array ? undefined : key;
  } catch {
    return undefined;
  }
}

/** One key of a provider's JWKS (RFC 7517): which algorithms it may verify, and its import by jose. */
import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { JsonObject } from './jwt.js';

export interface PublishedKey {
  readonly kid: string | undefined;
  /** Whether the key may verify this algorithm, by kty, crv, use, alg and key_ops. */
  fits(alg: string): boolean;
  /** The key for this algorithm; undefined when it is no usable key. Imported once; jose refuses RSA under 2048 bits. */
  findCryptoKey(alg: string): Promise<CryptoKey | undefined>;
}

const RSA = { kty: 'RSA', members: ['n', 'e'] };
const ec = (crv: string) => ({ kty: 'EC', crv, members: ['crv', 'x', 'y'] });
const ED25519 = { kty: 'OKP', crv: 'Ed25519', members: ['crv', 'x'] };

const KEY_OF_ALGORITHM = new Map<string, { kty: string; crv?: string; members: string[] }>([
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'].map((alg) => [alg, RSA] as const),
  ['ES256', ec('P-256')],
  ['ES384', ec('P-384')],
  ['ES512', ec('P-521')],
  ['EdDSA', ED25519],
  ['Ed25519', ED25519],
]);

/** Asymmetric algorithms only: with a shared secret, every client of the provider could make ID tokens. */
export function isAsymmetricAlgorithm(alg: string): boolean {
  return KEY_OF_ALGORITHM.has(alg);
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

function fitsAlgorithm(jwk: JsonObject, alg: string): boolean {
  const wanted = KEY_OF_ALGORITHM.get(alg);
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
  const members = ['kty', ...KEY_OF_ALGORITHM.get(alg)!.members];
  const publicHalf = Object.fromEntries(members.map((member) => [member, jwk[member]]));
  try {
    const key = await importJWK(publicHalf as JWK, alg);
    return key instanceof Uint8Array ? undefined : key;
  } catch {
    return undefined;
  }
}

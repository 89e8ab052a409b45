/** Imports public keys of providers and clients (RFC 7517), and decides which algorithms they may verify. */
import { KeyObject } from 'node:crypto';
import { type CryptoKey, compactVerify, importJWK, type JWK } from 'jose';
import type { JsonObject } from '../jsonObject.js';
import { type SignedParts, type SigningAlgorithm, verifySignature } from './jwt.js';

export interface PublishedKey {
  readonly kid: string | undefined;
  /** Whether the key may verify this algorithm, according to kty, crv, use, alg, key_ops and the size of an RSA key. */
  fits(alg: string): boolean;
  /** Why it may not, for the log; undefined if it fits. */
  findMisfit(alg: string): string | undefined;
  /** The key for this algorithm, imported once; undefined if it is not usable. */
  findKey(alg: string): Promise<ImportedKey | undefined>;
}

/** A KeyObject for algorithms that node:crypto verifies at once; jose verifies the others. */
type ImportedKey = CryptoKey | KeyObject;

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

/**
 * Algorithms that are verified in this thread: for them a thread of jose would add half the cost of the work (docs/decisions/0035).
 * RSA is excluded, because a caller may choose a key that costs ten times as much as others.
 */
const verifiedAtOnce = ['ES256', 'EdDSA'];

/**
 * The maker of an RSA key decides what it costs: OpenSSL bounds the exponent only for large moduli, and an exponent of 3,064 bits
 * makes a verification a hundred times slower. Common keys have e = 65,537, and providers use up to 4,096 bits.
 */
const rsaBits = { min: 2_048, max: 4_096, exponentMax: 32 };

/** Returns why an RSA key is not used; undefined for a good one, and for keys of other types. */
export function findRsaProblem({ kty, n, e }: JsonObject): string | undefined {
  if (kty !== 'RSA') return undefined;
  const [modulus, exponent] = [integerOf(n), integerOf(e)];
  if (modulus === undefined || exponent === undefined) return 'has no modulus or exponent';
  const bits = bitsOf(modulus);
  if (bits < rsaBits.min) return `is shorter than ${rsaBits.min} bits`;
  if (bits > rsaBits.max) return `is longer than ${rsaBits.max} bits`;
  const isUsual = exponent % 2n === 1n && exponent >= 3n && bitsOf(exponent) <= rsaBits.exponentMax;
  return isUsual ? undefined : `has an exponent that is not an odd number from 3 to 2^${rsaBits.exponentMax}`;
}

/** RFC 7518 §2: Base64urlUInt. */
const integerOf = (text: unknown): bigint | undefined =>
  typeof text === 'string' ? BigInt(`0x0${Buffer.from(text, 'base64url').toString('hex')}`) : undefined;
const bitsOf = (integer: bigint): number => integer.toString(2).length;

/** Those that keys of providers may have. */
export const asymmetricAlgorithms: readonly string[] = [...keyOfAlgorithm.keys()];

/** Asymmetric algorithms only: with a shared secret, every client of the provider could make ID tokens. */
export function isAsymmetricAlgorithm(alg: string): boolean {
  return keyOfAlgorithm.has(alg);
}

export function openPublishedKey(jwk: JsonObject): PublishedKey {
  const imported = new Map<string, Promise<ImportedKey | undefined>>();
  const rsaProblem = findRsaProblem(jwk);
  const findMisfit = (alg: string) => findAlgorithmMisfit(jwk, alg) ?? rsaProblem;
  return {
    kid: typeof jwk.kid === 'string' ? jwk.kid : undefined,
    fits: (alg) => findMisfit(alg) === undefined,
    findMisfit,
    findKey(alg) {
      const key = imported.get(alg) ?? importPublicHalf(jwk, alg);
      imported.set(alg, key);
      return key;
    },
  };
}

/** Whether one of the keys made the signature, under `alg`. */
export async function verifiesWithOne(jwt: SignedParts, alg: string, keys: readonly PublishedKey[]): Promise<boolean> {
  for (const key of keys) {
    const imported = await key.findKey(alg);
    if (imported && (await verifies(jwt, alg, imported))) return true;
  }
  return false;
}

async function verifies(jwt: SignedParts, alg: string, key: ImportedKey): Promise<boolean> {
  if (key instanceof KeyObject) return verifySignature(jwt, alg as SigningAlgorithm, key);
  const token = `${jwt.signingInput}.${jwt.signature.toString('base64url')}`;
  return compactVerify(token, key, { algorithms: [alg] }).then(
    () => true,
    () => false,
  );
}

/** RFC 9864 calls the EdDSA of this curve Ed25519; a key may have one name and a signature the other. */
const oneName = (alg: unknown): unknown => (alg === 'Ed25519' ? 'EdDSA' : alg);

function findAlgorithmMisfit(
  { kty, crv, use, alg: ownAlg, key_ops: ops }: JsonObject,
  alg: string,
): string | undefined {
  const keyType = keyOfAlgorithm.get(alg);
  if (keyType === undefined || kty !== keyType.kty) return 'has a kty for other algorithms';
  if (keyType.crv !== undefined && crv !== keyType.crv) return 'has a crv for another algorithm';
  // some providers write null for a member that a key does not have
  if ((use ?? 'sig') !== 'sig') return 'has a use that is not sig';
  if (oneName(ownAlg ?? alg) !== oneName(alg)) return 'has another alg';
  if ((ops ?? undefined) !== undefined && !(Array.isArray(ops) && ops.includes('verify')))
    return 'has key_ops without verify';
  return undefined;
}

async function importPublicHalf(jwk: JsonObject, alg: string): Promise<ImportedKey | undefined> {
  const members = ['kty', ...keyOfAlgorithm.get(alg)!.members];
  const publicHalf = Object.fromEntries(members.map((member) => [member, jwk[member]]));
  try {
    const key = await importJWK(publicHalf as JWK, alg);
    if (key instanceof Uint8Array) return undefined;
    return verifiedAtOnce.includes(alg) ? KeyObject.from(key as Parameters<typeof KeyObject.from>[0]) : key;
  } catch {
    return undefined;
  }
}

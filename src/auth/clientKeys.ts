/**
 * The public keys by which clients prove themselves: written into their records, or fetched from where a record says, as
 * identity providers' keys are. What is kept here is keyed by what the record says, so a changed record has other keys at once.
 */
import { createPublicKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import { holdsPrivateKey } from './clientJwt.js';
import { openProviderFetch, type ProviderNetwork } from './providerFetch.js';
import { openProviderKeys, type ProviderKeys } from './providerKeys.js';
import { findRsaProblem, openPublishedKey, type PublishedKey } from './publishedKey.js';

/** What a client's record has of keys; at most one of the two. */
interface ClientKeySource {
  jwks: string | null;
  jwksUri: string | null;
}

interface WantedClientKey {
  kid: string | undefined;
  alg: string;
}

export interface ClientKeys {
  /**
   * The keys that fit. Throws IdentityProviderUnavailable when they can't be fetched.
   * @param isStale the keys known so far did not verify: those of an address are fetched again, as often as a budget allows
   */
  findKeys(source: ClientKeySource, wanted: WantedClientKey, isStale?: boolean): Promise<PublishedKey[]>;
}

interface ClientKeysOptions {
  /** Receives what happens where keys are fetched; never a key. */
  log(details: object, message: string): void;
  network?: ProviderNetwork;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

const jwksKeysMax = 8;
const jwksBytesMax = 16 * 1_024;
const sourcesMax = 1_000;
const timeoutMs = 5_000;

export function openClientKeys({ log, network, now = Date.now }: ClientKeysOptions): ClientKeys {
  const inline = new LRUCache<string, PublishedKey[]>({ max: sourcesMax });
  const fetched = new LRUCache<string, ProviderKeys>({ max: sourcesMax });

  function ofRecord(jwks: string): PublishedKey[] {
    const known = inline.get(jwks) ?? keysOf(jwks).map(openPublishedKey);
    inline.set(jwks, known);
    return known;
  }

  function ofAddress(jwksUri: string): ProviderKeys {
    // an administrator wrote the address: it leads inside only where the operator named its host
    const guarded = openProviderFetch(jwksUri, { ...network, isLocalByName: false });
    const source = { issuer: jwksUri, jwksUri, fetch: guarded, timeoutMs };
    const known = fetched.get(jwksUri) ?? openProviderKeys({ ...source, log, now });
    fetched.set(jwksUri, known);
    return known;
  }

  return {
    async findKeys({ jwks, jwksUri }, wanted, isStale = false) {
      const fits = (key: PublishedKey) => (wanted.kid === undefined || key.kid === wanted.kid) && key.fits(wanted.alg);
      if (jwks !== null) return isStale ? [] : ofRecord(jwks).filter(fits);
      if (jwksUri === null) return [];
      const keys = ofAddress(jwksUri);
      return isStale ? keys.refetchKeys(wanted) : keys.findKeys(wanted);
    },
  };
}

const keysOf = (jwks: string): JsonObject[] => (JSON.parse(jwks) as { keys: JsonObject[] }).keys;

/** Why a text is no key set that a client may have; undefined when it is. */
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
  if (!isJsonObject(key)) return 'is no object';
  if (holdsPrivateKey(key)) return 'holds a private half';
  const rsaProblem = findRsaProblem(key);
  if (rsaProblem) return rsaProblem;
  const published = openPublishedKey(key);
  if (!['ES256', 'RS256', 'PS256', 'EdDSA'].some((alg) => published.fits(alg)))
    return 'is for none of ES256, RS256, PS256 and EdDSA';
  try {
    createPublicKey({ key, format: 'jwk' });
    return undefined;
  } catch {
    return 'is no public key';
  }
}

/**
 * The verified-secret cache: which secret succeeded for which client and stored hash. It holds keyed hashes only, under a
 * random key of this process, so a memory dump or a copy of the table tells no secret.
 */
import { createHmac, randomBytes } from 'node:crypto';

export interface RememberedSecrets {
  /** One name for these three values; other values have other names. */
  nameOf(clientId: string, secret: string, storedHash: string | undefined): string;
  has(name: string): boolean;
  add(name: string): void;
}

/** @param max successes kept; the one unused for longest goes first */
export function openRememberedSecrets(max: number): RememberedSecrets {
  const processKey = randomBytes(32);
  const names = new Map<string, true>();

  function touch(name: string): void {
    names.delete(name);
    names.set(name, true);
  }

  return {
    nameOf(clientId, secret, storedHash) {
      // As JSON: no client id can be chosen so that it runs over into the secret.
      const values = JSON.stringify([clientId, secret, storedHash ?? null]);
      return createHmac('sha256', processKey).update(values).digest('base64');
    },
    has(name) {
      const isKnown = names.has(name);
      if (isKnown) touch(name);
      return isKnown;
    },
    add(name) {
      touch(name);
      if (names.size > max) names.delete(names.keys().next().value!);
    },
  };
}

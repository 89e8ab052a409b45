/**
 * The verified-secret cache: against which stored hash a client's secret succeeded. Client and secret are held as a keyed
 * hash alone, under a random key of this process, so a memory dump tells no secret.
 */
import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

interface RememberedSecrets {
  /** The stored hash that this secret of this client succeeded against last. */
  recall(clientId: string, secret: string): string | undefined;
  remember(clientId: string, secret: string, storedHash: string): void;
  forget(clientId: string, secret: string): void;
}

/** @param max successes kept; the one unused for longest goes first */
export function openRememberedSecrets(max: number): RememberedSecrets {
  const processKey = randomBytes(32).toString('base64');
  const storedHashes = new LRUCache<string, string>({ max });

  // As JSON: no client id can be chosen so that it runs over into the secret. The key in front is enough where nobody is
  // shown the name, and costs a quarter of an HMAC.
  const nameOf = (clientId: string, secret: string): string =>
    hash('sha256', JSON.stringify([processKey, clientId, secret]), 'base64');

  return {
    recall: (clientId, secret) => storedHashes.get(nameOf(clientId, secret)),
    remember(clientId, secret, storedHash) {
      storedHashes.set(nameOf(clientId, secret), storedHash);
    },
    forget(clientId, secret) {
      storedHashes.delete(nameOf(clientId, secret));
    },
  };
}

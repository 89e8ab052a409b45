/**
 * The verified-secret cache: against which stored hash a client's secret succeeded. Client and secret are held as a keyed
 * hash alone, under a random key of this process, so a memory dump tells no secret.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export interface RememberedSecrets {
  /** The stored hash that this secret of this client succeeded against last. */
  recall(clientId: string, secret: string): string | undefined;
  remember(clientId: string, secret: string, storedHash: string): void;
  forget(clientId: string, secret: string): void;
}

/** @param max successes kept; the one unused for longest goes first */
export function openRememberedSecrets(max: number): RememberedSecrets {
  const processKey = createSecretKey(randomBytes(32));
  const storedHashes = new LRUCache<string, string>({ max });

  // As JSON: no client id can be chosen so that it runs over into the secret.
  const nameOf = (clientId: string, secret: string): string =>
    createHmac('sha256', processKey)
      .update(JSON.stringify([clientId, secret]))
      .digest('base64');

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

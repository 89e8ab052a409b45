/**
 * Access tokens whose signature was checked before: an API shows the same token many times in its hour. Held by SHA-256,
 * so a memory dump tells no token. Whether the key still is one of ours and the token alive is judged at each use.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AccessTokenClaims } from './tokenFormat.js';

export interface VerifiedToken {
  /** The key that signed it. */
  kid: string;
  /** Not to be changed: the same for all who show the token. */
  claims: Readonly<AccessTokenClaims>;
}

export interface VerifiedTokens {
  recall(token: string): VerifiedToken | undefined;
  remember(token: string, verified: VerifiedToken): void;
}

/** @param charactersMax length of all tokens that are remembered, together; those unused for longest go first */
export function openVerifiedTokens(charactersMax = 8_000_000): VerifiedTokens {
  const known = new LRUCache<string, VerifiedToken>({ maxSize: charactersMax });
  const nameOf = (token: string): string => hash('sha256', token, 'base64');

  return {
    recall: (token) => known.get(nameOf(token)),
    remember(token, { kid, claims }) {
      const name = nameOf(token);
      if (known.has(name)) return;
      for (const value of Object.values(claims)) Object.freeze(value);
      known.set(name, { kid, claims: Object.freeze(claims) }, { size: token.length });
    },
  };
}

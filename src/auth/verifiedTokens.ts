/**
 * Access tokens whose signature was checked before: an API shows the same token many times in its hour. Held by SHA-256,
 * so a memory dump tells no token. Whether the key still is one of ours and the token alive is judged at each use.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AccessTokenClaims } from './tokenClaims.js';

interface VerifiedToken {
  /** The key that signed it. */
  kid: string;
  /** Not to be changed: the same for all who show the token. */
  claims: Readonly<AccessTokenClaims>;
  /** The claims as they stand in the token. */
  claimsJson: string;
}

/** Why it is refused is for the log. */
export type TokenVerdict = VerifiedToken | { invalid: string };

export interface VerifiedTokens {
  /** What the token says, by what was verified before or else by `verify`; what that refuses is not remembered. */
  verifyOnce(token: string, verify: () => TokenVerdict): TokenVerdict;
}

/** @param charactersMax length of all tokens that are remembered, together; those unused for longest go first */
export function openVerifiedTokens(charactersMax = 8_000_000): VerifiedTokens {
  const known = new LRUCache<string, VerifiedToken>({ maxSize: charactersMax });

  return {
    verifyOnce(token, verify) {
      const name = hash('sha256', token, 'base64');
      const found = known.get(name);
      if (found) return found;
      const verified = verify();
      if ('invalid' in verified) return verified;
      for (const value of Object.values(verified.claims)) Object.freeze(value);
      Object.freeze(verified.claims);
      known.set(name, verified, { size: token.length });
      return verified;
    },
  };
}

/** By what an ID token is known when it comes again, and until when it may come. */
import { hash } from 'node:crypto';
import type { VerifiedIdToken } from '../../auth/idToken.js';

interface IdTokenUse {
  hash: string;
  endsAt: Date;
}

/**
 * Its `jti` names it, where it has one; else what its signature covers. Not the signature itself: an ECDSA signature has a
 * second spelling, and would make another token of the same one.
 */
export function identifyUse(
  { issuer, claims, signingInput, endsAtSeconds }: VerifiedIdToken,
  profileId: string,
): IdTokenUse {
  const { jti } = claims;
  const name = typeof jti === 'string' && jti !== '' ? ['jti', jti] : ['text', signingInput];
  const text = JSON.stringify([issuer.issuer, ...name, profileId]);
  return { hash: hash('sha256', text, 'base64url'), endsAt: new Date(endsAtSeconds * 1_000) };
}

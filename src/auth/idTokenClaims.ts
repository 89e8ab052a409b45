/** What the claims of an ID token must say (OpenID Connect Core 1.0 §2, §3.1.3.7), the signature aside. */
import { isStorable } from '../entities/storableText.js';
import type { JsonObject } from '../jsonObject.js';
import { isSeconds } from './jwt.js';

export interface ClaimExpectation {
  audience: string | readonly string[];
  /** Who may stand in `azp`. */
  authorizedParties: readonly string[];
  /** Age from `iat` up to which a token is taken, whatever `exp` says; the tolerance comes on top. */
  maxAgeSeconds: number;
  nowSeconds: number;
}

const toleranceSeconds = 30;
const subLengthMax = 255; // OpenID Connect Core 1.0 §2

/** The first thing that is wrong with the claims, in words for the log; undefined when nothing is. */
export function findClaimProblem(claims: JsonObject, expected: ClaimExpectation): string | undefined {
  return (
    findSubProblem(claims.sub) ??
    findAudienceProblem(claims.aud, expected.audience) ??
    findPurposeProblem(claims, expected.authorizedParties) ??
    findTimeProblem(claims, expected)
  );
}

export function findSubProblem(sub: unknown): string | undefined {
  if (typeof sub !== 'string' || sub === '') return 'sub is missing or not a string';
  if ([...sub].length > subLengthMax) return `sub is longer than ${subLengthMax} characters`;
  if (!isStorable(sub)) return 'sub holds characters that no user id has';
  return undefined;
}

export function findAudienceProblem(aud: unknown, ours: string | readonly string[]): string | undefined {
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.every((audience) => typeof audience === 'string')) return 'aud is missing or not of strings';
  const accepted = typeof ours === 'string' ? [ours] : ours;
  return audiences.some((audience) => accepted.includes(audience)) ? undefined : 'aud is another';
}

/** A provider signs other tokens with the same keys, for the same audience: they are no proof of a sign-in here. */
function findPurposeProblem(claims: JsonObject, authorizedParties: readonly string[]): string | undefined {
  // OpenID Connect Back-Channel Logout 1.0 §2.4: only a logout token has it
  if (Object.hasOwn(claims, 'events')) return 'it is a logout token (events)';
  // so Amazon Cognito tells its access tokens
  if (claims.token_use === 'access') return 'it is an access token (token_use)';
  // OpenID Connect Core 1.0 §2: the party to which it was issued
  const { azp } = claims;
  if (azp !== undefined && !(typeof azp === 'string' && authorizedParties.includes(azp))) return 'azp is another';
  return undefined;
}

export function findTimeProblem(
  claims: JsonObject,
  { nowSeconds, maxAgeSeconds }: Pick<ClaimExpectation, 'nowSeconds' | 'maxAgeSeconds'>,
): string | undefined {
  const { exp, iat, nbf } = claims;
  if (!isSeconds(exp) || !isSeconds(iat)) return 'exp or iat is missing or not a number';
  if (nbf !== undefined && !isSeconds(nbf)) return 'nbf is not a number';
  if (nowSeconds >= exp + toleranceSeconds) return 'expired';
  if (iat > nowSeconds + toleranceSeconds) return 'issued in the future';
  if (nbf !== undefined && nbf > nowSeconds + toleranceSeconds) return 'not valid yet';
  if (nowSeconds - iat > maxAgeSeconds + toleranceSeconds) return 'issued too long ago';
  return undefined;
}

/** From this second on the token is refused, in seconds since 1970; of claims without a problem. */
export const endOf = ({ exp, iat }: JsonObject, maxAgeSeconds: number): number =>
  Math.min(exp as number, (iat as number) + maxAgeSeconds + 1) + toleranceSeconds;

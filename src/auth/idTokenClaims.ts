/** What the claims of an ID token must say (OpenID Connect Core 1.0 §2, §3.1.3.7), the signature aside. */
import type { JsonObject } from './jwt.js';

export interface ClaimExpectation {
  audience: string | readonly string[];
  /** Age from `iat` up to which a token is taken, whatever `exp` says; the tolerance comes on top. */
  maxAgeSeconds: number;
  nowSeconds: number;
}

const TOLERANCE_SECONDS = 30;
const NOT_STORABLE = /[\0\p{Cs}]/u; // NUL and lone surrogates: no database text holds them
const SUB_LENGTH_MAX = 255; // OpenID Connect Core 1.0 §2

/** The first thing that is wrong with the claims, in words for the log; undefined when nothing is. */
export function findClaimProblem(claims: JsonObject, expected: ClaimExpectation): string | undefined {
  return (
    findSubProblem(claims.sub) ??
    findAudienceProblem(claims.aud, expected.audience) ??
    findTimeProblem(claims, expected)
  );
}

function findSubProblem(sub: unknown): string | undefined {
  if (typeof sub !== 'string' || sub === '') return 'sub is missing or not a string';
  if ([...sub].length > SUB_LENGTH_MAX) return `sub is longer than ${SUB_LENGTH_MAX} characters`;
  if (NOT_STORABLE.test(sub)) return 'sub holds characters that no user id has';
  return undefined;
}

function findAudienceProblem(aud: unknown, ours: string | readonly string[]): string | undefined {
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.every((audience) => typeof audience === 'string')) return 'aud is missing or not of strings';
  const accepted = typeof ours === 'string' ? [ours] : ours;
  return audiences.some((audience) => accepted.includes(audience)) ? undefined : 'aud is another';
}

function findTimeProblem(claims: JsonObject, { nowSeconds, maxAgeSeconds }: ClaimExpectation): string | undefined {
  const { exp, iat, nbf } = claims;
  if (!isSeconds(exp) || !isSeconds(iat)) return 'exp or iat is missing or not a number';
  if (nbf !== undefined && !isSeconds(nbf)) return 'nbf is not a number';
  if (nowSeconds >= exp + TOLERANCE_SECONDS) return 'expired';
  if (iat > nowSeconds + TOLERANCE_SECONDS) return 'issued in the future';
  if (nbf !== undefined && nbf > nowSeconds + TOLERANCE_SECONDS) return 'not valid yet';
  if (nowSeconds - iat > maxAgeSeconds + TOLERANCE_SECONDS) return 'issued too long ago';
  return undefined;
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

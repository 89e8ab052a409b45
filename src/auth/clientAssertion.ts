/** Client assertions (`private_key_jwt`: RFC 7523 §3, RFC 7521 §5.2): what makes one good, but for its single use. */
import type { JsonObject } from '../jsonObject.js';
import { clientJwtLengthMax, findJtiProblem, isClientAlgorithm } from './clientJwt.js';
import { isSeconds, parseJwt } from './jwt.js';
import { type PublishedKey, verifiesWithOne } from './publishedKey.js';

export interface AssertionExpectation {
  /** `iss` and `sub`. */
  clientId: string;
  /** The issuer, and the addresses of endpoints, which libraries still send. */
  audiences: readonly string[];
  nowSeconds: number;
}

export interface ClientAssertion {
  jti: string;
  /** Until when the `jti` has to be remembered; seconds since the epoch. */
  expiresAt: number;
}

export interface WantedAssertionKey {
  kid: string | undefined;
  alg: string;
}

/** How far ahead `exp` may be, and the tolerance for clocks; in seconds. */
const lifetimeMax = 300;
const tolerance = 30;

/** The client that an assertion speaks of, unjudged; undefined where it names none. */
export function assertedClient(assertion: string): string | undefined {
  const jwt = parseJwt(assertion, clientJwtLengthMax);
  return 'payload' in jwt && typeof jwt.payload.sub === 'string' ? jwt.payload.sub : undefined;
}

/**
 * The assertion, or why it is none, in words for the log.
 * @param findKeys the client's keys that fit; asked only for an assertion that would otherwise be good
 */
export async function verifyClientAssertion(
  assertion: string,
  expected: AssertionExpectation,
  findKeys: (wanted: WantedAssertionKey) => Promise<readonly PublishedKey[]>,
): Promise<ClientAssertion | { invalid: string }> {
  const jwt = parseJwt(assertion, clientJwtLengthMax);
  if ('malformed' in jwt) return { invalid: jwt.malformed };
  const { alg, kid } = jwt.header;
  if (!isClientAlgorithm(alg)) return { invalid: 'alg is not accepted' };
  if (kid !== undefined && typeof kid !== 'string') return { invalid: 'kid is unusable' };
  const problem = findClaimProblem(jwt.payload, expected);
  if (problem) return { invalid: problem };
  const keys = await findKeys({ kid, alg });
  if (keys.length === 0) return { invalid: 'the client has no such key' };
  if (!(await verifiesWithOne(jwt, alg, keys))) return { invalid: 'signature does not verify' };
  return { jti: jwt.payload.jti as string, expiresAt: (jwt.payload.exp as number) + tolerance };
}

function findClaimProblem(
  { iss, sub, aud, exp, nbf, iat, jti }: JsonObject,
  { clientId, audiences, nowSeconds }: AssertionExpectation,
): string | undefined {
  if (iss !== clientId || sub !== clientId) return 'iss or sub is not the client';
  const named: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!named.some((audience) => typeof audience === 'string' && audiences.includes(audience))) return 'aud is another';
  if (!isSeconds(exp)) return 'exp is missing or not a number';
  if (nowSeconds >= exp + tolerance) return 'expired';
  if (exp > nowSeconds + lifetimeMax + tolerance) return 'exp is too far ahead';
  if (nbf !== undefined && (!isSeconds(nbf) || nbf > nowSeconds + tolerance)) return 'not valid yet';
  if (iat !== undefined && (!isSeconds(iat) || iat > nowSeconds + tolerance)) return 'issued in the future';
  return findJtiProblem(jti);
}

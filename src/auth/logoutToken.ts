/** What the claims of a logout token must say (OpenID Connect Back-Channel Logout 1.0 §2.4, §2.6), the signature aside. */
import { isStorable } from '../entities/storableText.js';
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import { findAudienceProblem, findSubProblem, findTimeProblem } from './idTokenClaims.js';

interface LogoutExpectation {
  audience: readonly string[];
  maxAgeSeconds: number;
  nowSeconds: number;
}

const eventName = 'http://schemas.openid.net/event/backchannel-logout';
const lengthMax = 255;

/** The first thing that is wrong with the claims, in words for the log; undefined when nothing is. */
export function findLogoutProblem(claims: JsonObject, expected: LogoutExpectation): string | undefined {
  const { sub, sid, jti, aud } = claims;
  return (
    findAudienceProblem(aud, expected.audience) ??
    findTimeProblem(claims, expected) ??
    findPurposeProblem(claims) ??
    (sub === undefined && sid === undefined ? 'neither sub nor sid is there' : undefined) ??
    (sub === undefined ? undefined : findSubProblem(sub)) ??
    (sid === undefined || isName(sid) ? undefined : 'sid is unusable') ??
    (isName(jti) ? undefined : 'jti is missing or unusable')
  );
}

/** An ID token in its place would sign somebody out whom it signed in. */
function findPurposeProblem({ events, nonce }: JsonObject): string | undefined {
  const event = isJsonObject(events) && Object.hasOwn(events, eventName) ? events[eventName] : undefined;
  if (!isJsonObject(event)) return 'it is no logout token (events)';
  return nonce === undefined ? undefined : 'it has a nonce';
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= lengthMax && isStorable(value);

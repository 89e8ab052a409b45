/** What a client's record may hold beyond the types of its fields; of changes here and of imports. */
import { findJwksProblem } from '../../auth/clientKeys.js';
import { isLocalHost } from '../../config/network.js';

/** Why a client may not have these keys, by the field; undefined when it may. */
export function findKeysProblem({
  jwks,
  jwksUri,
}: {
  jwks?: unknown;
  jwksUri?: unknown;
}): { field: 'jwks' | 'jwksUri'; problem: string } | undefined {
  if (typeof jwks === 'string' && typeof jwksUri === 'string')
    return { field: 'jwksUri', problem: 'must not stand beside jwks' };
  const ofKeys = typeof jwks === 'string' ? findJwksProblem(jwks) : undefined;
  if (ofKeys) return { field: 'jwks', problem: ofKeys };
  const ofAddress = typeof jwksUri === 'string' ? findAddressProblem(jwksUri) : undefined;
  return ofAddress ? { field: 'jwksUri', problem: ofAddress } : undefined;
}

function findAddressProblem(address: string): string | undefined {
  const url = URL.parse(address);
  const isFit = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocalHost(url.hostname));
  return isFit && url.username === '' && url.hash === '' ? undefined : 'must be an https address without fragment';
}

/** Why a text names no policy of a client; undefined when it does. */
const findPolicyProblem = (policy: string): string | undefined =>
  policy === 'hardened' ? undefined : 'must be hardened, or null for the policy of the service';

/** Why a text names no audiences; undefined when it does. */
function findAudiencesProblem(text: string): string | undefined {
  return /^[!-~]{1,200}(?: [!-~]{1,200}){0,99}$/.test(text)
    ? undefined
    : 'must be audiences of visible ASCII characters, with single spaces between';
}

/** By the field. */
export const clientTextRules = { allowedAudiences: findAudiencesProblem, policy: findPolicyProblem };

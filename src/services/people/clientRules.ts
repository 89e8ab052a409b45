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

/** Why the text of a field is none that a client may have, by the field. @param audiences that tokens may have */
export const clientTextRules: Record<
  'allowedAudiences' | 'policy',
  (text: string, audiences: readonly string[]) => string | undefined
> = {
  policy: (text) => (text === 'hardened' ? undefined : 'must be hardened, or null for the policy of the service'),
  allowedAudiences(text, audiences) {
    const names = text.split(' ');
    const isFit = names.every((name) => audiences.includes(name)) && new Set(names).size === names.length;
    return isFit
      ? undefined
      : `must be among ${audiences.join(', ')}, each once, with single spaces between: tokens have no others (AUDIENCES)`;
  },
};

/** Validation of an access token of this service, for APIs that don't validate tokens themselves. */
import type { KeyRing } from '../auth/keyRing.js';
import { type AccessTokenClaims, verifyAccessToken } from '../auth/tokenFormat.js';
import type { Dependencies } from '../context.js';
import { audiences } from './accessToken.js';

const reloadPauseMilliseconds = 1_000;
const lastReloads = new WeakMap<object, number>();

/** The claims of a valid token, or why it isn't, for the log. Signature, issuer, audience and lifetime are checked. */
export async function validate(
  dependencies: Dependencies,
  token: string,
): Promise<{ claims: AccessTokenClaims } | { invalid: string }> {
  const judge = (ring: KeyRing) =>
    verifyAccessToken(ring, token, { issuer: dependencies.issuerUrl, audiences, nowSeconds: Date.now() / 1_000 });
  const judged = judge(dependencies.keys.ring());
  if (!('invalid' in judged) || !judged.invalid.startsWith('kid') || !mayReload(dependencies.keys)) return judged;
  return judge(await dependencies.keys.reload());
}

/** An unknown key may be one that another process made; a flood of them mustn't reach the database. */
function mayReload(keys: object): boolean {
  if (Date.now() - (lastReloads.get(keys) ?? 0) < reloadPauseMilliseconds) return false;
  lastReloads.set(keys, Date.now());
  return true;
}

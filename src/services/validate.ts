/** Validation of an access token of this service, for APIs that don't validate tokens themselves. */
import type { KeyRing } from '../auth/keyRing.js';
import { type AccessTokenClaims, verifyAccessToken } from '../auth/tokenFormat.js';
import type { Dependencies } from '../context.js';
import { audiences } from './accessToken.js';

const reloadPauseMilliseconds = 1_000;
const lastReloads = new WeakMap<object, number>();

export type Judged = { claims: AccessTokenClaims } | { invalid: string };

/**
 * The claims of a valid token, or why it isn't, for the log. Signature, issuer, audience and lifetime are checked;
 * hardened, also that the record it belongs to is not revoked.
 */
export async function validate(dependencies: Dependencies, token: string): Promise<Judged> {
  const judge = (ring: KeyRing) =>
    verifyAccessToken(ring, token, { issuer: dependencies.issuerUrl, audiences, nowSeconds: Date.now() / 1_000 });
  let judged: Judged = judge(dependencies.keys.ring());
  if ('invalid' in judged && judged.invalid.startsWith('kid') && mayReload(dependencies.keys))
    judged = judge(await dependencies.keys.reload());
  if ('claims' in judged && dependencies.config.tokenPolicy === 'hardened' && judged.claims.sid !== undefined)
    return (await isLive(dependencies, judged.claims.sid)) ? judged : { invalid: 'its record is revoked' };
  return judged;
}

/** An unknown key may be one that another process made; a flood of them mustn't reach the database. */
function mayReload(keys: object): boolean {
  if (Date.now() - (lastReloads.get(keys) ?? 0) < reloadPauseMilliseconds) return false;
  lastReloads.set(keys, Date.now());
  return true;
}

async function isLive({ sql }: Dependencies, tokenGuid: string): Promise<boolean> {
  const live = await sql.rows('select id from tokens where token_guid::text = $1 and not is_revoked', [tokenGuid]);
  return live.length > 0;
}

/** Validation of an access token of this service, for APIs that don't validate tokens themselves. */
import type { KeyRing } from '../auth/keyRing.js';
import { type AccessTokenClaims, verifyAccessToken } from '../auth/tokenFormat.js';
import type { Dependencies, SigningKeys } from '../context.js';
import { audiences } from './accessToken.js';

const reloadPauseMilliseconds = 1_000;
const reloads = new WeakMap<SigningKeys, { at: number; ring: Promise<KeyRing> }>();

export type Judged = { claims: AccessTokenClaims } | { invalid: string };

/**
 * The claims of a valid token, or why it isn't, for the log. Signature, issuer, audience and lifetime are checked;
 * hardened, also that the record it belongs to is not revoked.
 */
export async function validate(dependencies: Dependencies, token: string): Promise<Judged> {
  const judge = (ring: KeyRing) =>
    verifyAccessToken(ring, token, { issuer: dependencies.issuerUrl, audiences, nowSeconds: Date.now() / 1_000 });
  let judged: Judged = judge(dependencies.keys.ring());
  if ('invalid' in judged && judged.invalid.startsWith('kid')) judged = judge(await readRingAgain(dependencies.keys));
  if ('claims' in judged && dependencies.config.tokenPolicy === 'hardened' && judged.claims.sid !== undefined)
    return (await isLive(dependencies, judged.claims.sid)) ? judged : { invalid: 'its record is revoked' };
  return judged;
}

/**
 * An unknown key may be one that another process made; a flood of them mustn't reach the database. All that come within
 * a pause are judged by the ring read at its beginning, and none before it is read.
 */
function readRingAgain(keys: SigningKeys): Promise<KeyRing> {
  const last = reloads.get(keys);
  if (last && Math.abs(Date.now() - last.at) < reloadPauseMilliseconds) return last.ring;
  const ring = keys.reload();
  reloads.set(keys, { at: Date.now(), ring });
  return ring;
}

async function isLive({ sql }: Dependencies, tokenGuid: string): Promise<boolean> {
  const live = await sql.rows('select id from tokens where token_guid::text = $1 and not is_revoked', [tokenGuid]);
  return live.length > 0;
}

/** Validation of an access token of this service, for APIs that don't validate tokens themselves. */
import type { KeyRing } from '../auth/keyRing.js';
import { type AccessTokenClaims, unknownKid, verifyAccessToken } from '../auth/tokenFormat.js';
import type { Dependencies } from '../context.js';
import { audiences } from './accessToken.js';

export type Judged = { claims: Readonly<AccessTokenClaims> } | { invalid: string };

/**
 * The claims of a valid token, or why it isn't, for the log. Signature, issuer, audience and lifetime are checked;
 * hardened, also that the record it belongs to is not revoked.
 */
export async function validate(dependencies: Dependencies, token: string): Promise<Judged> {
  const { issuerUrl: issuer, verified } = dependencies;
  const judge = (ring: KeyRing) =>
    verifyAccessToken(ring, token, { issuer, audiences, nowSeconds: Date.now() / 1_000 }, verified);
  let judged: Judged = judge(dependencies.keys.ring());
  // another process may have made the key
  if ('invalid' in judged && judged.invalid === unknownKid) judged = judge(await dependencies.keys.reloadForUnknown());
  if ('claims' in judged && dependencies.config.tokenPolicy === 'hardened' && judged.claims.sid !== undefined)
    return (await isLive(dependencies, judged.claims.sid)) ? judged : { invalid: 'its record is revoked' };
  return judged;
}

async function isLive({ sql }: Dependencies, tokenGuid: string): Promise<boolean> {
  const live = await sql.rows('select id from tokens where token_guid = $1::uuid and not is_revoked', [tokenGuid]);
  return live.length > 0;
}

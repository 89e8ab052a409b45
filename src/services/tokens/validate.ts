/** Validation of an access token of this service, for APIs that don't validate tokens themselves. */
import type { KeyRing } from '../../auth/keyRing.js';
import { type AccessTokenClaims, unknownKid, verifyAccessToken } from '../../auth/tokenFormat.js';
import type { Dependencies } from '../../context.js';
import type { SharedStatement } from '../../sql.js';
import { audiences } from './narrowing.js';

export type Judged = { claims: Readonly<AccessTokenClaims> } | { invalid: string };

/**
 * The claims of a token whose signature, issuer, audience and lifetime are right, or why they aren't, for the log.
 * @param accepted one of these audiences must be in `aud`
 */
export async function verify(dependencies: Dependencies, token: string, accepted = audiences): Promise<Judged> {
  const { issuerUrl: issuer, verified } = dependencies;
  const verifyWith = (ring: KeyRing) =>
    verifyAccessToken(ring, token, { issuer, audiences: accepted, nowSeconds: Date.now() / 1_000 }, verified);
  const judged: Judged = verifyWith(dependencies.keys.ring());
  // another process may have made the key
  if ('invalid' in judged && judged.invalid === unknownKid)
    return verifyWith(await dependencies.keys.reloadForUnknown());
  return judged;
}

/** The same; and where the token has a session, that one is not revoked. */
export async function validate(dependencies: Dependencies, token: string, accepted = audiences): Promise<Judged> {
  const judged = await verify(dependencies, token, accepted);
  if ('claims' in judged && judged.claims.sid !== undefined && !(await isLive(dependencies, judged.claims.sid)))
    return { invalid: 'its record is revoked' };
  return judged;
}

const session: SharedStatement = {
  one: 'select exists (select from tokens where token_guid = $1::uuid and not is_revoked) as is_live',
  many: `select asked.ord, t.token_guid is not null as is_live from unnest($1::uuid[]) with ordinality asked(sid, ord)
    left join tokens t on t.token_guid = asked.sid and not t.is_revoked`,
};

const isLive = async ({ sql }: Dependencies, sid: string): Promise<boolean> =>
  (await sql.batchedRow<{ is_live: boolean }>(session, [sid])).is_live;

/** Revocation of a renewal token by whoever holds it. */
import { renewalTokenHash } from '../auth/tokenFormat.js';
import type { Context } from '../context.js';
import { isStorable } from './accessToken.js';

/** Whether an active record had the token; it is revoked then. The moment is the database's. */
export async function revoke({ sql, address }: Context, token: string): Promise<boolean> {
  if (!isStorable(token)) return false;
  const revoked = await sql.rows(
    `update tokens set is_revoked = true, revoked_at = now(), revoked_by_ip = $2
     where token = $1 and not is_revoked and expires_at > now() returning id`,
    [renewalTokenHash(token), address],
  );
  return revoked.length > 0;
}

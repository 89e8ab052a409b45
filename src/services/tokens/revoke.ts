/** Revocation of a renewal token by whoever holds it; hardened: by the client that it was issued to. */
import { renewalTokenHash } from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';
import { isStorable } from '../../entities/storableText.js';
import { revokeReused } from './refusedRenewal.js';
import { findNamedRecord } from './renewalToken.js';

/**
 * Whether an active record had the token; it is revoked then. The moment is the database's. Hardened, a token that was
 * used before is no record's either, but its session ends too: with its successor whoever took the token would stay signed in.
 * @param clientId the authenticated client that asks; undefined in the documented policy, where anybody may
 */
export async function revoke(context: Context, token: string, clientId?: string): Promise<boolean> {
  if (!isStorable(token)) return false;
  const { sql, address, config } = context;
  const boundTo = config.tokenPolicy === 'hardened' ? (clientId ?? null) : null;
  const revoked = await sql.rows(
    `update tokens set is_revoked = true, revoked_at = now(), revoked_by = $4, revoked_by_ip = $2
     where token = $1 and not is_revoked and expires_at > now()
       and ($3::text is null or client_id is null or client_id = $3) returning id`,
    [renewalTokenHash(token), address, boundTo, clientId === undefined ? 'holder' : `client ${clientId}`],
  );
  if (revoked.length > 0) return true;
  const used = boundTo === null ? undefined : await findNamedRecord(context, token);
  if (used) await revokeReused(context, used, boundTo);
  return false;
}

/** Renewal tokens revoked by an administrator, and signing keys rotated; both are in the audit log. */
import type { Context } from '../context.js';
import { badInput } from '../errors.js';
import { actorOf, change, execute, permit } from './change.js';

export interface TokenCriteria {
  tokenId?: string | null;
  userGuid?: string | null;
  profileId?: string | null;
  clientId?: string | null;
}

/** Revokes the active tokens that meet all criteria given, and says how many. Throws BAD_USER_INPUT without any. */
export async function revokeTokens(context: Context, criteria: TokenCriteria): Promise<number> {
  permit(context, 'admin:security');
  const given = Object.entries(criteria).filter(([, value]) => value !== null && value !== undefined);
  if (given.length === 0)
    throw badInput({ $: ['At least one of tokenId, userGuid, profileId and clientId is needed.'] });
  const { tokenId = null, userGuid = null, profileId = null, clientId = null } = criteria;
  if (tokenId !== null && !/^\d{1,18}$/.test(tokenId)) throw badInput({ tokenId: ['A whole number is expected.'] });
  return change(context, 'admin:security', async (em) => {
    const revoked = await execute<{ count: number }>(
      em,
      `with revoked as (
         update tokens set is_revoked = true, revoked_at = now(), revoked_by_ip = $5
         where not is_revoked and expires_at > now()
           and ($1::bigint is null or id = $1) and ($2::uuid is null or user_id = $2)
           and ($3::text is null or profile_id = $3) and ($4::text is null or client_id = $4)
         returning 1
       ), event as (
         insert into audit_events (actor, action, subject_type, subject_id, detail, trace_id)
         select $6, 'revoke', 'Token', $7, jsonb_build_object('count', count(*)), $8 from revoked having count(*) > 0
       )
       select count(*)::int as count from revoked`,
      [
        tokenId,
        userGuid,
        profileId,
        clientId,
        context.address,
        actorOf(context),
        given
          .map(([name, value]) => `${name} ${value}`)
          .join(', ')
          .slice(0, 255),
        context.traceId,
      ],
    );
    return revoked[0]!.count;
  });
}

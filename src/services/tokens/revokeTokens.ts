/** Tokens revoked by an administrator. */
import type { Context } from '../../context.js';
import { badInput } from '../../errors.js';
import { permit } from '../permit.js';
import { change } from '../records/transaction.js';
import { revokeRecords } from './endSessions.js';

export interface TokenCriteria {
  tokenId?: string | null;
  userGuid?: string | null;
  profileId?: string | null;
  clientId?: string | null;
}

const condition = `($5::bigint is null or t.id = $5) and ($6::uuid is null or t.user_id = $6)
  and ($7::text is null or t.profile_id = $7) and ($8::text is null or t.client_id = $8)`;

/** Revokes the active tokens that meet all criteria given, and says how many. Throws BAD_USER_INPUT without any. */
export async function revokeTokens(context: Context, criteria: TokenCriteria): Promise<number> {
  permit(context, 'admin:security');
  const given = Object.entries(criteria).filter(([, value]) => value !== null && value !== undefined);
  if (given.length === 0)
    throw badInput({ $: ['At least one of tokenId, userGuid, profileId and clientId is needed.'] });
  const { tokenId = null, userGuid = null, profileId = null, clientId = null } = criteria;
  if (tokenId !== null && !/^\d{1,18}$/.test(tokenId)) throw badInput({ tokenId: ['A whole number is expected.'] });
  const subject = given.map(([name, value]) => `${name} ${value}`).join(', ');
  return change(context, 'admin:security', (em) =>
    revokeRecords(em, context, subject, condition, [tokenId, userGuid, profileId, clientId]),
  );
}

/** Tokens revoked by an administrator. */
import type { Context } from '../../context.js';
import { badInput } from '../../errors.js';
import { permit, requireFreshSignIn } from '../permit.js';
import { change } from '../records/transaction.js';
import { endConsoleSessions, revokeRecords } from './endSessions.js';

interface TokenCriteria {
  tokenId?: string | null;
  userGuid?: string | null;
  profileId?: string | null;
  clientId?: string | null;
}

const condition = `($5::bigint is null or t.id = $5) and ($6::uuid is null or t.user_id = $6)
  and ($7::text is null or t.profile_id = $7) and ($8::text is null or t.client_id = $8)`;

const ofConsole = '($1::uuid is null or s.user_guid = $1) and ($2::text is null or s.profile_id = $2)';

/**
 * Revokes the active tokens that meet all criteria given, and says how many; sessions of the console that meet them end. Throws BAD_USER_INPUT without any, and
 * REAUTHENTICATE for more than the one of a number.
 */
export async function revokeTokens(context: Context, criteria: TokenCriteria): Promise<number> {
  permit(context, 'admin:security');
  const given = Object.entries(criteria).filter(([, value]) => value !== null && value !== undefined);
  if (given.length === 0)
    throw badInput({ $: ['At least one of tokenId, userGuid, profileId and clientId is needed.'] });
  const { tokenId = null, userGuid = null, profileId = null, clientId = null } = criteria;
  if (tokenId !== null && !/^\d{1,18}$/.test(tokenId)) throw badInput({ tokenId: ['A whole number is expected.'] });
  if (tokenId === null) requireFreshSignIn(context);
  const subject = given.map(([name, value]) => `${name} ${value}`).join(', ');
  return change(context, 'admin:security', async (em) => {
    // these have neither number nor client
    if (tokenId === null && clientId === null) await endConsoleSessions(em, ofConsole, [userGuid, profileId]);
    return revokeRecords(em, context, subject, condition, [tokenId, userGuid, profileId, clientId]);
  });
}
